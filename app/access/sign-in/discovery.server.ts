import type { OpenIdProvider } from "~/config.server";
import { boundedFetch } from "~/http/bounded-fetch";
import { ProviderMisconfigured } from "./provider-problem.server";

/** The required subset of `fetch`; reads whole responses and follows no redirects. */
export type Fetch = (address: string, init: RequestInit) => Promise<Response>;

/** Fetches from a provider, with limits of time and size. */
export const boundedByProvider: Fetch = (address, init) =>
  boundedFetch(address, init, { timeoutMs: 10_000, maxBytes: 512 * 1024 });

/** A provider's discovery document: the fields that gw uses, and others. */
export type DiscoveryDocument = {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  jwks_uri: string;
  token_endpoint_auth_methods_supported?: string[];
  [more: string]: unknown;
};

const ENDPOINTS = ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const;

// Entra ID and Azure AD B2C have an issuer that differs from the document's URL, with a placeholder for the tenant.
const NAMES_ANOTHER_ISSUER = /^https:\/\/(?:login\.microsoftonline\.com|[^/]+\.b2clogin\.com)\//;

/** Whether a provider's document may name another issuer than the configured one. */
export const namesAnotherIssuer = (issuer: string): boolean => NAMES_ANOTHER_ISSUER.test(issuer);

type Place = Pick<OpenIdProvider, "issuer" | "discoveryUrl">;

/** Returns the URL of an issuer's discovery document. */
const discoveryAddress = ({ issuer, discoveryUrl }: Place): string =>
  discoveryUrl ?? `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;

/**
 * Reads a provider's discovery document, and checks that gw can sign people in with it.
 * @throws ProviderMisconfigured with the required change, for the operator; TypeError when the provider is unreachable.
 */
export async function readDiscovery(place: Place, fetch: Fetch = boundedByProvider): Promise<DiscoveryDocument> {
  const address = discoveryAddress(place);
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
  const fault = faultOf(place, document);
  if (fault !== null) throw new ProviderMisconfigured(fault);
  return document as DiscoveryDocument;
}

function faultOf(place: Place, document: unknown): string | null {
  const { issuer, discoveryUrl } = place;
  if (typeof document !== "object" || document === null || Array.isArray(document))
    return `${discoveryAddress(place)} is no discovery document`;
  const metadata = document as Record<string, unknown>;
  const missing = ["issuer", ...ENDPOINTS].filter((name) => !isAddress(metadata[name]));
  if (missing.length > 0) return `the discovery document of ${issuer} has no ${missing.join(", ")}`;
  const reportedIssuer = metadata.issuer as string;
  // A final slash does not matter.
  if (reportedIssuer.replace(/\/$/, "") !== issuer.replace(/\/$/, "") && !namesAnotherIssuer(issuer))
    return reportedIssuer.includes("{tenantid}")
      ? `${issuer} is for many tenants, which gw knows of login.microsoftonline.com only: set the issuer of one tenant`
      : `the issuer is set to ${issuer}, but its discovery document names ${reportedIssuer}: set that one`;
  // With an http discovery URL (a private network), only the endpoint that browsers visit must be https.
  const secure = discoveryUrl?.startsWith("http:") ? ENDPOINTS.slice(0, 1) : ENDPOINTS;
  const plain = secure.filter(
    (name) => issuer.startsWith("https:") && !(metadata[name] as string).startsWith("https:"),
  );
  if (plain.length > 0)
    return `the discovery document of ${issuer} names http:// addresses (${plain.join(", ")}): tell the provider its public address`;
  const algorithms = metadata.id_token_signing_alg_values_supported;
  if (Array.isArray(algorithms) && algorithms.length > 0 && algorithms.every((name) => /^(HS\d+|none)$/.test(name)))
    return `the provider signs with the client secret (${algorithms.join(", ")}): choose a signing key there, such as RS256`;
  return null;
}

// A URL may contain the placeholder for the tenant, {tenantid}.
const isAddress = (value: unknown): boolean => typeof value === "string" && URL.canParse(value);
