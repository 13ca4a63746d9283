import type { Db } from "~/db.server";
import { type Actor, atLeast } from "~/domain/identity/shared";
import { sumOfBatches } from "~/domain/metering/index.server";
import { apiError } from "~/errors/app-error";
import { cancelBatch } from "./batches";
import { findVisible, listVisible, type VisibleRow } from "./portal-store";
import type { BatchState, BatchView } from "./shared";

/**
 * The batches that a person sees in the portal, the newest first, behind the one named. They are those that their keys see: a person's
 * own in their organisation. Its admins see those of unassigned keys, too, in the admin view, as they may rotate these keys.
 */
export async function listVisibleBatches(
  db: Db,
  actor: Actor,
  page: { after: string | null; limit: number; state: BatchState | null },
): Promise<{ batches: BatchView[]; hasMore: boolean }> {
  const rows = await listVisible(db, visibleTo(actor), { ...page, limit: page.limit + 1 });
  return { batches: await charged(db, actor, rows.slice(0, page.limit)), hasMore: rows.length > page.limit };
}

/** One of the batches that `listVisibleBatches` lists. @throws AppError not_found, the same for a foreign one and a missing one */
export async function readVisibleBatch(db: Db, actor: Actor, id: string): Promise<BatchView> {
  const row = await findVisible(db, visibleTo(actor), id);
  const [batch] = row === null ? [] : await charged(db, actor, [row]);
  if (batch === undefined) throw noSuchBatch();
  return batch;
}

/** Whether a batch is one that `listVisibleBatches` lists. */
export const isVisibleBatch = async (db: Db, actor: Actor, id: string): Promise<boolean> =>
  (await findVisible(db, visibleTo(actor), id)) !== null;

/**
 * Begins no more lines of a batch that a person sees; those under way are finished and charged. Safe to repeat.
 * @throws AppError not_found; conflict where it is over
 */
export async function cancelVisibleBatch(db: Db, actor: Actor, id: string): Promise<void> {
  const row = await findVisible(db, visibleTo(actor), id);
  const cancelled = row && (await cancelBatch(db, row, id));
  if (cancelled === null) throw noSuchBatch();
}

const visibleTo = ({ organisationId, userId, role, adminMode }: Actor) => ({
  ...{ organisationId, userId },
  unassigned: adminMode && atLeast(role, "org_admin"),
});

async function charged(db: Db, { organisationId }: Actor, rows: readonly VisibleRow[]): Promise<BatchView[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const sums = new Map((await sumOfBatches(db, organisationId, ids)).map((sum) => [sum.id, sum.chargedNanoUsd]));
  return rows.map((row) => ({ ...row, chargedNanoUsd: sums.get(row.id) ?? 0n }));
}

const noSuchBatch = () => apiError("not_found", { key: "rejections:noBatch" });
