import type { Configuration, IDToken } from "openid-client";
import { Strategy } from "remix-auth/strategy";
import type { OpenIdProvider } from "~/config.server";
import type { Provider } from "~/domain/identity/shared";
import { boundedFetch } from "~/http/bounded-fetch";
import { type Intent, leaveFor, requireJourney } from "./journey.server";
import type { ProvedIdentity } from "./proved-identity";
import { addressIn, isConfirmed, nameIn, subjectIn } from "./provider-claims";
import { addressMissing, answerProblem, providerAway, requireProvedSince } from "./provider-problem.server";
import { callbackOf } from "./provider-settings.server";
import { visitOf } from "./visit.server";

/** Nine megabytes that only a sign-in at a provider needs. */
const openIdClient = () => import("openid-client");

const BOUNDS = { timeoutMs: 10_000, maxBytes: 512 * 1024 };
/** Providers change their keys and addresses rarely; after so long they are asked again. */
const FRESH_MS = 3_600_000;

/** The claim is asked for by name as well: some providers leave it out even where the time limit obliges them to say it. */
const ASK_ANEW = {
  prompt: "login",
  max_age: "0",
  claims: JSON.stringify({ id_token: { auth_time: { essential: true } } }),
};

/**
 * Signs in at an OpenID Connect provider by `openid-client`, which does discovery and checks everything that the provider
 * says: state, issuer, PKCE, signature, audience, expiry, nonce.
 */
export class OpenIdStrategy<Proof> extends Strategy<Proof, ProvedIdentity> {
  override name: Provider;
  readonly #settings: OpenIdProvider;
  #discovered: { at: number; found: Promise<Configuration> } | null = null;

  constructor(provider: Provider, settings: OpenIdProvider, verify: Strategy.VerifyFunction<Proof, ProvedIdentity>) {
    super(verify);
    this.name = provider;
    this.#settings = settings;
  }

  /**
   * @throws Response that sends the browser to the provider; AppError auth_issue for an answer that does not hold, or
   * service_unavailable when the provider cannot be reached.
   */
  override async authenticate(request: Request): Promise<Proof> {
    const visit = visitOf("leave", "return");
    if (visit.step === "leave") throw await this.#leave(visit.intent);
    return this.verify(await this.#return(request));
  }

  async #leave(intent: Intent): Promise<Response> {
    const discovered = await this.#provider();
    const client = await openIdClient();
    const secrets = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      codeVerifier: client.randomPKCECodeVerifier(),
    };
    const url = client.buildAuthorizationUrl(discovered, {
      redirect_uri: callbackOf(this.name),
      scope: "openid email profile",
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(secrets.codeVerifier),
      code_challenge_method: "S256",
      ...(intent.confirms && ASK_ANEW),
    });
    return leaveFor(this.name, url, { ...intent, ...secrets });
  }

  async #return(request: Request): Promise<ProvedIdentity> {
    const journey = requireJourney(this.name, request);
    const discovered = await this.#provider();
    const client = await openIdClient();
    const here = new URL(callbackOf(this.name));
    here.search = new URL(request.url).search;
    try {
      const tokens = await client.authorizationCodeGrant(discovered, here, {
        expectedState: journey.state,
        expectedNonce: journey.nonce ?? undefined,
        pkceCodeVerifier: journey.codeVerifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims() as IDToken;
      const subject = subjectIn(claims.sub);
      const more = claims.email === undefined ? await userInfo(discovered, tokens.access_token, subject) : {};
      const provedAt = typeof claims.auth_time === "number" ? timeOf(claims.auth_time) : null;
      if (journey.confirms) requireProvedSince(provedAt, journey.begunAt);
      return { claims: claimsOf(this.name, subject, { ...more, ...claims }), provedAt, journey };
    } catch (error) {
      throw answerProblem(this.name, error, error instanceof client.AuthorizationResponseError);
    }
  }

  #provider(): Promise<Configuration> {
    const there = this.#discovered;
    if (there && Date.now() - there.at < FRESH_MS) return there.found;
    const found = discover(this.#settings).catch((problem) => {
      this.#discovered = null;
      throw providerAway(this.name, problem);
    });
    this.#discovered = { at: Date.now(), found };
    return found;
  }
}

async function discover({ issuer, clientId, clientSecret }: OpenIdProvider): Promise<Configuration> {
  const client = await openIdClient();
  const url = new URL(issuer);
  // The signature is checked although the token comes straight from the provider: the way there may be without TLS, which
  // the operator, who names the issuer, can have inside a private network.
  const execute = [client.enableNonRepudiationChecks];
  if (url.protocol === "http:") execute.push(client.allowInsecureRequests);
  return client.discovery(url, clientId, clientSecret, undefined, {
    execute,
    timeout: BOUNDS.timeoutMs / 1000,
    [client.customFetch]: (address, options) => boundedFetch(address, options as RequestInit, BOUNDS),
  });
}

/** A provider's clock may be ahead of ours, or anything at all. */
const timeOf = (seconds: number): Date => new Date(Math.min(seconds * 1000, Date.now()));

/** Some providers tell the address only when asked with the token. */
async function userInfo(discovered: Configuration, accessToken: string, subject: string): Promise<object> {
  if (!discovered.serverMetadata().userinfo_endpoint) return {};
  const { fetchUserInfo } = await openIdClient();
  return fetchUserInfo(discovered, accessToken, subject);
}

function claimsOf(provider: Provider, subject: string, claims: IDToken): ProvedIdentity["claims"] {
  const email = addressIn(claims.email);
  if (email === null) throw addressMissing();
  return {
    provider,
    issuer: claims.iss,
    subject,
    email,
    emailVerified: isConfirmed(claims.email_verified),
    name: nameIn(claims.name),
  };
}
