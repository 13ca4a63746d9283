import type { Configuration, getJwksCache, IDToken } from "openid-client";
import type { ClientAuthentication } from "~/config/identity-providers";
import type { OpenIdProvider } from "~/config.server";
import { AUTHENTICATE, authenticationsToTry } from "./client-authentication";
import {
  boundedByProvider,
  type DiscoveryDocument,
  type Fetch,
  namesAnotherIssuer,
  readDiscovery,
} from "./discovery.server";
import { needsUserInfo, type OpenIdPerson, personIn } from "./openid-claims";
import { subjectIn } from "./provider-claims";

/** Nine megabytes that only a sign-in at a provider needs. */
const openIdClient = () => import("openid-client");

/** How long a discovery document is used before it is read again: providers change their keys and endpoints rarely. */
const FRESH_MS = 3_600_000;
/** How far a provider's clock may be off from ours in what it says about its tokens. */
const CLOCK_SECONDS = 300;
/** From this age on the library asks for the keys again when it meets an unknown one, which only the provider's answer names. */
const KEY_WAIT_SECONDS = 60;

/** The claim is asked for by name as well: some providers leave it out even where the time limit obliges them to say it. */
const ASK_ANEW = {
  prompt: "login",
  max_age: "0",
  claims: JSON.stringify({ id_token: { auth_time: { essential: true } } }),
};

/** What ties a provider's answer to the browser that left. */
type Secrets = { state: string; nonce: string; codeVerifier: string };
/** The verified identity of a person who signed in. `authTime`: when they authenticated, in seconds by the provider's clock. */
type OpenIdAnswer = OpenIdPerson & { issuer: string; subject: string; authTime: number | null };

/**
 * One provider of OpenID Connect, asked by `openid-client`, which checks everything that it says: state, issuer, PKCE,
 * signature, audience, expiry, nonce. Each method throws ProviderMisconfigured for settings that cannot work, and TypeError
 * when the provider cannot be reached.
 */
export class OpenIdClient {
  readonly #settings: OpenIdProvider;
  readonly #fetch: Fetch;
  #document: { at: number; read: Promise<DiscoveryDocument> } | null = null;
  #keys: ReturnType<typeof getJwksCache>;
  /** The way that the provider has taken before. */
  #taken: ClientAuthentication | null = null;

  constructor(settings: OpenIdProvider, fetch: Fetch = boundedByProvider) {
    this.#settings = settings;
    this.#fetch = fetch;
  }

  /** Where to send a browser, and what it has to bring back. `anew`: the person is to be asked again, whatever session there is. */
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

  /** Who comes back by `here`, the callback with what the provider has added. @throws Error for an answer that does not hold. */
  async arrive(here: URL, { state, nonce, codeVerifier }: Omit<Secrets, "nonce"> & { nonce: string | null }) {
    const client = await openIdClient();
    const checks = {
      expectedState: state,
      expectedNonce: nonce ?? undefined,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    };
    const { configuration, tokens } = await this.#exchange(async (found) => {
      const got = await client.authorizationCodeGrant(found, here, checks);
      this.#keys = client.getJwksCache(found);
      return { configuration: found, tokens: got };
    });
    const claims = tokens.claims() as IDToken;
    const subject = subjectIn(claims.sub);
    const more = await this.#userInfo(configuration, tokens.access_token, claims);
    const authTime = typeof claims.auth_time === "number" ? claims.auth_time : null;
    return { ...personIn(this.#settings, claims, more), issuer: claims.iss, subject, authTime } satisfies OpenIdAnswer;
  }

  /**
   * Exchanges with each way to show the secret until one is taken: which one a client is registered for, the discovery
   * document does not say. A provider that refuses the client has not looked at the code yet.
   */
  async #exchange<Result>(exchange: (found: Configuration) => Promise<Result>): Promise<Result> {
    let first: unknown = null;
    for (const way of await this.#ways()) {
      try {
        const result = await exchange(await this.#configuration(way));
        this.#taken = way;
        return result;
      } catch (error) {
        // After a refusal, a code that counts as used says only that it was.
        if (!isClientRefused(error) && !(first !== null && errorOf(error) === "invalid_grant")) throw error;
        first ??= error;
      }
    }
    throw first;
  }

  async #ways(): Promise<readonly [ClientAuthentication, ...ClientAuthentication[]]> {
    const document = await this.#discovered();
    const all = authenticationsToTry(
      this.#settings.clientAuthentication,
      document.token_endpoint_auth_methods_supported,
    ) as [ClientAuthentication, ...ClientAuthentication[]];
    const taken = this.#taken;
    return taken === null ? all : [taken, ...all.filter((way) => way !== taken)];
  }

  #discovered(): Promise<DiscoveryDocument> {
    if (this.#document && Date.now() - this.#document.at < FRESH_MS) return this.#document.read;
    const read = readDiscovery(this.#settings, this.#fetch).catch((problem) => {
      this.#document = null;
      throw problem;
    });
    this.#document = { at: Date.now(), read };
    return read;
  }

  /** For one step of a sign-in: the library looks for an unknown key only in the ones that it has, for a minute. */
  async #configuration(way: ClientAuthentication): Promise<Configuration> {
    const made = await configure(this.#settings, { way, document: await this.#discovered(), fetch: this.#fetch });
    const old = Math.floor(Date.now() / 1_000) - KEY_WAIT_SECONDS;
    if (this.#keys) (await openIdClient()).setJwksCache(made, { ...this.#keys, uat: Math.min(this.#keys.uat, old) });
    return made;
  }

  /**
   * Some providers tell the address, or whether it is confirmed, only when asked with the token. Where the token has the
   * address, a sign-in does without the rest.
   */
  async #userInfo(configuration: Configuration, accessToken: string, claims: IDToken): Promise<object> {
    if (!needsUserInfo(this.#settings, claims) || !configuration.serverMetadata().userinfo_endpoint) return {};
    const { fetchUserInfo } = await openIdClient();
    try {
      return await fetchUserInfo(configuration, accessToken, claims.sub);
    } catch (problem) {
      if (personIn(this.#settings, claims, {}).email === undefined) throw problem;
      return {};
    }
  }
}

async function configure(
  { issuer, clientId, clientSecret }: OpenIdProvider,
  { way, document, fetch }: { way: ClientAuthentication; document: DiscoveryDocument; fetch: Fetch },
): Promise<Configuration> {
  const client = await openIdClient();
  const url = new URL(namesAnotherIssuer(issuer) ? issuer : document.issuer);
  // The signature is checked although the token comes straight from the provider: the way there may be without TLS, which
  // the operator, who names the issuer, can have inside a private network.
  const execute = [client.enableNonRepudiationChecks];
  if (url.protocol === "http:") execute.push(client.allowInsecureRequests);
  const ask = async (address: string, init: RequestInit) => {
    // It is read already.
    if (address.endsWith("/.well-known/openid-configuration")) return Response.json(document);
    const response = await fetch(address, init);
    // The library would read the challenge and pass over the body, which says what is wrong.
    if (response.status >= 400) response.headers.delete("www-authenticate");
    return response;
  };
  const authenticate = AUTHENTICATE[way];
  return client.discovery(
    url,
    clientId,
    { [client.clockTolerance]: CLOCK_SECONDS },
    (_server, _client, body, headers) => authenticate({ clientId, clientSecret }, body, headers),
    { execute, [client.customFetch]: (address, options) => ask(address, options as RequestInit) },
  );
}

/** Keycloak and Auth0 have other words than `invalid_client`. */
function isClientRefused(problem: unknown): boolean {
  const error = errorOf(problem);
  const { status } = (problem ?? {}) as { status?: unknown };
  return error === "invalid_client" || error === "unauthorized_client" || (status === 401 && error !== "invalid_grant");
}

const errorOf = (problem: unknown): unknown => (problem as { error?: unknown } | null)?.error;
