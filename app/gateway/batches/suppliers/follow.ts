import { db } from "~/connection/db.server";
import { markForReview } from "~/domain/accounting/index.server";
import {
  endLine,
  endSupplierBatch,
  openSupplierBatches,
  recordCancelling,
  recordCreated,
  scheduleNextPoll,
  sentLines,
} from "~/domain/batches/index.server";
import type { Batch, SupplierBatch } from "~/domain/batches/shared";
import { log } from "~/observe/log.server";
import { SupplierFailure } from "../../canonical/supplier-failure";
import { customIdOf } from "../execute-line";
import { errorLine } from "../write-line";
import { collect } from "./collect";
import { callerOrStop } from "./send";
import { type BatchTarget, targetOf } from "./target";
import { undo } from "./undo";

const MAX_WAIT_SECONDS = 300;
const WAIT_FOR_CANCELLING_SECONDS = 5;
const WAIT_AFTER_FAILURE_SECONDS = 20;
/** Milliseconds after which a created batch is in the supplier's list. */
const SHOWN_AFTER_MS = 60_000;
/** Milliseconds after the batch's expiry that a supplier's result is waited for. */
const GIVE_UP_AFTER_MS = 86_400_000;

/** Polls the suppliers of a batch and reads results of ended supplier batches. Returns whether one advanced. */
export async function followSupplierBatches(batch: Batch, signal: AbortSignal): Promise<boolean> {
  let moved = false;
  for (const supplierBatch of await openSupplierBatches(db(), batch.id)) {
    signal.throwIfAborted();
    const isStopping = batch.state !== "in_progress" && supplierBatch.cancellingAt === null;
    if (!supplierBatch.isDue && !isStopping) continue;
    if (await followOne(batch, supplierBatch, signal)) moved = true;
  }
  return moved;
}

async function followOne(batch: Batch, supplierBatch: SupplierBatch, signal: AbortSignal): Promise<boolean> {
  // The process that prepared it has ended: this process does not prepare batches while it follows them.
  if (supplierBatch.state === "preparing") {
    await undo(supplierBatch);
    return true;
  }
  const target = targetOf(supplierBatch.routeId, supplierBatch.credential);
  try {
    if (target !== null && supplierBatch.state === "creating") return await lookUp(supplierBatch, target);
    if (target !== null) return await pollSupplier(batch, { supplierBatch, target, signal });
  } catch (error) {
    if (!(error instanceof SupplierFailure)) throw error;
    log.warn({ err: error, supplierBatch: supplierBatch.id }, "a supplier does not say how a batch stands");
  }
  if (Date.now() < batch.expiresAt.getTime() + GIVE_UP_AFTER_MS) {
    await scheduleNextPoll(db(), supplierBatch.id, WAIT_AFTER_FAILURE_SECONDS);
    return false;
  }
  await giveUp(batch, supplierBatch);
  return true;
}

/** Searches for a batch whose id at the supplier was not stored. The supplier may not have received it. */
async function lookUp(supplierBatch: SupplierBatch, { batches, place }: BatchTarget): Promise<boolean> {
  const { id, creatingAt } = supplierBatch;
  const since = creatingAt ?? new Date(0);
  const ids = new Set((await sentLines(db(), id)).map(({ callId }) => callId));
  const upstreamId = await batches.find(place, { marker: id, ids, since });
  if (upstreamId !== null) await recordCreated(db(), id, upstreamId);
  else if (Date.now() - since.getTime() > SHOWN_AFTER_MS) await undo(supplierBatch);
  else await scheduleNextPoll(db(), id, WAIT_FOR_CANCELLING_SECONDS);
  return upstreamId !== null;
}

async function pollSupplier(
  batch: Batch,
  { supplierBatch, target, signal }: { supplierBatch: SupplierBatch; target: BatchTarget; signal: AbortSignal },
): Promise<boolean> {
  const { id, upstreamId, ageSeconds } = supplierBatch;
  const { batches, place } = target;
  const isStopped = batch.state !== "in_progress" || (await callerOrStop(batch)) === null;
  if (isStopped && supplierBatch.cancellingAt === null) {
    await batches.cancel(place, upstreamId as string);
    await recordCancelling(db(), id);
  }
  const view = await batches.read(place, upstreamId as string);
  if (view.outcome !== null) {
    await collect(batch, { supplierBatch, target, view, signal });
    return true;
  }
  const wait = Math.min(Math.max(ageSeconds / 10, 2), isStopped ? WAIT_FOR_CANCELLING_SECONDS : MAX_WAIT_SECONDS);
  await scheduleNextPoll(db(), id, wait);
  return false;
}

const UNKNOWN = {
  code: "operation_in_progress",
  message: "Nobody knows whether the supplier has carried this out.",
};

/**
 * Gives a supplier's batch up, because its outcome cannot be determined any more. Its holds go to review, and its lines
 * get an error that says so.
 */
async function giveUp(batch: Batch, { id, supplier }: SupplierBatch): Promise<void> {
  log.error({ batch: batch.id, supplierBatch: id, supplier }, "a supplier never said what became of a batch");
  for (const line of await sentLines(db(), id)) {
    await markForReview(line.callId, "the supplier never said what became of its batch");
    const content = errorLine({ batchId: batch.id, line }, await customIdOf(batch, line), UNKNOWN);
    await endLine(db(), batch.id, { position: line.position, failed: true, content });
  }
  await endSupplierBatch(db(), id);
}
