import type { Db } from "~/connection/db.server";
import type { HoldScope, OpenHold, OpenHolds } from "../shared";
import { findOpenHolds, sumOpenHolds } from "./view-store";

/**
 * Lists the money held now by calls in flight and in review, for pages about a key or a wallet: the oldest `limit` holds, and the
 * number and sum of all holds. Amounts are nano-USD.
 */
export async function listHolds(db: Db, scope: HoldScope, options: { limit?: number } = {}): Promise<OpenHolds> {
  const [holds, total] = await Promise.all([findOpenHolds(db, scope, options.limit ?? 50), sumOpenHolds(db, scope)]);
  return { holds: holds satisfies OpenHold[], ...total };
}
