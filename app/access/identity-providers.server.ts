import type { Configuration, IDToken } from "openid-client";
import { config, type IdentityProvider } from "~/config.server";
import type { ExternalClaims, Provider } from "~/domain/identity/shared";
import { EmailField, isLine, NOT_IN_LINES } from "~/domain/identity/shared";
import { refusal } from "~/errors/app-error";
import { log } from "~/log.server";

/** Nine megabytes that only a sign-in at a provider needs. */
const openIdClient = () => import("openid-client");

const TIMEOUT_SECONDS = 10;
/** By how much a provider's clock may be behind ours. */
const CLOCK_SECONDS = 60;
/** Providers change their keys and addresses rarely; after so long they are asked again. */
const FRESH_MS = 3_600_000;

const LETTERS: Readonly<Record<Provider, "a" | "b">> = { "idp-a": "a", "idp-b": "b" };

/** What has to be kept in the browser between leaving for the provider and coming back. */
export type Journey = { state: string; nonce: string; codeVerifier: string };

/** The settings of a provider; null: it is not set up. */
export const providerSettings = (provider: Provider): IdentityProvider | null =>
  config().identityProviders[LETTERS[provider]];

/** The providers that are set up, with the texts of their buttons. */
export function offeredProviders(): { provider: Provider; label: string }[] {
  const all = Object.keys(LETTERS) as Provider[];
  return all.flatMap((provider) => {
    const settings = providerSettings(provider);
    return settings ? [{ provider, label: settings.label }] : [];
  });
}

/** Where a provider sends people back to; always on the installation's own origin, where it is registered. */
export const callbackOf = (provider: Provider): string =>
  `${new URL(config().baseUrl).origin}/oauth/${provider}/login/callback/`;

/**
 * Begins a sign-in at a provider: the address to send the browser to, and what it has to bring back. `anew`: the provider is
 * to ask the person, whatever session it has.
 * @throws AppError not_found when the provider is not set up; service_unavailable when it cannot be reached.
 */
export async function beginAtProvider(
  provider: Provider,
  { anew }: { anew: boolean },
): Promise<{ url: URL; journey: Journey }> {
  const discovered = await discoveredProvider(provider);
  const client = await openIdClient();
  const journey = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    codeVerifier: client.randomPKCECodeVerifier(),
  };
  const url = client.buildAuthorizationUrl(discovered, {
    redirect_uri: callbackOf(provider),
    scope: "openid email profile",
    state: journey.state,
    nonce: journey.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(journey.codeVerifier),
    code_challenge_method: "S256",
    ...(anew && ASK_ANEW),
  });
  return { url, journey };
}

/** The claim is asked for by name as well: some providers leave it out even where the time limit obliges them to say it. */
const ASK_ANEW = {
  prompt: "login",
  max_age: "0",
  claims: JSON.stringify({ id_token: { auth_time: { essential: true } } }),
};

/**
 * Ends a sign-in: exchanges the code and checks everything that the provider says (state, issuer, PKCE, signature, audience,
 * expiry, nonce). `anewSince`: the person has to have signed in there since then, in milliseconds, by what the provider
 * says; null: a session that it had is enough. Returns who it is, and when they signed in there; null: it does not say.
 * @throws AppError auth_issue for an answer that does not hold; service_unavailable when the provider cannot be reached.
 */
export async function endAtProvider(
  provider: Provider,
  search: string,
  journey: Journey & { anewSince: number | null },
): Promise<{ claims: ExternalClaims; provedAt: Date | null }> {
  const discovered = await discoveredProvider(provider);
  const client = await openIdClient();
  const here = new URL(callbackOf(provider));
  here.search = search;
  try {
    const tokens = await client.authorizationCodeGrant(discovered, here, {
      expectedState: journey.state,
      expectedNonce: journey.nonce,
      pkceCodeVerifier: journey.codeVerifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims() as IDToken;
    const more = claims.email === undefined ? await userInfo(discovered, tokens.access_token, claims.sub) : {};
    const provedAt = typeof claims.auth_time === "number" ? timeOf(claims.auth_time) : null;
    requireAnew(provedAt, journey.anewSince);
    return { claims: claimsOf(provider, { ...more, ...claims }), provedAt };
  } catch (problem) {
    throw problemOf(provider, problem, problem instanceof client.AuthorizationResponseError);
  }
}

/** A provider's clock may be ahead of ours, or anything at all. */
const timeOf = (seconds: number): Date => new Date(Math.min(seconds * 1000, Date.now()));

/** What was asked for is no answer: only the provider's word says that the person was there, and not just their browser. */
function requireAnew(provedAt: Date | null, anewSince: number | null): void {
  if (anewSince === null) return;
  if (provedAt !== null && provedAt.getTime() >= anewSince - CLOCK_SECONDS * 1000) return;
  throw refusal("auth_issue", {
    human: "The identity provider did not confirm a fresh sign-in. Try again.",
  });
}

/** Some providers tell the address only when asked with the token. */
async function userInfo(discovered: Configuration, accessToken: string, subject: string): Promise<object> {
  if (!discovered.serverMetadata().userinfo_endpoint) return {};
  const { fetchUserInfo } = await openIdClient();
  return fetchUserInfo(discovered, accessToken, subject);
}

function claimsOf(provider: Provider, claims: IDToken): ExternalClaims {
  const email = EmailField.safeParse(claims.email);
  if (!email.success) {
    throw refusal("missing_email", {
      human: "The identity provider did not share your email address. Allow it there, or sign in another way.",
    });
  }
  const name = typeof claims.name === "string" ? claims.name : "";
  const line = name.slice(0, 120).replace(NOT_IN_LINES, " ").trim();
  return {
    provider,
    issuer: claims.iss,
    subject: claims.sub,
    email: email.data,
    emailVerified: claims.email_verified === true || claims.email_verified === "true",
    name: isLine(line) ? line : "",
  };
}

function problemOf(provider: Provider, problem: unknown, refused: boolean) {
  if (problem instanceof Error && problem.name === "AppError") return problem;
  if (isAway(problem)) return away(provider, problem);
  log.warn({ provider, problem: wordsOf(problem) }, "an answer of an identity provider was refused");
  return refusal("auth_issue", {
    human: refused
      ? "The identity provider did not sign you in. Try again, or sign in another way."
      : "We couldn’t accept the identity provider’s response. Start again.",
    cause: problem,
  });
}

/** The problem's own words; never the answer itself, which carries codes and tokens. */
const wordsOf = (problem: unknown) => {
  const { code, message } = (problem ?? {}) as { code?: string; message?: string };
  return { code, message };
};

const discoveries = new Map<Provider, { settings: IdentityProvider; at: number; found: Promise<Configuration> }>();

function discoveredProvider(provider: Provider): Promise<Configuration> {
  const settings = providerSettings(provider);
  if (settings === null) throw refusal("not_found", { human: "This way to sign in is not set up." });
  const there = discoveries.get(provider);
  if (there && there.settings === settings && Date.now() - there.at < FRESH_MS) return there.found;
  const found = discover(settings).catch((problem) => {
    discoveries.delete(provider);
    throw away(provider, problem);
  });
  discoveries.set(provider, { settings, at: Date.now(), found });
  return found;
}

async function discover({ issuer, clientId, clientSecret }: IdentityProvider): Promise<Configuration> {
  const client = await openIdClient();
  const url = new URL(issuer);
  // The signature is checked although the token comes straight from the provider: the way there may be without TLS, which
  // the operator, who names the issuer, can have inside a private network.
  const execute = [client.enableNonRepudiationChecks];
  if (url.protocol === "http:") execute.push(client.allowInsecureRequests);
  return client.discovery(url, clientId, clientSecret, undefined, { execute, timeout: TIMEOUT_SECONDS });
}

function isAway(problem: unknown): boolean {
  if (!(problem instanceof Error)) return false;
  const { code } = problem as { code?: string };
  return problem instanceof TypeError || code === "OAUTH_TIMEOUT" || problem.name === "TimeoutError";
}

function away(provider: Provider, problem: unknown) {
  log.warn({ provider, problem: wordsOf(problem) }, "an identity provider cannot be reached");
  return refusal("service_unavailable", {
    human: "The identity provider can’t be reached right now. Try again shortly, or sign in another way.",
    cause: problem,
  });
}
