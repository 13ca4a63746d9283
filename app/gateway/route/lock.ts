import type { Caller } from "~/domain/keys/shared";
import type { Lock } from "~/domain/routing/index.server";
import type { InferenceRequest } from "../canonical/inference-request";
import type { Dialect } from "../dialects/dialect";
import { canReach } from "./served-endpoints";

/** Returns the restrictions of a call, from its key, its request and its dialect. */
export const lockOf = (caller: Caller, inference: InferenceRequest, dialect: Dialect): Lock => ({
  models: caller.allowedModels,
  regions: caller.allowedRegions,
  callRegion: inference.region,
  tier: inference.size.askedTier === "priority" ? "priority" : undefined,
  reaches: (route) => canReach(route, dialect.name),
});
