import { config } from "~/config.server";
import { inTransaction } from "~/connection/bus.server";
import { db } from "~/connection/db.server";
import {
  clearBegun,
  endBatch,
  endedLines,
  endLine,
  openLines,
  openSupplierBatches,
} from "~/domain/batches/index.server";
import type { Batch, BatchLine } from "~/domain/batches/shared";
import { finishFile, writeFile } from "~/domain/files/index.server";
import { callerOfKey } from "~/domain/keys/index.server";
import type { Caller } from "~/domain/keys/shared";
import { AppError } from "~/errors/app-error";
import { customIdOf, executeLine } from "./execute-line";
import { EXPIRED } from "./expired";
import { endOf } from "./line-runner";
import { errorLine } from "./write-line";

const LINES_AT_ONCE = 100;

/**
 * Ends a batch that starts no more lines and writes its files. First looks up the answers that earlier processes
 * received but did not store; calls nothing new. May be repeated: files are invisible until the batch refers to them.
 * Returns false if a line is still running, here or at a supplier.
 */
export async function finishBatch(batch: Batch, signal: AbortSignal): Promise<boolean> {
  if ((await openSupplierBatches(db(), batch.id)).length > 0) return false;
  if (!(await checkPreparing(batch, signal))) return false;
  await endUncalled(batch, signal);
  const output = await written(batch, { failed: false, signal });
  const error = await written(batch, { failed: true, signal });
  return inTransaction(db(), async (tx) => {
    for (const file of [output, error]) if (file !== null) await finishFile(tx, file);
    return endBatch(tx, batch.id, { outputFileId: output?.id ?? null, errorFileId: error?.id ?? null });
  });
}

/** Looks up the answers of lines that may have been called. Returns false if one of them is still running. */
async function checkPreparing(batch: Batch, signal: AbortSignal): Promise<boolean> {
  let caller: Caller | null = null;
  for (let after = -1; ; ) {
    const lines = await openLines(db(), batch.id, { after, limit: LINES_AT_ONCE, begun: true });
    for (const line of lines) {
      signal.throwIfAborted();
      after = line.position;
      caller ??= await callerOfKey(db(), batch).catch(nullIfMissing);
      // Without its key nothing can be looked up, and nothing more is charged.
      if (caller === null) return true;
      const answer = await executeLine(batch, line, { caller, mayCall: false });
      if (answer.isUncalled) await clearBegun(db(), batch.id, line.position);
      else if (answer.code === "operation_in_progress" && !answer.isUnknown) return false;
      else await endLine(db(), batch.id, endOf(batch, line, answer));
    }
    if (lines.length < LINES_AT_ONCE) return true;
  }
}

function nullIfMissing(error: unknown): null {
  if (error instanceof AppError && !error.mayRetry) return null;
  throw error;
}

/** Ends the remaining lines with an error. Those of a cancelled batch get none: its owner knows the reason. */
async function endUncalled(batch: Batch, signal: AbortSignal): Promise<void> {
  const { outcome, errors } = batch;
  if (outcome === "cancelled" || outcome === "completed") return;
  const [reason] = errors ?? [];
  const error =
    outcome === "expired" || reason === undefined ? EXPIRED : { code: reason.code, message: reason.message };
  const end = async (line: BatchLine) => {
    const content = errorLine({ batchId: batch.id, line }, await customIdOf(batch, line), error);
    await endLine(db(), batch.id, { position: line.position, failed: true, content });
  };
  for (let after = -1; ; ) {
    const lines = await openLines(db(), batch.id, { after, limit: LINES_AT_ONCE, begun: false });
    for (const line of lines) {
      signal.throwIfAborted();
      await end(line);
      after = line.position;
    }
    if (lines.length < LINES_AT_ONCE) return;
  }
}

/** Writes the file of the lines with this outcome; null if there are none. */
async function written(batch: Batch, { failed, signal }: { failed: boolean; signal: AbortSignal }) {
  const lines = endedLines(db(), batch.id, failed);
  const first = await lines.next();
  if (first.done) return null;
  async function* content() {
    yield Buffer.from(`${first.value as string}\n`);
    for await (const line of lines) {
      signal.throwIfAborted();
      yield Buffer.from(`${line}\n`);
    }
  }
  return writeFile(db(), batch, {
    purpose: "batch_output",
    filename: `${batch.id}_${failed ? "error" : "output"}.jsonl`,
    seconds: batch.outputSeconds ?? config().files.days * 86_400,
    content: content(),
  });
}
