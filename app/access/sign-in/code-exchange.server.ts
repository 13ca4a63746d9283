import { OAuth2Tokens } from "arctic";
import { OAuth2Strategy } from "remix-auth-oauth2";
import type { ClientAuthentication } from "~/config/identity-providers";
import type { OAuth2Provider } from "~/config.server";
import { AUTHENTICATE } from "./client-authentication";
import { fetchObject } from "./fetch-object.server";
import type { Journey } from "./journey.server";

/** An access token that is valid in a header. */
const TOKEN = /^[\x21-\x7e]{1,16384}$/;
const COOKIE = "oauth2";

/** The authorisation code flow with PKCE (S256) of `remix-auth-oauth2`, with bounded responses and gw's own cookie. */
export class CodeExchange extends OAuth2Strategy<string> {
  readonly #authentication: ClientAuthentication;

  constructor(settings: OAuth2Provider, redirectUri: string) {
    const { clientId, clientSecret, authorisationUrl, tokenUrl, scopes } = settings;
    super(
      {
        clientId,
        clientSecret,
        authorizationEndpoint: authorisationUrl,
        tokenEndpoint: tokenUrl,
        redirectURI: redirectUri,
        scopes: [...scopes],
        cookie: COOKIE,
      },
      async ({ tokens }) => bearerOf(tokens),
    );
    this.#authentication = settings.clientAuthentication;
  }

  /** Returns the URL to redirect the browser to, and the values that its return is checked with. */
  leave(): { url: URL; state: string; codeVerifier: string } {
    return this.createAuthorizationURL();
  }

  /**
   * Exchanges the provider's response in `request` for an access token, for the browser with this journey.
   * @throws OAuth2RequestError when the provider refuses; Error for an invalid response.
   */
  arrive(request: Request, { state, codeVerifier }: Pick<Journey, "state" | "codeVerifier">): Promise<string> {
    // Without a state, the library would start a new sign-in.
    if (!new URL(request.url).searchParams.get("state")) throw new Error("the answer has no state");
    // The library reads state and verifier from an unsealed cookie, so it gets one with the values of the sealed cookie
    // only.
    const stored = new URLSearchParams([[state, codeVerifier]]);
    return super.authenticate(new Request(request.url, { headers: { cookie: `${COOKIE}:journey=${stored}` } }));
  }

  // The library's own request has no time-out, follows redirects with the code, and does not limit the response.
  protected override async validateAuthorizationCode(code: string, codeVerifier: string): Promise<OAuth2Tokens> {
    const { tokenEndpoint, redirectURI, clientId, clientSecret } = this.options;
    const body = new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: String(redirectURI),
      code_verifier: codeVerifier,
    });
    const headers = new Headers();
    AUTHENTICATE[this.#authentication]({ clientId, clientSecret: clientSecret ?? "" }, body, headers);
    const init = { method: "POST", body, headers: Object.fromEntries(headers) };
    return new OAuth2Tokens(await fetchObject(String(tokenEndpoint), init));
  }
}

function bearerOf(tokens: OAuth2Tokens): string {
  const { token_type: type = "bearer" } = tokens.data as { token_type?: unknown };
  if (typeof type !== "string" || type.toLowerCase() !== "bearer") throw new Error("the token is no bearer token");
  const token = tokens.accessToken();
  if (!TOKEN.test(token)) throw new Error("the token cannot stand in a header");
  return token;
}
