import { randomBytes } from "node:crypto";
import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import type { WebhookNote } from "~/domain/guardrails/shared";
import type { LinePlace, SentLine, SupplierBatch } from "./shared";
import * as store from "./supplier-batch-store";

/** Maximum size of a supplier's batch. */
export type SupplierBatchRoom = { lines: number; bytes: number };

/** Lists the routes with lines that wait for a supplier's batch. */
export const unsentRoutes = (db: Db, batchId: string): Promise<number[]> => store.findUnsentRoutes(db, batchId);

/**
 * Creates a supplier's batch with the next lines of a route, each with a call id from `newCallId`. Places no holds and
 * sends no requests. Null: there are no such lines, or their batch starts no more.
 */
export async function openSupplierBatch(
  db: Db,
  to: Pick<SupplierBatch, "batchId" | "routeId" | "supplier" | "credential" | "priceVersion" | "priceMillionths">,
  { room, newCallId }: { room: SupplierBatchRoom; newCallId: () => string },
): Promise<{ supplierBatch: SupplierBatch; lines: SentLine[] } | null> {
  return inTransaction(db, async (tx) => {
    const { batchId, routeId } = to;
    // Concurrent senders of the same batch wait here.
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

/** Returns as many lines as fit together, and at least one. */
function fitting(lines: readonly LinePlace[], bytes: number): readonly LinePlace[] {
  let remaining = bytes;
  const end = lines.findIndex((line, index) => {
    remaining -= line.bytes;
    return remaining < 0 && index > 0;
  });
  return end === -1 ? lines : lines.slice(0, end);
}

/** Lists the open supplier batches of a batch, oldest first. */
export const openSupplierBatches = (db: Db, batchId: string): Promise<SupplierBatch[]> =>
  store.findSupplierBatches(db, batchId);

/** Lists the open lines of a supplier's batch. */
export const sentLines = (db: Db, id: string): Promise<SentLine[]> => store.findSentLines(db, id);

/** Stores the decisions of guardrail webhooks about a line until its answer arrives. */
export const recordWebhookResult = async (
  db: Db,
  batchId: string,
  of: { position: number; notes: readonly WebhookNote[] },
): Promise<void> => {
  await store.putWebhookNotes(db, batchId, of);
};

/** Processes lines of a supplier's batch as calls instead. Their holds must be released before. */
export const takeBackLines = async (db: Db, id: string, positions: readonly number[]): Promise<void> => {
  await store.putLinesBack(db, id, { positions, asCalls: true });
};

/**
 * Reverts a supplier's batch that the supplier certainly does not have: its lines wait for another one. Their holds
 * must be released before.
 */
export const undoSupplierBatch = (db: Db, id: string): Promise<void> =>
  inTransaction(db, async (tx) => {
    await store.putLinesBack(tx, id, { positions: null, asCalls: false });
    await store.deleteSupplierBatch(tx, id);
  });

/**
 * Marks a supplier's batch as refused: its lines, and all others of its route, are processed as calls. Their holds must
 * be released before.
 */
export const refuseSupplierBatch = (db: Db, { id, batchId, routeId }: SupplierBatch, reason: string): Promise<void> =>
  inTransaction(db, async (tx) => {
    await store.putLineCount(tx, id);
    await store.putLinesBack(tx, id, { positions: null, asCalls: true });
    await store.putRouteAway(tx, batchId, routeId);
    await store.putRefused(tx, id, reason);
  });

/** Processes the waiting lines of a route as calls, because no supplier accepts them in a batch. */
export const sendAsCalls = async (db: Db, batchId: string, routeId: number): Promise<void> => {
  await store.putRouteAway(db, batchId, routeId);
};

/**
 * Marks the batch as possibly existing at the supplier, before the request. False: its batch has been stopped, so no
 * request may be sent.
 */
export const beginCreating = async (db: Db, id: string): Promise<boolean> => (await store.putCreating(db, id)) > 0;

/** Stores the supplier's id of its batch. */
export const recordCreated = async (db: Db, id: string, upstreamId: string): Promise<void> => {
  await store.putRunning(db, id, upstreamId);
};

/** Schedules the next status request for a supplier's batch. */
export const scheduleNextPoll = async (db: Db, id: string, seconds: number): Promise<void> => {
  await store.putNotBefore(db, id, seconds);
};

/** Stores that the supplier has been asked to cancel the batch. */
export const recordCancelling = async (db: Db, id: string): Promise<void> => {
  await store.putCancelling(db, id);
};

/** Ends a supplier's batch: no further result is expected. */
export const endSupplierBatch = async (db: Db, id: string): Promise<void> => {
  await store.putEnded(db, id);
};
