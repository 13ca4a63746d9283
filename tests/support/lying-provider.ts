import { createHash, createSign, generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";

/** Errors that a faulty provider may make in its answer. */
export type Lie = {
  header?: Record<string, unknown>;
  claims?: Record<string, unknown>;
  /** Signs with a key that it does not publish. */
  foreignKey?: boolean;
  /** No signature at all. */
  unsigned?: boolean;
  /** Omits the id_token. */
  noToken?: boolean;
};

/** Starts an OpenID Connect provider with scripted faulty answers. */
export async function startLyingProvider(clientId: string) {
  const keys = [0, 1].map(() => generateKeyPairSync("rsa", { modulusLength: 2048 }));
  let lie: Lie = {};
  let verifierSeen: string | null = null;
  const asked = { nonce: "", challenge: "" };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", issuer);
    const json = (body: unknown) => {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    if (url.pathname === "/.well-known/openid-configuration") {
      return json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256"],
        code_challenge_methods_supported: ["S256"],
      });
    }
    if (url.pathname === "/jwks") {
      const jwk = keys[0]?.publicKey.export({ format: "jwk" });
      return json({ keys: [{ ...jwk, kid: "one", alg: "RS256", use: "sig" }] });
    }
    if (url.pathname === "/token") {
      let body = "";
      for await (const chunk of request) body += chunk;
      verifierSeen = new URLSearchParams(body).get("code_verifier");
      return json({
        access_token: "an-access-token",
        token_type: "Bearer",
        expires_in: 60,
        ...(lie.noToken ? {} : { id_token: token() }),
      });
    }
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as { port: number }).port}`;

  function token(): string {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: issuer,
      aud: clientId,
      sub: "liar",
      email: "liar@provider.example",
      email_verified: true,
      nonce: asked.nonce,
      iat: now,
      exp: now + 60,
      ...lie.claims,
    };
    const header = { alg: lie.unsigned ? "none" : "RS256", kid: "one", typ: "JWT", ...lie.header };
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
    const signed = `${encode(header)}.${encode(claims)}`;
    if (lie.unsigned) return `${signed}.`;
    const key = keys[lie.foreignKey ? 1 : 0]?.privateKey;
    return `${signed}.${createSign("RSA-SHA256")
      .update(signed)
      .sign(key as never, "base64url")}`;
  }

  return {
    issuer,
    /** Sets the faults of the next answer. */
    tell(next: Lie) {
      lie = next;
    },
    /** Opens the portal's redirect as the browser would; returns the parameters of a correct redirect back. */
    visit(location: string): { state: string; code: string } {
      const { searchParams } = new URL(location);
      asked.nonce = searchParams.get("nonce") ?? "";
      asked.challenge = searchParams.get("code_challenge") ?? "";
      return { state: searchParams.get("state") ?? "", code: "a-code" };
    },
    /** Whether the code verifier of the last exchange matches the challenge. */
    pkceHeld: () =>
      verifierSeen !== null && createHash("sha256").update(verifierSeen).digest("base64url") === asked.challenge,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
