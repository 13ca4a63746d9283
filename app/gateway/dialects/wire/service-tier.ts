import { SERVICE_TIERS, type ServiceTier } from "~/domain/catalogue/shared";
import type { AskedTier } from "~/domain/pricing/shared";
import { apiError } from "~/errors/app-error";
import type { Usage } from "../../canonical/usage";

/**
 * Returns the service tier that a chat or responses request asks for; undefined if the supplier chooses.
 * @throws AppError unsupported_parameter for a tier that no price list names
 */
export function requestedTierOf({ service_tier }: Readonly<Record<string, unknown>>): AskedTier | undefined {
  if (service_tier == null || service_tier === "auto") return undefined;
  if (service_tier === "default" || service_tier === "flex" || service_tier === "priority") return service_tier;
  throw apiError("unsupported_parameter", {
    userMessage: "This service_tier is not priced here. Leave it out, or use auto, default, flex or priority.",
    param: "service_tier",
  });
}

/** Returns the service tier that an answer names; undefined if no price list can name it. */
export const servedTier = (wire: unknown): ServiceTier | undefined => SERVICE_TIERS.find((tier) => tier === wire);

/** Sets the service tier that the answer names on its usage. */
export function atTier(usage: Usage | null, wire: unknown): Usage | null {
  const tier = servedTier(wire);
  if (usage !== null && tier !== undefined) usage.serviceTier = tier;
  return usage;
}
