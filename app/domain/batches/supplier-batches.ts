import { randomBytes } from "node:crypto";
import { inTransaction } from "~/bus.server";
import type { Db } from "~/db.server";
import type { WebhookNote } from "~/domain/guardrails/shared";
import type { LinePlace, SentLine, SupplierBatch } from "./shared";
import * as store from "./supplier-batch-store";

/** What a supplier's batch may have at most. */
export type SupplierBatchRoom = { lines: number; bytes: number };

/** The routes whose suppliers are to take lines of a batch as batches of their own, and have not got them. */
export const unsentRoutes = (db: Db, batchId: string): Promise<number[]> => store.findUnsentRoutes(db, batchId);

/**
 * Begins a supplier's batch with the next lines for a route, each with a call of its own from `newCallId`. Nothing is held and nobody is
 * asked by it. Null: there are no such lines, or their batch begins no more.
 */
export async function openSupplierBatch(
  db: Db,
  to: Pick<SupplierBatch, "batchId" | "routeId" | "supplier" | "credential" | "priceVersion" | "priceMillionths">,
  { room, newCallId }: { room: SupplierBatchRoom; newCallId: () => string },
): Promise<{ supplierBatch: SupplierBatch; lines: SentLine[] } | null> {
  return inTransaction(db, async (tx) => {
    const { batchId, routeId } = to;
    // Whoever sends lines of the same batch at this moment waits here.
    if (!(await store.lockBegun(tx, batchId))) return null;
    const next = fitting(await store.findUnsentLines(tx, batchId, { routeId, limit: room.lines }), room.bytes);
    if (next.length === 0) return null;
    const id = `sbatch_${randomBytes(16).toString("hex")}`;
    const supplierBatch = await store.insertSupplierBatch(tx, { ...to, id, lines: next.length });
    const lines = next.map((line) => ({ ...line, tries: 0, begun: false, callId: newCallId(), webhookNotes: null }));
    await store.putLinesSent(tx, supplierBatch, lines);
    return { supplierBatch, lines };
  });
}

/** As many of the lines as have room together, and one in any case. */
function fitting(lines: readonly LinePlace[], bytes: number): readonly LinePlace[] {
  let left = bytes;
  const end = lines.findIndex((line, index) => {
    left -= line.bytes;
    return left < 0 && index > 0;
  });
  return end === -1 ? lines : lines.slice(0, end);
}

/** What suppliers have of a batch and have not ended, the oldest first. */
export const openSupplierBatches = (db: Db, batchId: string): Promise<SupplierBatch[]> =>
  store.findSupplierBatches(db, batchId);

/** The lines of a supplier's batch that have not ended. */
export const sentLines = (db: Db, id: string): Promise<SentLine[]> => store.findSentLines(db, id);

/** Keeps what guardrail webhooks decided about a line until there is an answer to it. */
export const noteWebhooks = async (
  db: Db,
  batchId: string,
  of: { position: number; notes: readonly WebhookNote[] },
): Promise<void> => {
  await store.putWebhookNotes(db, batchId, of);
};

/** Carries lines of a supplier's batch out as calls instead. Their holds have to be free. */
export const takeBackLines = async (db: Db, id: string, positions: readonly number[]): Promise<void> => {
  await store.putLinesBack(db, id, { positions, asCalls: true });
};

/** Undoes a supplier's batch that the supplier certainly has not got: its lines wait for another one. Their holds have to be free. */
export const undoSupplierBatch = (db: Db, id: string): Promise<void> =>
  inTransaction(db, async (tx) => {
    await store.putLinesBack(tx, id, { positions: null, asCalls: false });
    await store.deleteSupplierBatch(tx, id);
  });

/** A supplier takes no batch of these lines: they, and all others for its route, are carried out as calls. Their holds have to be free. */
export const refuseSupplierBatch = (db: Db, { id, batchId, routeId }: SupplierBatch, reason: string): Promise<void> =>
  inTransaction(db, async (tx) => {
    await store.putLineCount(tx, id);
    await store.putLinesBack(tx, id, { positions: null, asCalls: true });
    await store.putRouteAway(tx, batchId, routeId);
    await store.putRefused(tx, id, reason);
  });

/** Lines for a route are carried out as calls: nobody takes them in a batch any more. */
export const sendAsCalls = async (db: Db, batchId: string, routeId: number): Promise<void> => {
  await store.putRouteAway(db, batchId, routeId);
};

/** Notes, before it asks, that the supplier may have the batch from now on. False: its batch has been stopped, and it must not. */
export const beginCreating = async (db: Db, id: string): Promise<boolean> => (await store.putCreating(db, id)) > 0;

/** Notes what the supplier calls its batch. */
export const noteCreated = async (db: Db, id: string, upstreamId: string): Promise<void> => {
  await store.putRunning(db, id, upstreamId);
};

/** Asks about a supplier's batch again later. */
export const askLater = async (db: Db, id: string, seconds: number): Promise<void> => {
  await store.putNotBefore(db, id, seconds);
};

/** Notes that the supplier has been asked to begin no more of its work. */
export const noteCancelling = async (db: Db, id: string): Promise<void> => {
  await store.putCancelling(db, id);
};

/** Nothing is expected of a supplier's batch any more. */
export const endSupplierBatch = async (db: Db, id: string): Promise<void> => {
  await store.putEnded(db, id);
};
