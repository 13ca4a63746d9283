import { Authenticator } from "remix-auth";
import type { Strategy } from "remix-auth/strategy";
import { config, type IdentityProvider } from "~/config.server";
import { db } from "~/db.server";
import { checkPassword, type SignInOutcome } from "~/domain/identity/index.server";
import { PROVIDERS, type Provider } from "~/domain/identity/shared";
import { apiError } from "~/errors/app-error";
import type { Intent } from "./journey.server";
import { OpenIdStrategy } from "./openid-strategy.server";
import { PasswordStrategy } from "./password-strategy.server";
import type { ProvedIdentity } from "./proved-identity";
import { providerSettings } from "./provider-settings.server";
import { during, type TypedSignIn } from "./visit.server";

/** What a strategy has found out. Whether it signs somebody in, and as whom, is decided by the caller. */
type Proof = { by: "password"; outcome: SignInOutcome } | ({ by: "provider" } & ProvedIdentity);

/**
 * Checks an address and a password. `request` says in whose portal and in which browser.
 * @throws AppError rate_limit_exceeded
 */
export async function signInByPassword(request: Request, typed: TypedSignIn): Promise<SignInOutcome> {
  // The body has been read already, and a request that was read cannot be passed on.
  const bare = new Request(request.url, { headers: request.headers });
  const all = await authenticator();
  const proof = await during({ step: "password", typed }, () => all.authenticate("password", bare));
  if (proof.by !== "password") throw new Error("a password proves no identity at a provider");
  return proof.outcome;
}

/**
 * The answer that sends a browser to a provider, with a sealed cookie that ties the way back to it.
 * @throws AppError not_found when the provider is not set up; service_unavailable when it cannot be reached; auth_issue when
 * it is to confirm who somebody is and cannot.
 */
export async function leaveForProvider(provider: Provider, request: Request, intent: Intent): Promise<Response> {
  const all = await authenticator(provider);
  try {
    await during({ step: "leave", intent }, () => all.authenticate(provider, request));
  } catch (left) {
    if (left instanceof Response) return left;
    throw left;
  }
  throw new Error("a browser that leaves has proven nothing");
}

/**
 * Who a browser is that comes back from a provider, after every check of what the provider says.
 * @throws AppError auth_issue for an answer that does not hold or a browser that did not leave; missing_email;
 * service_unavailable when the provider cannot be reached; not_found when it is not set up.
 */
export async function returnFromProvider(provider: Provider, request: Request): Promise<ProvedIdentity> {
  const all = await authenticator(provider);
  const proof = await during({ step: "return" }, () => all.authenticate(provider, request));
  if (proof.by !== "provider") throw new Error("a provider proves no password");
  return proof;
}

const built = new WeakMap<object, Promise<Authenticator<Proof>>>();

/** The one authenticator of the settings in force. @throws AppError not_found without the provider that is asked for. */
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
  // Loaded where somebody uses it: it brings the clients of sixty services along.
  const { PlainOAuth2Strategy } = await import("./oauth2-strategy.server");
  return new PlainOAuth2Strategy(provider, settings, verify);
}
