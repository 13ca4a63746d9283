import { config, type IdentityProvider, type OpenIdProvider } from "~/config.server";
import type { Provider } from "~/domain/identity/shared";

const LETTERS: Readonly<Record<Provider, "a" | "b">> = { "idp-a": "a", "idp-b": "b" };

/** The settings of a provider; null: it is not set up. */
export const providerSettings = (provider: Provider): IdentityProvider | null =>
  config().identityProviders[LETTERS[provider]];

/**
 * The providers that are set up, with the texts of their buttons. `attests`: it says when a person signed in there, so
 * that they can prove by it that they are present; plain OAuth 2 does not, nor do those that never ask anew.
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

// Google refuses `prompt=login`, and does not ask for a password while a person has a session there.
const NEVER_ASK_ANEW: readonly string[] = ["https://accounts.google.com"];

/** Whether a provider can be told to ask people again who have a session there. */
export const asksAnew = ({ issuer }: OpenIdProvider): boolean => !NEVER_ASK_ANEW.includes(new URL(issuer).origin);

/** Where a provider sends people back to; always on the installation's own origin, where it is registered. */
export const callbackOf = (provider: Provider): string =>
  `${new URL(config().baseUrl).origin}/oauth/${provider}/login/callback/`;
