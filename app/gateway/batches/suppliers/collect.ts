import { db } from "~/connection/db.server";
import { findHeldCalls, freeHolds } from "~/domain/accounting/index.server";
import type { HeldCall } from "~/domain/accounting/shared";
import { endLine, endSupplierBatch, sentLines } from "~/domain/batches/index.server";
import type { Batch, SentLine, SupplierBatch } from "~/domain/batches/shared";
import { readPriceList } from "~/domain/catalogue/index.server";
import { formerCallerOfKey } from "~/domain/keys/index.server";
import type { Caller } from "~/domain/keys/shared";
import { atBatchPrice } from "~/domain/pricing/index.server";
import type { PricedRoute } from "~/domain/routing/index.server";
import { log } from "~/observe/log.server";
import type { SupplierBatchResult, SupplierBatchView } from "../../canonical/exchange";
import { SupplierFailure } from "../../canonical/supplier-failure";
import { type DeferredAnswer, finishDeferred } from "../../deferred/finish";
import { DIALECT_OF } from "../dialect-of";
import { answerOf, customIdOf, textOf } from "../execute-line";
import { EXPIRED } from "../expired";
import { endOf } from "../line-runner";
import { readBatchLine } from "../read-line";
import { splitLines } from "../split-lines";
import { errorLine } from "../write-line";
import type { BatchTarget } from "./target";

/** Maximum size of a result, the same as for a call. */
const MAX_RESULT_BYTES = 32 * 1024 * 1024;
const FINISHED_AT_ONCE = 16;
const CANCELLED = { code: "batch_cancelled", message: "This request was not executed: the batch was cancelled." };

type Collected = { supplierBatch: SupplierBatch; target: BatchTarget; view: SupplierBatchView; signal: AbortSignal };
/** Common data of all lines of a supplier's batch, and the lines without a result. */
type Work = {
  batch: Batch;
  supplierBatch: SupplierBatch;
  caller: Caller;
  route: PricedRoute;
  open: Map<string, SentLine>;
};

/**
 * Reads the results of a supplier's batch that has ended. Each answer is settled and stored once, in any order and even
 * if it is delivered repeatedly. Lines without an answer are not charged. May be repeated after an interruption at any
 * point.
 */
export async function collect(batch: Batch, { supplierBatch, target, view, signal }: Collected): Promise<void> {
  const work = await workOf(batch, supplierBatch, target);
  for (const file of view.files) await readResults(work, target, { file, signal });
  await endUnanswered(work, view);
  await endSupplierBatch(db(), supplierBatch.id);
  await forget(target, view);
}

async function workOf(batch: Batch, supplierBatch: SupplierBatch, { route }: BatchTarget): Promise<Work> {
  const caller = await formerCallerOfKey(db(), batch);
  const list = await readPriceList(db(), BigInt(supplierBatch.priceVersion));
  if (caller === null || list === null) throw new Error("the key or the price of a batch is gone");
  const open = new Map((await sentLines(db(), supplierBatch.id)).map((line) => [line.callId, line]));
  const price = atBatchPrice(list, supplierBatch.priceMillionths);
  return { batch, supplierBatch, caller, route: { ...route, price }, open };
}

async function readResults(
  work: Work,
  { batches, place }: BatchTarget,
  { file, signal }: { file: string; signal: AbortSignal },
): Promise<void> {
  let some: SupplierBatchResult[] = [];
  let unread = 0;
  for await (const { text } of splitLines(batches.results(place, file), MAX_RESULT_BYTES)) {
    signal.throwIfAborted();
    const result = text === null ? null : batches.readResult(text);
    if (result === null) {
      unread += 1;
      continue;
    }
    some.push(result);
    if (some.length < FINISHED_AT_ONCE) continue;
    await takeResults(work, some);
    some = [];
  }
  await takeResults(work, some);
  if (unread > 0) log.warn({ supplierBatch: work.supplierBatch.id, file, unread }, "results of a batch cannot be read");
}

/** Stores the first result of each line; ignores unknown ids and repeated results. */
async function takeResults(work: Work, results: readonly SupplierBatchResult[]): Promise<void> {
  const own: { line: SentLine; result: SupplierBatchResult }[] = [];
  for (const result of results) {
    const line = work.open.get(result.id);
    // A result without an answer may be followed by one with it.
    if (line === undefined || result.answer === null) continue;
    work.open.delete(result.id);
    own.push({ line, result });
  }
  const heldCalls = await heldBy(own.map(({ line }) => line));
  await Promise.all(
    own.map(({ line, result }) => finishLine(work, { line, held: heldCalls, answer: result.answer as DeferredAnswer })),
  );
  for (const { id, answer, problem } of results) {
    const line = work.open.get(id);
    if (line === undefined || answer !== null || problem === null) continue;
    work.open.delete(id);
    // After a stop the batch itself provides the error of its lines.
    if (isUnworked(problem.code) && work.batch.state !== "in_progress") await freeAll([line]);
    else await endWithout(work, [line], problem.code === EXPIRED.code ? EXPIRED : problem);
  }
}

/** Whether the batch ended before the supplier executed the line. */
const isUnworked = (code: string): boolean => code === EXPIRED.code || code === CANCELLED.code;

const heldBy = async (lines: readonly SentLine[]): Promise<ReadonlyMap<string, HeldCall>> =>
  new Map(
    (
      await findHeldCalls(
        db(),
        lines.map(({ callId }) => callId),
      )
    ).map((call) => [call.callId, call]),
  );

async function finishLine(
  { batch, supplierBatch, caller, route }: Work,
  { line, held, answer }: { line: SentLine; held: ReadonlyMap<string, HeldCall>; answer: DeferredAnswer },
): Promise<void> {
  const call = held.get(line.callId);
  if (call === undefined) throw new Error("a line that was sent has no hold");
  const { callId, state: _state, amountNanoUsd: _amount, admittedAt: startedAt, ...parties } = call;
  const { customId, body } = await readBatchLine(await textOf(batch, line));
  const { id, priceMillionths } = supplierBatch;
  const deferred = { callId, startedAt, batch: { id, priceMillionths }, batchId: batch.id };
  const request = { caller, dialect: DIALECT_OF[batch.endpoint], body, deferred };
  const response = await finishDeferred(request, { parties, route, webhookNotes: line.webhookNotes }, answer);
  const result = { customId, isUncalled: false, ...(await answerOf(response)) };
  await endLine(db(), batch.id, endOf(batch, line, result));
}

/** Ends the lines without a result: they are not charged and get an error. */
async function endUnanswered(work: Work, { outcome, problem }: SupplierBatchView): Promise<void> {
  const { batch, open } = work;
  const lines = [...open.values()];
  if (lines.length === 0) return;
  const isStopped = batch.state !== "in_progress";
  if (outcome === "completed") await endMissing(work, lines);
  else if (isStopped) await freeAll(lines);
  else if (outcome === "expired") await endWithout(work, lines, EXPIRED);
  else if (outcome === "cancelled") await endWithout(work, lines, CANCELLED);
  else await endWithout(work, lines, problem ?? FAILED);
}

const FAILED = { code: "upstream_error", message: "The supplier could not carry out the batch." };

/**
 * Settles lines without a result in a completed batch. The supplier may have executed them and lost the answer; nothing
 * was delivered and no usage reported.
 */
async function endMissing(work: Work, lines: readonly SentLine[]): Promise<void> {
  for (let at = 0; at < lines.length; at += FINISHED_AT_ONCE) {
    const some = lines.slice(at, at + FINISHED_AT_ONCE);
    const heldCalls = await heldBy(some);
    const answer = () =>
      new SupplierFailure("protocol", "the supplier's batch has no answer to this", { executed: "yes" });
    await Promise.all(some.map((line) => finishLine(work, { line, held: heldCalls, answer: answer() })));
  }
}

async function endWithout(
  { batch }: Work,
  lines: readonly SentLine[],
  error: { code: string; message: string },
): Promise<void> {
  await freeAll(lines);
  for (const line of lines) {
    const content = errorLine({ batchId: batch.id, line }, await customIdOf(batch, line), error);
    await endLine(db(), batch.id, { position: line.position, failed: true, content });
  }
}

async function freeAll(lines: readonly SentLine[]): Promise<void> {
  await freeHolds(
    lines.map(({ callId }) => callId),
    "not executed in its batch",
  );
}

/** Deletes the files at the supplier, so that clients' requests and answers do not stay there longer than needed. */
async function forget({ batches, place }: BatchTarget, { keeps }: SupplierBatchView): Promise<void> {
  for (const file of keeps)
    await batches.forget(place, file).catch((error) => {
      log.warn(
        { err: error, supplier: place.supplier.name, file },
        "a batch's file could not be deleted at its supplier",
      );
    });
}
