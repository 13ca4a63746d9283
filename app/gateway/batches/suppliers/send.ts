import { db } from "~/connection/db.server";
import { freeHolds, keepHolds } from "~/domain/accounting/index.server";
import {
  beginCreating,
  endLine,
  openSupplierBatch,
  recordCreated,
  recordWebhookResult,
  scheduleNextPoll,
  sendAsCalls,
  stopBatch,
  takeBackLines,
  unsentRoutes,
} from "~/domain/batches/index.server";
import type { Batch, SentLine, SupplierBatch } from "~/domain/batches/shared";
import { callerOfKey } from "~/domain/keys/index.server";
import type { Caller } from "~/domain/keys/shared";
import { AppError } from "~/errors/app-error";
import { log } from "~/observe/log.server";
import { newCallId } from "~/values/call-id";
import type { WireName } from "../../canonical/exchange";
import { SupplierFailure } from "../../canonical/supplier-failure";
import { prepareDeferred } from "../../deferred/prepare";
import { nextStep } from "../after-call";
import { DIALECT_OF } from "../dialect-of";
import { answerOf, textOf } from "../execute-line";
import { endOf } from "../line-runner";
import { readBatchLine } from "../read-line";
import { errorOf } from "../validate";
import { Pauses } from "./pauses";
import { type BatchTarget, targetOf } from "./target";
import { sendAsCallsInstead, undo } from "./undo";

/** Maximum part of a batch sent to a supplier at once; it is in memory during the transfer. */
const ROOM = { lines: 10_000, bytes: 16 * 1024 * 1024 };
const PREPARED_AT_ONCE = 16;
/**
 * Seconds that holds outlive the batch's expiry: a supplier has a day from when it gets a batch, and some time to
 * finish it.
 */
const HELD_BEHIND_SECONDS = 2 * 86_400;
/** Milliseconds to wait for an unreachable supplier; then its lines are executed as calls. */
const PATIENCE_MS = 3_600_000;

const pauses = new Pauses();
type Round = { signal: AbortSignal; isOver(): boolean };

/**
 * Sends the lines of a batch to their suppliers, each with its hold. Returns whether something was sent. If the process
 * crashes in between, nothing is paid twice: the next process searches the supplier for the batch before it sends
 * anything again. See docs/decisions/045.
 */
export async function sendToSuppliers(batch: Batch, { signal, isOver }: Round): Promise<boolean> {
  let sent = false;
  for (const routeId of await unsentRoutes(db(), batch.id)) {
    while (!isOver() && !signal.aborted && pauses.isOpen(batch.id, routeId)) {
      const target = targetOf(routeId);
      if (target === null) {
        await sendAsCalls(db(), batch.id, routeId);
        break;
      }
      const caller = await callerOrStop(batch);
      if (caller === null) return sent;
      if (!(await sendSome(batch, { target, caller, signal }))) break;
      sent = true;
    }
  }
  return sent;
}

/** Returns the batch's caller. If the key may not make calls any more, stops the batch and returns null. */
export async function callerOrStop(batch: Batch): Promise<Caller | null> {
  try {
    return await callerOfKey(db(), batch);
  } catch (error) {
    if (!(error instanceof AppError) || error.mayRetry) throw error;
    await stopBatch(db(), batch.id, { outcome: "failed", errors: [errorOf(error, null)] });
    return null;
  }
}

/** Sends some lines. Returns whether there may be more for the same route. */
async function sendSome(batch: Batch, by: PreparedBy): Promise<boolean> {
  const { target } = by;
  const { route, offer, place } = target;
  const opened = await openSupplierBatch(
    db(),
    {
      batchId: batch.id,
      routeId: route.routeId,
      supplier: place.supplier.name,
      credential: place.credential?.name ?? null,
      priceVersion: route.price.version,
      priceMillionths: offer.priceMillionths,
    },
    { room: ROOM, newCallId },
  );
  if (opened === null) return false;
  const { supplierBatch } = opened;
  try {
    await target.batches.probe(place);
    const prepared = await prepareAll(batch, opened, by);
    if (prepared === null) {
      await undo(supplierBatch);
      return true;
    }
    await holdLong(batch, prepared.callIds);
    if (!(await beginCreating(db(), supplierBatch.id))) {
      await undo(supplierBatch);
      return false;
    }
    return await create(supplierBatch, target, prepared);
  } catch (error) {
    return notSent(batch, supplierBatch, error);
  }
}

type PreparedBy = { target: BatchTarget; caller: Caller; signal: AbortSignal };
type Ready = { dialect: WireName; lines: string[]; callIds: string[] };

async function create(
  supplierBatch: SupplierBatch,
  { batches, place }: BatchTarget,
  { dialect, lines }: Ready,
): Promise<boolean> {
  const { id } = supplierBatch;
  try {
    await recordCreated(db(), id, await batches.create(place, { marker: id, dialect, lines }));
    await scheduleNextPoll(db(), id, 2);
  } catch (error) {
    if (error instanceof SupplierFailure && error.executed === "no") throw error;
    // It is unknown whether the supplier has the batch; `followSupplierBatches` searches for it.
    log.warn({ err: error, supplierBatch: id }, "a supplier did not say whether it has a batch");
    await scheduleNextPoll(db(), id, 5).catch(() => undefined);
  }
  return true;
}

/** Handles lines that were certainly not sent: they wait, or are executed as calls. Always returns false. */
async function notSent(batch: Batch, supplierBatch: SupplierBatch, error: unknown): Promise<false> {
  const { routeId, supplier } = supplierBatch;
  const isWaiting = batch.begunAt === null || Date.now() - batch.begunAt.getTime() < PATIENCE_MS;
  if (error instanceof SupplierFailure && (!isPassing(error) || !isWaiting)) {
    log.warn(
      { err: error, batch: batch.id, supplier },
      "a supplier takes no batch: its lines are carried out as calls",
    );
    const status = error.status === null ? "it could not be reached" : `it answered ${error.status}`;
    await sendAsCallsInstead(supplierBatch, `The supplier took no batch: ${status}. Its lines are ordinary calls.`);
    return false;
  }
  log.warn(
    { err: error, batch: batch.id, supplier },
    "a batch could not be sent to its supplier; it will be tried again",
  );
  const seconds = error instanceof SupplierFailure ? error.retryAfterSeconds : null;
  pauses.add(batch.id, routeId, seconds);
  await undo(supplierBatch);
  return false;
}

/** Whether the supplier may accept a batch later. */
const isPassing = ({ status }: SupplierFailure): boolean =>
  status === null || PASSING.has(status) || (status >= 500 && status !== 501);

const PASSING = new Set([401, 402, 408, 409, 425, 429]);

async function holdLong(batch: Batch, callIds: readonly string[]): Promise<void> {
  const seconds = (batch.expiresAt.getTime() - Date.now()) / 1_000 + HELD_BEHIND_SECONDS;
  if ((await keepHolds(callIds, seconds)) < callIds.length) throw new Error("a hold is gone before its line was sent");
}

/**
 * Prepares the lines and returns those that can be sent, each with a hold; null if there are none. Refused lines end;
 * the others become calls.
 */
async function prepareAll(
  batch: Batch,
  { supplierBatch, lines }: { supplierBatch: SupplierBatch; lines: readonly SentLine[] },
  by: PreparedBy,
): Promise<Ready | null> {
  const ready: Ready = { dialect: "chat", lines: [], callIds: [] };
  const elsewhere: number[] = [];
  for (let at = 0; at < lines.length; at += PREPARED_AT_ONCE) {
    by.signal.throwIfAborted();
    const some = lines.slice(at, at + PREPARED_AT_ONCE);
    // Wait for all of them, so that none is running when the batch is undone.
    const results = await Promise.allSettled(some.map((line) => prepareLine(batch, supplierBatch, { ...by, line })));
    for (const [index, result] of results.entries()) {
      if (result.status === "rejected") throw result.reason;
      const { callId, position } = some[index]!;
      if (result.value === "elsewhere") elsewhere.push(position);
      if (result.value === "elsewhere" || result.value === "ended") continue;
      ready.dialect = result.value.dialect;
      ready.lines.push(result.value.text);
      ready.callIds.push(callId);
    }
  }
  if (elsewhere.length > 0) await takeBackLines(db(), supplierBatch.id, elsewhere);
  return ready.lines.length === 0 ? null : ready;
}

async function prepareLine(
  batch: Batch,
  { id, routeId, priceVersion, priceMillionths }: SupplierBatch,
  { line, target, caller }: PreparedBy & { line: SentLine },
): Promise<{ dialect: WireName; text: string } | "elsewhere" | "ended"> {
  const { customId, body } = await readBatchLine(await textOf(batch, line));
  const { callId } = line;
  const deferred = { callId, startedAt: new Date(), batch: { id, priceMillionths }, batchId: batch.id };
  const dialect = DIALECT_OF[batch.endpoint];
  const prepared = await prepareDeferred({ caller, dialect, body, deferred }, { routeId, priceVersion });
  if (prepared.kind === "elsewhere") return "elsewhere";
  if (prepared.kind === "ready") {
    const { webhookNotes: notes } = prepared;
    if (notes.length > 0) await recordWebhookResult(db(), batch.id, { position: line.position, notes });
    return { dialect: prepared.dialect, text: target.batches.line(callId, prepared.dialect, prepared.body) };
  }
  const answer = { customId, isUncalled: true, ...(await answerOf(prepared.response)) };
  if (nextStep(answer, Number.POSITIVE_INFINITY).kind === "pause")
    throw new Error(`lines cannot be held now: ${answer.code}`);
  await freeHolds([callId], "refused");
  await endLine(db(), batch.id, endOf(batch, line, answer));
  return "ended";
}
