import type { Lane } from "~/domain/catalogue/shared";
import type { Caller } from "~/domain/keys/shared";
import type { Lock } from "~/domain/routing/index.server";
import type { Ask } from "./canonical/ask";
import type { Dialect } from "./dialects/dialect";
import { passageBetween } from "./dialects/passages";
import { adapterOf } from "./suppliers/registry";

/** What a call is locked to by its key, by itself and by the dialect it speaks. */
export const lockOf = (caller: Caller, ask: Ask, dialect: Dialect): Lock => ({
  models: caller.allowedModels,
  regions: caller.allowedRegions,
  callRegion: ask.region,
  reaches: (lane) => canReach(lane, dialect),
});

/** Whether the lane's supplier can be asked in the client's dialect, as it is or translated. */
function canReach(lane: Lane, dialect: Dialect): boolean {
  const spoken = adapterOf(lane.supplier)?.speaks(dialect.name, lane) ?? null;
  return spoken !== null && passageBetween(dialect.name, spoken) !== undefined;
}
