import type { Db } from "~/db.server";
import type { Actor } from "~/domain/identity/shared";
import { listDeliveries } from "./delivery-store";
import type { AlertDelivery } from "./shared";

export type AlertHistory = { deliveries: AlertDelivery[]; nextBeforeId: bigint | null };

/**
 * What an actor was told, newest first: only what was addressed to them. `beforeId` bounds by number: it need not be theirs, and
 * nothing of whoever it belongs to is shown. Reads only.
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
