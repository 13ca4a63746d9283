import type { Db } from "~/connection/db.server";
import { type Actor, atLeast } from "~/domain/accounts/shared";
import { sumOfBatches } from "~/domain/request-log/index.server";
import { apiError } from "~/errors/app-error";
import { cancelBatch } from "./batches";
import { findVisible, listVisible, type VisibleRow } from "./portal-store";
import type { BatchState, BatchView } from "./shared";

/**
 * Lists the batches that a person sees in the portal, newest first, after the named one: the same as those of their
 * keys in their organisation. In the admin view, its admins also see those of unassigned keys, because they may rotate
 * these keys.
 */
export async function listVisibleBatches(
  db: Db,
  actor: Actor,
  page: { after: string | null; limit: number; state: BatchState | null },
): Promise<{ batches: BatchView[]; hasMore: boolean }> {
  const rows = await listVisible(db, visibleTo(actor), { ...page, limit: page.limit + 1 });
  return { batches: await charged(db, actor, rows.slice(0, page.limit)), hasMore: rows.length > page.limit };
}

/**
 * Returns one of the batches that `listVisibleBatches` lists.
 * @throws AppError not_found, also for a batch of another owner
 */
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
 * Cancels a batch that a person sees: starts no more lines; those in progress finish and are charged. Safe to repeat.
 * @throws AppError not_found; conflict if it has ended
 */
export async function cancelVisibleBatch(db: Db, actor: Actor, id: string): Promise<void> {
  const row = await findVisible(db, visibleTo(actor), id);
  const cancelled = row && (await cancelBatch(db, row, id));
  if (cancelled === null) throw noSuchBatch();
}

const visibleTo = ({ organisationId, userId, role, adminMode }: Actor) => ({
  organisationId,
  userId,
  unassigned: adminMode && atLeast(role, "org_admin"),
});

async function charged(db: Db, { organisationId }: Actor, rows: readonly VisibleRow[]): Promise<BatchView[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const sums = new Map((await sumOfBatches(db, organisationId, ids)).map((sum) => [sum.id, sum.chargedNanoUsd]));
  return rows.map((row) => ({ ...row, chargedNanoUsd: sums.get(row.id) ?? 0n }));
}

const noSuchBatch = () => apiError("not_found", { key: "rejections:noBatch" });
