import type { Caller } from "~/domain/keys/shared";
import type { Lock } from "~/domain/routing/index.server";
import type { Ask } from "../canonical/ask";
import type { Dialect } from "../dialects/dialect";
import { canReach } from "./served-endpoints";

/** What a call is locked to by its key, by itself and by the dialect it speaks. */
export const lockOf = (caller: Caller, ask: Ask, dialect: Dialect): Lock => ({
  models: caller.allowedModels,
  regions: caller.allowedRegions,
  callRegion: ask.region,
  reaches: (lane) => canReach(lane, dialect.name),
});
