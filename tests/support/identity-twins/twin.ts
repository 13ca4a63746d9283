import { createHash, randomBytes } from "node:crypto";
import { type Algorithm, type Key, keyOf, publishedWith, signedWith } from "./keys";

type Claims = Record<string, unknown>;

/** The particular behaviour of an OpenID Connect provider, by its documentation. */
export type Profile = {
  /** Source of the rules, and the date on which it was read. */
  source: string;
  read: string;
  issuer: string;
  /** The issuer of the discovery document, if it differs. */
  documentIssuer?: string;
  /** Address of the discovery document, if it is not below the issuer. */
  discovery?: string;
  /** The provider's endpoints. */
  endpoints: { authorization: string; token: string; userinfo?: string; jwks: string };
  /** Additional fields of the discovery document, or fields to omit. */
  document?: Claims;
  /** Client authentication methods that the provider accepts for this client. */
  takes: readonly ("client_secret_basic" | "client_secret_post")[];
  /** Does not URL-decode the credentials of Basic authentication. */
  decodesNothing?: boolean;
  /** Answer to every other client authentication. */
  refusal: { status: number; body: Claims };
  /** Supported prompts; for any other the provider shows an error page. */
  prompts: readonly string[];
  /** When the token contains `auth_time`; "when asked": after a sign-in that `max_age` or `prompt=login` requested. */
  authTime: "always" | "when asked" | "never";
  /** Whether the callback names the issuer (RFC 9207). */
  namesIssuer: boolean;
  /** Claims of the token. */
  token(person: Person): Claims;
  userinfo?(person: Person): Claims;
  algorithm?: Algorithm;
  /** The header of its tokens has no key id. */
  namesNoKey?: boolean;
  userinfoAsJwt?: boolean;
};

export type Person = { sub: string; email: string; name: string };

export const CLIENT = { id: "3f1a-client.example~x_y", secret: "s3cret~with-._: and +%/=" };
const REDIRECT = /\/oauth\/idp-[ab]\/login\/callback\/$/;

type Code = { redirectUri: string; challenge: string; nonce: string | null; anew: boolean; person: Person };

/**
 * A provider that accepts only requests that its documentation allows. gw reaches it through `fetch`, so that it can
 * use the vendor's real addresses; `visit` acts as the browser of a person.
 */
export class IdentityTwin {
  #key: 0 | 1 = 0;
  #codes = new Map<string, Code>();
  #tokens = new Map<string, Person>();
  /** Lead of the provider's clock over this process's clock, in seconds. */
  clockOffset = 0;
  /** Claims that the next tokens contain in addition to, or instead of, the correct ones. */
  more: Claims = {};
  /** All received requests, for assertions. */
  readonly asked: { url: string; authorization: string | null; body: string }[] = [];

  constructor(readonly profile: Profile) {}

  /** Switches to a new signing key, and publishes only that one. */
  rotateKeys(): void {
    this.#key = 1;
  }

  /** Opens the provider's page as a browser. Returns the redirect target; throws if there is an error page instead. */
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

  /** Answers a request to one of the provider's addresses. */
  fetch = async (address: string, init: RequestInit = {}): Promise<Response> => {
    const { issuer, endpoints, discovery } = this.profile;
    const url = new URL(address);
    const headers = new Headers(init.headers);
    const body = init.body ? String(init.body) : "";
    this.asked.push({ url: url.href, authorization: headers.get("authorization"), body });
    if (url.href === (discovery ?? `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`))
      return Response.json(this.document());
    if (url.href === endpoints.jwks) return Response.json({ keys: publishedWith(this.#signer) });
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
    const { takes, refusal, decodesNothing = false } = this.profile;
    const way = wayOf(headers, form, decodesNothing);
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

  get #signer(): Key {
    return keyOf(this.profile.algorithm ?? "RS256", this.#key);
  }

  #signed(claims: Claims): string {
    const { kid, algorithm } = this.#signer;
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
    const isNamed = algorithm !== "HS256" && !this.profile.namesNoKey;
    const text = `${encode({ alg: algorithm, typ: "JWT", ...(isNamed && { kid }) })}.${encode(claims)}`;
    return `${text}.${signedWith(this.#signer, CLIENT.secret, text)}`;
  }
}

function faultOf(asked: URLSearchParams): string | null {
  if (asked.get("response_type") !== "code") return "unsupported_response_type";
  if (!asked.get("scope")?.split(" ").includes("openid")) return "invalid_scope";
  const hasPkce =
    asked.get("code_challenge_method") === "S256" && /^[\w-]{43}$/.test(asked.get("code_challenge") ?? "");
  return hasPkce && asked.get("state") ? null : "invalid_request";
}

/** Returns the client authentication method of a request; null if the secret is wrong, missing or sent twice. */
function wayOf(
  headers: Headers,
  form: URLSearchParams,
  decodesNothing: boolean,
): "client_secret_basic" | "client_secret_post" | null {
  const basic = headers.get("authorization")?.match(/^Basic (.+)$/)?.[1];
  const decode = (part: string) => {
    if (decodesNothing) return part;
    try {
      return decodeURIComponent(part.replaceAll("+", " "));
    } catch {
      return null;
    }
  };
  if (basic === undefined)
    return form.get("client_id") === CLIENT.id && form.get("client_secret") === CLIENT.secret
      ? "client_secret_post"
      : null;
  const text = atob(basic);
  const at = text.indexOf(":");
  const isRight = decode(text.slice(0, at)) === CLIENT.id && decode(text.slice(at + 1)) === CLIENT.secret;
  return isRight && !form.has("client_secret") ? "client_secret_basic" : null;
}
