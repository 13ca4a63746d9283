import { Authenticator } from "remix-auth";
import type { Strategy } from "remix-auth/strategy";
import { config, type IdentityProvider } from "~/config.server";
import { db } from "~/connection/db.server";
import { checkPassword, type SignInOutcome } from "~/domain/accounts/index.server";
import { PROVIDERS, type Provider } from "~/domain/accounts/shared";
import { apiError } from "~/errors/app-error";
import type { Intent } from "./journey.server";
import { OpenIdStrategy } from "./openid-strategy.server";
import { PasswordStrategy } from "./password-strategy.server";
import type { ProvedIdentity } from "./proved-identity";
import { providerSettings } from "./provider-settings.server";
import { during, type TypedSignIn } from "./visit.server";

/** Result of a strategy. The caller decides whether it signs a person in, and as which user. */
type Proof = { by: "password"; outcome: SignInOutcome } | ({ by: "provider" } & ProvedIdentity);

/**
 * Checks an email address and a password. `request` identifies the portal and the browser.
 * @throws AppError rate_limit_exceeded
 */
export async function signInByPassword(request: Request, typed: TypedSignIn): Promise<SignInOutcome> {
  // The body has already been read, and such a request cannot be passed on.
  const withoutBody = new Request(request.url, { headers: request.headers });
  const all = await authenticator();
  const proof = await during({ step: "password", typed }, () => all.authenticate("password", withoutBody));
  if (proof.by !== "password") throw new Error("a password proves no identity at a provider");
  return proof.outcome;
}

/**
 * Returns the redirect to a provider, with a sealed cookie that ties the provider's response to this browser.
 * @throws AppError not_found when the provider is not configured; service_unavailable when it is unreachable;
 *   auth_issue when it shall confirm an identity and cannot.
 */
export async function leaveForProvider(provider: Provider, request: Request, intent: Intent): Promise<Response> {
  const all = await authenticator(provider);
  try {
    await during({ step: "leave", intent }, () => all.authenticate(provider, request));
  } catch (thrown) {
    if (thrown instanceof Response) return thrown;
    throw thrown;
  }
  throw new Error("a browser that leaves has proven nothing");
}

/**
 * Verifies a provider's response in full, and returns the identity of the person.
 * @throws AppError auth_issue for an invalid response, or a browser that did not start this sign-in; missing_email;
 *   service_unavailable when the provider is unreachable; not_found when it is not configured.
 */
export async function returnFromProvider(provider: Provider, request: Request): Promise<ProvedIdentity> {
  const all = await authenticator(provider);
  const proof = await during({ step: "return" }, () => all.authenticate(provider, request));
  if (proof.by !== "provider") throw new Error("a provider proves no password");
  return proof;
}

const built = new WeakMap<object, Promise<Authenticator<Proof>>>();

/**
 * Returns the authenticator for the current settings.
 * @throws AppError not_found when the requested provider is not configured.
 */
function authenticator(provider?: Provider): Promise<Authenticator<Proof>> {
  if (provider !== undefined && providerSettings(provider) === null)
    throw apiError("not_found", { key: "rejections:providerNotSetUp" });
  const { identityProviders } = config();
  const there = built.get(identityProviders) ?? build();
  built.set(identityProviders, there);
  return there;
}

async function build(): Promise<Authenticator<Proof>> {
  const all = new Authenticator<Proof>();
  all.use(
    new PasswordStrategy(async (attempt) => ({ by: "password", outcome: await checkPassword(db(), attempt) })),
    "password",
  );
  for (const provider of PROVIDERS) {
    const settings = providerSettings(provider);
    if (settings !== null) all.use(await strategyOf(provider, settings), provider);
  }
  return all;
}

async function strategyOf(provider: Provider, settings: IdentityProvider): Promise<Strategy<Proof, never>> {
  const verify = async (identity: ProvedIdentity): Promise<Proof> => ({ by: "provider", ...identity });
  if (settings.kind === "oidc") return new OpenIdStrategy(provider, settings, verify);
  // Loaded on first use, because the package includes the clients of sixty services.
  const { PlainOAuth2Strategy } = await import("./oauth2-strategy.server");
  return new PlainOAuth2Strategy(provider, settings, verify);
}
