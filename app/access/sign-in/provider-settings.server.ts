import { config, type IdentityProvider } from "~/config.server";
import type { Provider } from "~/domain/identity/shared";

const LETTERS: Readonly<Record<Provider, "a" | "b">> = { "idp-a": "a", "idp-b": "b" };

/** The settings of a provider; null: it is not set up. */
export const providerSettings = (provider: Provider): IdentityProvider | null =>
  config().identityProviders[LETTERS[provider]];

/**
 * The providers that are set up, with the texts of their buttons. `attests`: it says when a person signed in there, so
 * that they can prove by it that they are present; plain OAuth 2 does not.
 */
export function offeredProviders(): { provider: Provider; label: string; attests: boolean }[] {
  const all = Object.keys(LETTERS) as Provider[];
  return all.flatMap((provider) => {
    const settings = providerSettings(provider);
    return settings ? [{ provider, label: settings.label, attests: settings.kind === "oidc" }] : [];
  });
}

/** Where a provider sends people back to; always on the installation's own origin, where it is registered. */
export const callbackOf = (provider: Provider): string =>
  `${new URL(config().baseUrl).origin}/oauth/${provider}/login/callback/`;
