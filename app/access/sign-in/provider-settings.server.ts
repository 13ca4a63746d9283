import { config, type IdentityProvider, type OpenIdProvider } from "~/config.server";
import type { Provider } from "~/domain/accounts/shared";

const LETTERS: Readonly<Record<Provider, "a" | "b">> = { "idp-a": "a", "idp-b": "b" };

/** Returns the settings of a provider; null: not configured. */
export const providerSettings = (provider: Provider): IdentityProvider | null =>
  config().identityProviders[LETTERS[provider]];

/**
 * Returns the configured providers with their button labels. `attests`: the provider reports the time of a sign-in,
 * which is then a proof of presence; plain OAuth 2 providers do not, nor do providers that never ask for credentials
 * again.
 */
export function offeredProviders(): { provider: Provider; label: string; attests: boolean }[] {
  const all = Object.keys(LETTERS) as Provider[];
  return all.flatMap((provider) => {
    const settings = providerSettings(provider);
    return settings
      ? [{ provider, label: settings.label, attests: settings.kind === "oidc" && asksAnew(settings) }]
      : [];
  });
}

// Google rejects `prompt=login`, and does not ask for credentials during a session.
const NEVER_ASK_ANEW: readonly string[] = ["https://accounts.google.com"];

/** Whether a provider can ask for credentials again during a session. */
export const asksAnew = ({ issuer }: OpenIdProvider): boolean => !NEVER_ASK_ANEW.includes(new URL(issuer).origin);

/** Returns the callback URL of a provider; always on the installation's own origin, where it is registered. */
export const callbackOf = (provider: Provider): string =>
  `${new URL(config().baseUrl).origin}/oauth/${provider}/login/callback/`;
