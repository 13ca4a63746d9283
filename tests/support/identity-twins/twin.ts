import { createHash, createHmac, createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";

type Claims = Record<string, unknown>;

/** How a provider of OpenID Connect differs from the others, by its documentation. */
export type Profile = {
  /** Where the rules are from, and when they were read. */
  source: string;
  read: string;
  issuer: string;
  /** The issuer as its document has it, where that is another one. */
  documentIssuer?: string;
  /** Where its other addresses are; default: the issuer. */
  endpoints: { authorization: string; token: string; userinfo?: string; jwks: string };
  /** More of the discovery document, or fields to leave out. */
  document?: Claims;
  /** The ways to show the secret that it takes for this client; default: those of its document. */
  takes: readonly ("client_secret_basic" | "client_secret_post")[];
  /** What it answers to any other. */
  refusal: { status: number; body: Claims };
  /** Prompts that it knows; any other is an error on a page of its own. */
  prompts: readonly string[];
  /** Whether `max_age` and `prompt=login` make it ask anew, and when it says so. */
  authTime: "always" | "when asked" | "never";
  /** Whether the callback names the issuer (RFC 9207). */
  namesIssuer: boolean;
  /** Claims of the token, and those that only the user-info answer has. */
  token(person: Person): Claims;
  userinfo?(person: Person): Claims;
  algorithm?: "RS256" | "HS256";
  userinfoAsJwt?: boolean;
};

export type Person = { sub: string; email: string; name: string };

export const CLIENT = { id: "3f1a-client.example~x_y", secret: "s3cret~with-._: and +%/=" };
const REDIRECT = /\/oauth\/idp-[ab]\/login\/callback\/$/;

type Code = { redirectUri: string; challenge: string; nonce: string | null; anew: boolean; person: Person };

/**
 * A provider that takes what its documentation takes and refuses the rest. It is asked through `fetch`, so that it can have
 * its vendor's own addresses; `visit` is the browser that goes there, with whoever is at it.
 */
export class IdentityTwin {
  #key = keyOf(0);
  #codes = new Map<string, Code>();
  #tokens = new Map<string, Person>();
  /** How far its clock is ahead of ours, in seconds. */
  clockOffset = 0;
  /** What the next token answer has besides, or in place of, the honest claims. */
  more: Claims = {};
  /** Every request that it has got, for what a test wants to know about them. */
  readonly asked: { url: string; authorization: string | null; body: string }[] = [];

  constructor(readonly profile: Profile) {}

  /** Signs with a new key from now on, and publishes only that one. */
  rotateKeys(): void {
    this.#key = keyOf(1);
  }

  /** The browser at the provider's own page. Returns where it is sent back to; throws for an error page, which leads nowhere. */
  visit(location: URL, person: Person | null): URL {
    const { profile } = this;
    const asked = location.searchParams;
    const page = (why: string) => new Error(`an error page: ${why}`);
    if (location.origin + location.pathname !== profile.endpoints.authorization) throw page("no such page");
    if (asked.get("client_id") !== CLIENT.id) throw page("unknown client");
    if (!REDIRECT.test(asked.get("redirect_uri") ?? "")) throw page("redirect_uri is not registered");
    const prompt = asked.get("prompt");
    if (prompt !== null && !profile.prompts.includes(prompt)) throw page(`Invalid prompt: ${prompt}`);
    const back = new URL(asked.get("redirect_uri") as string);
    back.searchParams.set("state", asked.get("state") ?? "");
    if (profile.namesIssuer) back.searchParams.set("iss", profile.documentIssuer ?? profile.issuer);
    const fault = faultOf(asked);
    if (fault !== null || person === null) {
      back.searchParams.set("error", fault ?? "access_denied");
      back.searchParams.set("error_description", fault ? "The request is malformed." : "The user denied the request.");
      return back;
    }
    const code = randomBytes(12).toString("hex");
    this.#codes.set(code, {
      redirectUri: back.origin + back.pathname,
      challenge: asked.get("code_challenge") as string,
      nonce: asked.get("nonce"),
      anew: asked.get("max_age") !== null || prompt === "login",
      person,
    });
    back.searchParams.set("code", code);
    return back;
  }

  /** What a request to one of its addresses is answered with. */
  fetch = async (address: string, init: RequestInit = {}): Promise<Response> => {
    const { issuer, endpoints } = this.profile;
    const url = new URL(address);
    const headers = new Headers(init.headers);
    const body = init.body ? String(init.body) : "";
    this.asked.push({ url: url.href, authorization: headers.get("authorization"), body });
    if (url.href === `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`)
      return Response.json(this.document());
    if (url.href === endpoints.jwks) return Response.json({ keys: [this.#key.jwk] });
    if (url.href === endpoints.token) return this.#token(headers, new URLSearchParams(body));
    if (url.href === endpoints.userinfo) return this.#userinfo(headers);
    return new Response("Not Found", { status: 404 });
  };

  document(): Claims {
    const { profile } = this;
    const document: Claims = {
      issuer: profile.documentIssuer ?? profile.issuer,
      authorization_endpoint: profile.endpoints.authorization,
      token_endpoint: profile.endpoints.token,
      userinfo_endpoint: profile.endpoints.userinfo,
      jwks_uri: profile.endpoints.jwks,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: [profile.algorithm ?? "RS256"],
      ...(profile.namesIssuer && { authorization_response_iss_parameter_supported: true }),
      ...profile.document,
    };
    return Object.fromEntries(Object.entries(document).filter(([, value]) => value !== undefined));
  }

  #token(headers: Headers, form: URLSearchParams): Response {
    const { takes, refusal } = this.profile;
    const way = wayOf(headers, form);
    if (way === null || !takes.includes(way))
      return Response.json(refusal.body, {
        status: refusal.status,
        headers: { "www-authenticate": 'Basic realm="id"' },
      });
    const code = this.#codes.get(form.get("code") ?? "");
    this.#codes.delete(form.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (code?.redirectUri !== form.get("redirect_uri") || code.challenge !== challenge)
      return Response.json({ error: "invalid_grant", error_description: "The code is not valid." }, { status: 400 });
    const access_token = randomBytes(12).toString("hex");
    this.#tokens.set(access_token, code.person);
    return Response.json({ access_token, token_type: "Bearer", expires_in: 3600, id_token: this.#idToken(code) });
  }

  #idToken({ person, nonce, anew }: Code): string {
    const { profile } = this;
    const now = Math.floor(Date.now() / 1_000) + this.clockOffset;
    const says = profile.authTime === "always" || (profile.authTime === "when asked" && anew);
    return this.#signed({
      iss: profile.documentIssuer ?? profile.issuer,
      aud: CLIENT.id,
      iat: now,
      nbf: now,
      exp: now + 300,
      ...(nonce !== null && { nonce }),
      ...(says && { auth_time: anew ? now : now - 7_200 }),
      at_hash: "77QmUPtjPfzWtF2AnpK9RQ",
      sub: person.sub,
      ...profile.token(person),
      ...this.more,
    });
  }

  #userinfo(headers: Headers): Response {
    const { profile } = this;
    const person = this.#tokens.get(headers.get("authorization")?.replace(/^Bearer /, "") ?? "");
    if (person === undefined) return Response.json({ error: "invalid_token" }, { status: 401 });
    const claims = { sub: person.sub, ...profile.userinfo?.(person) };
    if (!profile.userinfoAsJwt) return Response.json(claims);
    const token = this.#signed({ ...claims, iss: profile.issuer, aud: CLIENT.id });
    return new Response(token, { headers: { "content-type": "application/jwt" } });
  }

  #signed(claims: Claims): string {
    const { algorithm = "RS256" } = this.profile;
    const { kid, rsa } = this.#key;
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
    const head = { alg: algorithm, typ: "JWT", ...(algorithm !== "HS256" && { kid: `${kid}-${algorithm}` }) };
    const text = `${encode(head)}.${encode(claims)}`;
    if (algorithm === "HS256") return `${text}.${createHmac("sha256", CLIENT.secret).update(text).digest("base64url")}`;
    return `${text}.${createSign("SHA256").update(text).sign(rsa, "base64url")}`;
  }
}

const KEYS: { kid: string; rsa: KeyObject; jwk: Claims }[] = [];

/** Making one takes a while, so all twins share them. */
function keyOf(index: number) {
  if (KEYS[index]) return KEYS[index];
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const kid = `key-${index}`;
  const jwk = { ...rsa.publicKey.export({ format: "jwk" }), kid: `${kid}-RS256`, alg: "RS256", use: "sig" };
  KEYS[index] = { kid, rsa: rsa.privateKey, jwk };
  return KEYS[index];
}

function faultOf(asked: URLSearchParams): string | null {
  if (asked.get("response_type") !== "code") return "unsupported_response_type";
  if (!asked.get("scope")?.split(" ").includes("openid")) return "invalid_scope";
  const hasPkce =
    asked.get("code_challenge_method") === "S256" && /^[\w-]{43}$/.test(asked.get("code_challenge") ?? "");
  return hasPkce && asked.get("state") ? null : "invalid_request";
}

/** How the secret is shown, if it is the right one; null for anything else, both ways at once included. */
function wayOf(headers: Headers, form: URLSearchParams): "client_secret_basic" | "client_secret_post" | null {
  const basic = headers.get("authorization")?.match(/^Basic (.+)$/)?.[1];
  const decode = (part: string) => decodeURIComponent(part.replaceAll("+", " "));
  if (basic === undefined)
    return form.get("client_id") === CLIENT.id && form.get("client_secret") === CLIENT.secret
      ? "client_secret_post"
      : null;
  const text = atob(basic);
  const at = text.indexOf(":");
  const isRight = decode(text.slice(0, at)) === CLIENT.id && decode(text.slice(at + 1)) === CLIENT.secret;
  return isRight && !form.has("client_secret") ? "client_secret_basic" : null;
}
