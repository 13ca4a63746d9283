import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** An answer of the stand-in: an object is JSON with status 200; the names are faults. */
type Answer = object | "hangs" | "is huge" | "is no JSON" | "redirects" | "fails";

type Code = { challenge: string; redirectUri: string };

/** A provider of plain OAuth 2, such as GitHub, in this process. It requires PKCE (S256) and accepts each code once. */
export type OAuth2StandIn = {
  origin: string;
  clientId: string;
  clientSecret: string;
  /** Returns the environment variables that configure it as a provider of gw. */
  settings(letter: "A" | "B"): Record<string, string>;
  /** Sets the next visitor's profile and list of addresses; `token` replaces the correct token answer. */
  say(next: { profile?: Answer; emails?: Answer; token?: Answer }): void;
  /** Opens the portal's redirect as the browser would; returns the redirect back to the portal. */
  visit(location: string, answer?: Record<string, string>): URL;
  /** Returns the query parameters of the last authorisation request. */
  asked(): URLSearchParams;
  /** Returns the number of codes that were exchanged for a token. */
  exchanged(): number;
  close(): Promise<void>;
};

export async function startOAuth2Provider(): Promise<OAuth2StandIn> {
  const [clientId, clientSecret] = ["gw portal", "a secret: with % and +"];
  const codes = new Map<string, Code>();
  const tokens = new Set<string>();
  let said: { profile?: Answer; emails?: Answer; token?: Answer } = {};
  let asked = new URLSearchParams();
  let exchanged = 0;

  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", origin);
    if (pathname === "/token" && request.method === "POST") return answer(response, await token(request));
    if (pathname === "/elsewhere") return answer(response, said.profile ?? {});
    const holdsToken = tokens.has(request.headers.authorization?.replace(/^Bearer /, "") ?? "");
    if (!holdsToken) return answer(response, { message: "Bad credentials" }, 401);
    if (pathname === "/user") return answer(response, said.profile ?? {});
    if (pathname === "/user/emails") return answer(response, said.emails ?? []);
    answer(response, { message: "Not Found" }, 404);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  /** Answers token requests; like GitHub it reports errors with status 200. */
  async function token(request: IncomingMessage): Promise<Answer> {
    let body = "";
    for await (const chunk of request) body += chunk;
    const form = new URLSearchParams(body);
    const encode = (part: string) => new URLSearchParams([["", part]]).toString().slice(1);
    const basic = Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString("base64");
    if (request.headers.authorization !== `Basic ${basic}`) return { error: "incorrect_client_credentials" };
    const code = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const verifier = form.get("code_verifier") ?? "";
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    if (code === undefined || code.challenge !== challenge || code.redirectUri !== form.get("redirect_uri"))
      return { error: "bad_verification_code" };
    exchanged += 1;
    const fresh = `token-${randomBytes(12).toString("hex")}`;
    tokens.add(fresh);
    return said.token ?? { access_token: fresh, token_type: "bearer", scope: "" };
  }

  function answer(response: ServerResponse, body: Answer, status = 200): void {
    if (body === "hangs") return;
    if (body === "fails") return void response.writeHead(502).end();
    if (body === "redirects") return void response.writeHead(302, { location: `${origin}/elsewhere` }).end();
    response.writeHead(status, { "content-type": "application/json" });
    if (body === "is no JSON") return void response.end("access_token=x&scope=");
    if (body !== "is huge") return void response.end(JSON.stringify(body));
    // The body never ends; only a limit of the reader stops it.
    const more = () => {
      while (!response.destroyed && response.write(" ".repeat(64 * 1024)));
    };
    response.on("drain", more);
    more();
  }

  return {
    origin,
    clientId,
    clientSecret,
    settings: (letter) => ({
      [`IDP_${letter}_KIND`]: "oauth2",
      [`IDP_${letter}_CLIENT_ID`]: clientId,
      [`IDP_${letter}_CLIENT_SECRET`]: clientSecret,
      [`IDP_${letter}_LABEL`]: `Octo ${letter}`,
      [`IDP_${letter}_AUTHORISATION_URL`]: `${origin}/authorize?tenant=one`,
      [`IDP_${letter}_TOKEN_URL`]: `${origin}/token`,
      [`IDP_${letter}_PROFILE_URL`]: `${origin}/user`,
      [`IDP_${letter}_SCOPES`]: "read:user user:email",
    }),
    say(next) {
      said = next;
    },
    visit(location, more) {
      asked = new URL(location).searchParams;
      const back = new URL(asked.get("redirect_uri") ?? "");
      const state = asked.get("state") ?? "";
      const code = randomBytes(12).toString("hex");
      codes.set(code, { challenge: asked.get("code_challenge") ?? "", redirectUri: back.href });
      back.search = new URLSearchParams(more ?? { code, state }).toString();
      return back;
    },
    asked: () => asked,
    exchanged: () => exchanged,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
