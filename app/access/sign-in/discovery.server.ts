import type { OpenIdProvider } from "~/config.server";
import { boundedFetch } from "~/http/bounded-fetch";
import { ProviderMisconfigured } from "./provider-problem.server";

/** The part of `fetch` that is asked; reads whole answers and follows no redirect. */
export type Fetch = (address: string, init: RequestInit) => Promise<Response>;

/** Answers of providers are waited for this long, and are no larger. */
export const boundedByProvider: Fetch = (address, init) =>
  boundedFetch(address, init, { timeoutMs: 10_000, maxBytes: 512 * 1024 });

/** What a provider says about itself; the fields that are looked at here, and whatever else. */
export type DiscoveryDocument = {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  jwks_uri: string;
  token_endpoint_auth_methods_supported?: string[];
  [more: string]: unknown;
};

const ENDPOINTS = ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const;

// Entra ID and Azure AD B2C name another issuer than the address of the document, and one with a gap for the tenant.
const NAMES_ANOTHER_ISSUER = /^https:\/\/(?:login\.microsoftonline\.com|[^/]+\.b2clogin\.com)\//;

/** Whether a provider's document is allowed to name another issuer than the one that was asked. */
export const namesAnotherIssuer = (issuer: string): boolean => NAMES_ANOTHER_ISSUER.test(issuer);

/** Where the discovery document of an issuer stands. */
const discoveryAddress = (issuer: string): string => `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;

/**
 * A provider's discovery document, if gw can sign people in by it.
 * @throws ProviderMisconfigured with what to change, in words for the operator; TypeError when it cannot be reached.
 */
export async function readDiscovery(
  { issuer }: Pick<OpenIdProvider, "issuer">,
  fetch: Fetch = boundedByProvider,
): Promise<DiscoveryDocument> {
  const address = discoveryAddress(issuer);
  const response = await fetch(address, { headers: { accept: "application/json", "user-agent": "gw" } });
  const { status } = response;
  if (status >= 500 || status === 429) throw new TypeError(`${address} answered ${status}`);
  if (status >= 300 && status < 400)
    throw new ProviderMisconfigured(
      `${address} redirects to ${response.headers.get("location")}: set the issuer that the provider itself names`,
    );
  if (status !== 200)
    throw new ProviderMisconfigured(`${address} answered ${status}: there is no discovery document of this issuer`);
  const document: unknown = await response.json().catch(() => null);
  const fault = faultOf(issuer, document);
  if (fault !== null) throw new ProviderMisconfigured(fault);
  return document as DiscoveryDocument;
}

function faultOf(issuer: string, document: unknown): string | null {
  if (typeof document !== "object" || document === null || Array.isArray(document))
    return `${discoveryAddress(issuer)} is no discovery document`;
  const found = document as Record<string, unknown>;
  const missing = ["issuer", ...ENDPOINTS].filter((name) => !isAddress(found[name]));
  if (missing.length > 0) return `the discovery document of ${issuer} has no ${missing.join(", ")}`;
  const told = found.issuer as string;
  // With and without a slash at the end it is the same document.
  if (told.replace(/\/$/, "") !== issuer.replace(/\/$/, "") && !namesAnotherIssuer(issuer))
    return `the issuer is set to ${issuer}, but its discovery document names ${told}: set that one`;
  const plain = ENDPOINTS.filter(
    (name) => issuer.startsWith("https:") && !(found[name] as string).startsWith("https:"),
  );
  if (plain.length > 0)
    return `the discovery document of ${issuer} names http:// addresses (${plain.join(", ")}): tell the provider its public address`;
  const algorithms = found.id_token_signing_alg_values_supported;
  if (Array.isArray(algorithms) && algorithms.length > 0 && algorithms.every((name) => /^(HS\d+|none)$/.test(name)))
    return `the provider signs with the client secret (${algorithms.join(", ")}): choose a signing key there, such as RS256`;
  return null;
}

// The gap for the tenant, {tenantid}, is no address, but stands in one.
const isAddress = (value: unknown): boolean => typeof value === "string" && URL.canParse(value);
