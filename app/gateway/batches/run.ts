import { config } from "~/config.server";
import { db } from "~/connection/db.server";
import { openBatches, stopBatch } from "~/domain/batches/index.server";
import type { Batch, BatchOutcome } from "~/domain/batches/shared";
import { isDraining } from "~/http/server/drain";
import { log } from "~/observe/log.server";
import { EXPIRED } from "./expired";
import { finishBatch } from "./finish";
import { LineRunner } from "./line-runner";
import { followSupplierBatches } from "./suppliers/follow";
import { sendToSuppliers } from "./suppliers/send";
import { validateBatch } from "./validate";

/** Milliseconds that a run starts lines before it checks for new files and ended batches. */
const ROUND_MS = 10_000;

const runner = new LineRunner();

/**
 * Job that advances every batch: validates files, executes lines for some seconds, and ends finished batches. It may be
 * interrupted at any point. Each line has its own Idempotency-Key, so the next run continues without paying a line
 * twice. An error in one batch does not stop the others. Returns the number of lines and batches that advanced.
 */
export async function runBatches(signal: AbortSignal): Promise<number> {
  let handled = 0;
  const batches = await openBatches(db());
  runner.retainOnly(batches);
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
    advanceSupplierBatches(await openBatches(db()), { signal, isOver }),
  ]);
  handled += called + moved;
  for (const batch of await openBatches(db())) {
    if (signal.aborted || isDraining()) break;
    if (await safely(batch, () => bringToEnd(batch, signal))) handled += 1;
  }
  return handled;
}

/** Polls the batches at suppliers and sends lines to suppliers. */
async function advanceSupplierBatches(
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

/** Returns the batches whose lines may start. */
const running = async (): Promise<Batch[]> => (await openBatches(db())).filter(({ state }) => state === "in_progress");

async function bringToEnd(batch: Batch, signal: AbortSignal): Promise<boolean> {
  if (batch.state === "finalizing" || batch.state === "cancelling") return finishBatch(batch, signal);
  const end = endOf(batch);
  if (end === null || !(await stopBatch(db(), batch.id, end))) return false;
  return finishBatch({ ...batch, state: "finalizing", ...end }, signal);
}

/** Returns the outcome of a batch that has to end now; else null. */
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

/** Runs a step of a batch and logs its errors. Returns whether something was done. */
async function safely(batch: Batch, work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work();
  } catch (error) {
    log.warn({ err: error, batch: batch.id }, "a batch could not be brought on; it will be tried again");
    return false;
  }
}
