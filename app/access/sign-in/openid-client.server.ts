import type { Configuration, getJwksCache, IDToken } from "openid-client";
import type { OpenIdProvider } from "~/config.server";
import { AUTHENTICATE, authenticationsToTry, type Way } from "./client-authentication";
import {
  boundedByProvider,
  type DiscoveryDocument,
  type Fetch,
  namesAnotherIssuer,
  readDiscovery,
} from "./discovery.server";
import { needsUserInfo, type OpenIdPerson, personIn } from "./openid-claims";
import { subjectIn } from "./provider-claims";

/** Loads `openid-client` on first use: it takes nine megabytes, and only sign-ins with a provider need it. */
const openIdClient = () => import("openid-client");

/** Cache lifetime of a discovery document; providers rarely change their endpoints. */
const FRESH_MS = 3_600_000;
/** Tolerance for the difference between the provider's clock and ours, for times in tokens. */
const CLOCK_SECONDS = 300;
/** Age of the cached keys from which the library fetches them again for an unknown key id. */
const KEY_WAIT_SECONDS = 60;

/** Requests the `auth_time` claim explicitly too, because some providers omit it although `max_age` requires it. */
const ASK_ANEW = {
  prompt: "login",
  max_age: "0",
  claims: JSON.stringify({ id_token: { auth_time: { essential: true } } }),
};

/** Values that tie a provider's response to the browser that started the sign-in. */
type Secrets = { state: string; nonce: string; codeVerifier: string };
/** The verified identity of a person. `authTime`: time of their authentication, in seconds by the provider's clock. */
type OpenIdAnswer = OpenIdPerson & { issuer: string; subject: string; authTime: number | null };

/**
 * Client of one OpenID Connect provider. `openid-client` verifies its responses: state, issuer, PKCE, signature,
 * audience, expiry, nonce. Each method throws ProviderMisconfigured for settings that cannot work, and TypeError when
 * the provider is unreachable.
 */
export class OpenIdClient {
  readonly #settings: OpenIdProvider;
  readonly #fetch: Fetch;
  #document: { at: number; read: Promise<DiscoveryDocument> } | null = null;
  #keys: ReturnType<typeof getJwksCache>;
  /** The authentication method that the provider last accepted. */
  #taken: Way | null = null;

  constructor(settings: OpenIdProvider, fetch: Fetch = boundedByProvider) {
    this.#settings = settings;
    this.#fetch = fetch;
  }

  /**
   * Returns the URL to redirect a browser to, and the values to check its return. `anew`: the provider shall ask for
   * credentials even with a session.
   */
  async leave(redirectUri: string, { anew }: { anew: boolean }): Promise<{ url: URL; secrets: Secrets }> {
    const client = await openIdClient();
    const [way] = await this.#ways();
    const secrets = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      codeVerifier: client.randomPKCECodeVerifier(),
    };
    const url = client.buildAuthorizationUrl(await this.#configuration(way), {
      redirect_uri: redirectUri,
      scope: this.#settings.scopes.join(" "),
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(secrets.codeVerifier),
      code_challenge_method: "S256",
      ...(anew && ASK_ANEW),
    });
    return { url, secrets };
  }

  /**
   * Returns the identity of the person. `here`: the callback URL with the provider's parameters.
   * @throws Error for an invalid response.
   */
  async arrive(here: URL, { state, nonce, codeVerifier }: Omit<Secrets, "nonce"> & { nonce: string | null }) {
    const client = await openIdClient();
    const checks = {
      expectedState: state,
      expectedNonce: nonce ?? undefined,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    };
    const { configuration, tokens } = await this.#exchange(async (accepted) => {
      const got = await client.authorizationCodeGrant(accepted, here, checks);
      this.#keys = client.getJwksCache(accepted);
      return { configuration: accepted, tokens: got };
    });
    const claims = tokens.claims() as IDToken;
    const subject = subjectIn(claims.sub);
    const more = await this.#userInfo(configuration, tokens.access_token, claims);
    const authTime = typeof claims.auth_time === "number" ? claims.auth_time : null;
    return { ...personIn(this.#settings, claims, more), issuer: claims.iss, subject, authTime } satisfies OpenIdAnswer;
  }

  /**
   * Exchanges the code, trying each authentication method until the provider accepts one: the discovery document does
   * not tell which one a client is registered for. A provider that rejects the client has not used the code yet.
   */
  async #exchange<Result>(exchange: (configuration: Configuration) => Promise<Result>): Promise<Result> {
    let first: unknown = null;
    for (const way of await this.#ways()) {
      try {
        const result = await exchange(await this.#configuration(way));
        this.#taken = way;
        return result;
      } catch (error) {
        // After a rejection, `invalid_grant` may only mean that the rejected attempt used the code.
        if (!isClientRefused(error) && !(first !== null && errorOf(error) === "invalid_grant")) throw error;
        first ??= error;
      }
    }
    throw first;
  }

  async #ways(): Promise<readonly [Way, ...Way[]]> {
    const document = await this.#discovered();
    const all = authenticationsToTry(this.#settings, document.token_endpoint_auth_methods_supported);
    const preferred = this.#taken;
    return preferred === null ? all : [preferred, ...all.filter((way) => way !== preferred)];
  }

  #discovered(): Promise<DiscoveryDocument> {
    if (this.#document && Date.now() - this.#document.at < FRESH_MS) return this.#document.read;
    const read = readDiscovery(this.#settings, this.#fetch).catch((error) => {
      this.#document = null;
      throw error;
    });
    this.#document = { at: Date.now(), read };
    return read;
  }

  /**
   * Creates a configuration for one step of a sign-in. Its keys are marked as old, because the library refetches newer
   * ones only after a minute.
   */
  async #configuration(way: Way): Promise<Configuration> {
    const configuration = await configure(this.#settings, {
      way,
      document: await this.#discovered(),
      fetch: this.#fetch,
    });
    const old = Math.floor(Date.now() / 1_000) - KEY_WAIT_SECONDS;
    if (this.#keys)
      (await openIdClient()).setJwksCache(configuration, { ...this.#keys, uat: Math.min(this.#keys.uat, old) });
    return configuration;
  }

  /**
   * Some providers return the email address, or its verification, only from the user-info endpoint. If the token has
   * the address, a failure of this request does not prevent the sign-in.
   */
  async #userInfo(configuration: Configuration, accessToken: string, claims: IDToken): Promise<object> {
    if (!needsUserInfo(this.#settings, claims) || !configuration.serverMetadata().userinfo_endpoint) return {};
    const { fetchUserInfo } = await openIdClient();
    try {
      return await fetchUserInfo(configuration, accessToken, claims.sub);
    } catch (error) {
      if (personIn(this.#settings, claims, {}).email === undefined) throw error;
      return {};
    }
  }
}

async function configure(
  { issuer, clientId, clientSecret }: OpenIdProvider,
  { way, document, fetch }: { way: Way; document: DiscoveryDocument; fetch: Fetch },
): Promise<Configuration> {
  const client = await openIdClient();
  const url = new URL(namesAnotherIssuer(issuer) ? issuer : document.issuer);
  // The signature is verified although the token comes directly from the provider: the connection may lack TLS, if the
  // operator has configured an issuer in a private network.
  const execute = [client.enableNonRepudiationChecks];
  const addresses = [url.href, document.token_endpoint, document.jwks_uri, document.userinfo_endpoint];
  if (addresses.some((address) => typeof address === "string" && address.startsWith("http:")))
    execute.push(client.allowInsecureRequests);
  const request = async (address: string, init: RequestInit) => {
    // The discovery document is already loaded.
    if (address.endsWith("/.well-known/openid-configuration")) return Response.json(document);
    const response = await fetch(address, init);
    // With this header, the library would ignore the body, which has the error.
    if (response.status >= 400) response.headers.delete("www-authenticate");
    return response;
  };
  const authenticate = AUTHENTICATE[way];
  return client.discovery(
    url,
    clientId,
    { [client.clockTolerance]: CLOCK_SECONDS },
    (_server, _client, body, headers) => authenticate({ clientId, clientSecret }, body, headers),
    { execute, [client.customFetch]: (address, options) => request(address, options as RequestInit) },
  );
}

/** Whether the provider rejected the client; Keycloak and Auth0 use other codes than `invalid_client`. */
function isClientRefused(problem: unknown): boolean {
  const error = errorOf(problem);
  const { status } = (problem ?? {}) as { status?: unknown };
  return error === "invalid_client" || error === "unauthorized_client" || (status === 401 && error !== "invalid_grant");
}

const errorOf = (error: unknown): unknown => (error as { error?: unknown } | null)?.error;
