import { PROVIDERS, type Provider } from "~/domain/identity/shared";
import { log } from "~/log.server";
import { authenticationsToTry } from "./client-authentication";
import { readDiscovery } from "./discovery.server";
import { providerAway } from "./provider-problem.server";
import { asksAnew, callbackOf, providerSettings } from "./provider-settings.server";

/**
 * Reads what each OpenID Connect provider says about itself and logs whether people can sign in there, and what the operator
 * has to register or to change. Nothing waits for it: a provider that is away for a moment stops no start. Never throws.
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
      clientAuthentication: authenticationsToTry(settings.clientAuthentication, offered),
      confirmsPresence: asksAnew(settings),
    };
    log.info(about, "an identity provider is ready; the redirect address has to be registered there");
  } catch (problem) {
    providerAway(provider, problem);
  }
}
