import { z } from "zod";
import { identityProviderOf, type OpenIdProvider, providerVariables } from "~/config/identity-providers";
import { CLIENT } from "./twin";

/** Reads a provider's settings from its environment variables, as gw does at start. */
export function settingsOf(issuer: string, more: Readonly<Record<string, string>> = {}): OpenIdProvider {
  const given = { ISSUER: issuer, CLIENT_ID: CLIENT.id, CLIENT_SECRET: CLIENT.secret, ...more };
  const named = Object.fromEntries(Object.entries(given).map(([name, value]) => [`IDP_A_${name}`, value]));
  const values = z.object(providerVariables("A", "First")).parse(named);
  return identityProviderOf("A", values) as OpenIdProvider;
}
