import type { Db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { listDeliveries } from "./delivery-store";
import type { AlertDelivery } from "./shared";

export type AlertHistory = { deliveries: AlertDelivery[]; nextBeforeId: bigint | null };

/**
 * Returns the alerts addressed to an actor, newest first. `beforeId` is only an upper bound of ids; it may belong to another person, of
 * whom nothing is shown.
 */
export async function readAlertHistory(
  db: Db,
  actor: Pick<Actor, "userId">,
  page: { beforeId?: bigint; limit: number },
): Promise<AlertHistory> {
  const rows = await listDeliveries(db, actor.userId, { beforeId: page.beforeId ?? null, limit: page.limit + 1 });
  const deliveries = rows.slice(0, page.limit);
  return { deliveries, nextBeforeId: rows.length > page.limit ? (deliveries.at(-1)?.id ?? null) : null };
}
