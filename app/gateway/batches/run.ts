import { config } from "~/config.server";
import { db } from "~/db.server";
import { openBatches, stopBatch } from "~/domain/batches/index.server";
import type { Batch, BatchOutcome } from "~/domain/batches/shared";
import { isDraining } from "~/http/drain";
import { log } from "~/log.server";
import { EXPIRED } from "./expired";
import { finishBatch } from "./finish";
import { LineRunner } from "./line-runner";
import { followSupplierBatches } from "./suppliers/follow";
import { sendToSuppliers } from "./suppliers/send";
import { validateBatch } from "./validate";

/** So long lines are begun before batches are looked at again: for files to be checked, and ends to be written. */
const ROUND_MS = 10_000;

const runner = new LineRunner();

/**
 * Brings every batch on: checks files, carries out lines for some seconds, writes what has ended. A job. It may be cut off anywhere:
 * each line is carried out under a key of its own, so that the next run goes on where this one was, and no line is paid twice.
 * Returns how many lines and batches it handled. One batch's problem stops no other.
 */
export async function runBatches(signal: AbortSignal): Promise<number> {
  let handled = 0;
  const batches = await openBatches(db());
  runner.keepOnly(batches);
  if (batches.length === 0) return 0;
  for (const batch of batches) {
    if (signal.aborted || isDraining()) break;
    if (batch.state !== "validating") continue;
    if (await safely(batch, () => validateBatch(batch, signal).then(() => true))) handled += 1;
  }
  const until = performance.now() + ROUND_MS;
  const isOver = () => signal.aborted || isDraining() || performance.now() > until;
  const [called, moved] = await Promise.all([
    runner.run(await running(), { isOver, concurrency: config().batches.concurrency }),
    bringSupplierBatchesOn(await openBatches(db()), { signal, isOver }),
  ]);
  handled += called + moved;
  for (const batch of await openBatches(db())) {
    if (signal.aborted || isDraining()) break;
    if (await safely(batch, () => bringToEnd(batch, signal))) handled += 1;
  }
  return handled;
}

/** Follows what suppliers have of batches, and sends them what they are to have. */
async function bringSupplierBatchesOn(
  batches: readonly Batch[],
  round: { signal: AbortSignal; isOver(): boolean },
): Promise<number> {
  let moved = 0;
  for (const batch of batches) {
    if (round.signal.aborted || isDraining()) break;
    if (batch.state === "validating") continue;
    if (await safely(batch, () => followSupplierBatches(batch, round.signal))) moved += 1;
    if (batch.state !== "in_progress" || round.isOver()) continue;
    if (await safely(batch, () => sendToSuppliers(batch, round))) moved += 1;
  }
  return moved;
}

/** Batches whose lines may be begun. */
const running = async (): Promise<Batch[]> => (await openBatches(db())).filter(({ state }) => state === "in_progress");

async function bringToEnd(batch: Batch, signal: AbortSignal): Promise<boolean> {
  if (batch.state === "finalizing" || batch.state === "cancelling") return finishBatch(batch, signal);
  const end = endOf(batch);
  if (end === null || !(await stopBatch(db(), batch.id, end))) return false;
  return finishBatch({ ...batch, state: "finalizing", ...end }, signal);
}

/** What a batch ends in, if it is time for that. */
function endOf({
  state,
  total,
  completed,
  failed,
  expiresAt,
}: Batch): (Pick<Batch, "errors"> & { outcome: BatchOutcome }) | null {
  if (state === "in_progress" && completed + failed === total) return { outcome: "completed", errors: null };
  if (expiresAt.getTime() > Date.now()) return null;
  return { outcome: "expired", errors: state === "validating" ? [{ ...EXPIRED, param: null, line: null }] : null };
}

/** Whether there was something to do, and it was done. */
async function safely(batch: Batch, work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work();
  } catch (problem) {
    log.warn({ err: problem, batch: batch.id }, "a batch could not be brought on; it will be tried again");
    return false;
  }
}
