import type { Db } from "~/db.server";
import type { HoldScope, OpenHold, OpenHolds } from "./shared";
import { findOpenHolds, sumOpenHolds } from "./view-store";

/**
 * Money held at this moment by calls in flight and by calls in review, for people who look at a key or a wallet: the oldest
 * `limit` holds, and how many they are and what they hold altogether. Amounts are nano-USD.
 */
export async function listHolds(db: Db, scope: HoldScope, options: { limit?: number } = {}): Promise<OpenHolds> {
  const [holds, total] = await Promise.all([findOpenHolds(db, scope, options.limit ?? 50), sumOpenHolds(db, scope)]);
  return { holds: holds satisfies OpenHold[], ...total };
}
