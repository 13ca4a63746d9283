import { PROVIDERS, type Provider } from "~/domain/accounts/shared";
import { log } from "~/observe/log.server";
import { authenticationsToTry } from "./client-authentication";
import { readDiscovery } from "./discovery.server";
import { providerAway } from "./provider-problem.server";
import { asksAnew, callbackOf, providerSettings } from "./provider-settings.server";

/**
 * Reads the discovery document of each OpenID Connect provider, and logs whether people can sign in with it, and what
 * the operator must register or change. Start-up does not wait for it, so an unreachable provider does not block it.
 * Never throws.
 */
export async function checkIdentityProviders(): Promise<void> {
  await Promise.all(PROVIDERS.map(check));
}

async function check(provider: Provider): Promise<void> {
  const settings = providerSettings(provider);
  if (settings?.kind !== "oidc") return;
  try {
    const document = await readDiscovery(settings);
    const offered = document.token_endpoint_auth_methods_supported;
    const about = {
      provider,
      issuer: document.issuer,
      redirectUri: callbackOf(provider),
      clientAuthentication: authenticationsToTry(settings, offered),
      confirmsPresence: asksAnew(settings),
    };
    log.info(about, "an identity provider is ready; the redirect address has to be registered there");
  } catch (error) {
    providerAway(provider, error);
  }
}
