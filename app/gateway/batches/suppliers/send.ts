import { newCallId } from "~/call-id";
import { db } from "~/db.server";
import { freeHolds, keepHolds } from "~/domain/accounting/index.server";
import {
  askLater,
  beginCreating,
  endLine,
  noteCreated,
  noteWebhooks,
  openSupplierBatch,
  sendAsCalls,
  stopBatch,
  takeBackLines,
  unsentRoutes,
} from "~/domain/batches/index.server";
import type { Batch, SentLine, SupplierBatch } from "~/domain/batches/shared";
import { callerOfKey } from "~/domain/keys/index.server";
import type { Caller } from "~/domain/keys/shared";
import { AppError } from "~/errors/app-error";
import { log } from "~/log.server";
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

/** So much of a batch goes to a supplier at once: it is in memory while it is sent. */
const ROOM = { lines: 10_000, bytes: 16 * 1024 * 1024 };
const PREPARED_AT_ONCE = 16;
/** A supplier has a day from when it gets a batch, and some time to bring it to its end. */
const HELD_BEHIND_SECONDS = 2 * 86_400;
/** For so long a supplier that cannot be reached is waited for; then its lines are carried out as calls. */
const PATIENCE_MS = 3_600_000;

const pauses = new Pauses();
type Round = { signal: AbortSignal; isOver(): boolean };

/**
 * Sends the lines of a batch to the suppliers that are to take them, each with its hold. A process that dies in the middle leaves nothing
 * that could be paid twice: what a supplier may have got is looked for before anything is sent again. Whether something was sent.
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

/** Null: the key may not call any more, and its batch begins nothing more. */
export async function callerOrStop(batch: Batch): Promise<Caller | null> {
  try {
    return await callerOfKey(db(), batch);
  } catch (problem) {
    if (!(problem instanceof AppError) || problem.mayRetry) throw problem;
    await stopBatch(db(), batch.id, { outcome: "failed", errors: [errorOf(problem, null)] });
    return null;
  }
}

/** Whether there may be more to send by the same route. */
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
  } catch (problem) {
    return notSent(batch, supplierBatch, problem);
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
    await noteCreated(db(), id, await batches.create(place, { marker: id, dialect, lines }));
    await askLater(db(), id, 2);
  } catch (problem) {
    if (problem instanceof SupplierFailure && problem.executed === "no") throw problem;
    // Nobody knows whether the supplier has it. It is looked for.
    log.warn({ err: problem, supplierBatch: id }, "a supplier did not say whether it has a batch");
    await askLater(db(), id, 5).catch(() => undefined);
  }
  return true;
}

/** What becomes of lines that were certainly not sent. */
async function notSent(batch: Batch, supplierBatch: SupplierBatch, problem: unknown): Promise<false> {
  const { routeId, supplier } = supplierBatch;
  const isWaiting = batch.begunAt === null || Date.now() - batch.begunAt.getTime() < PATIENCE_MS;
  if (problem instanceof SupplierFailure && (!isPassing(problem) || !isWaiting)) {
    log.warn(
      { err: problem, batch: batch.id, supplier },
      "a supplier takes no batch: its lines are carried out as calls",
    );
    const status = problem.status === null ? "it could not be reached" : `it answered ${problem.status}`;
    await sendAsCallsInstead(supplierBatch, `The supplier took no batch: ${status}. Its lines are ordinary calls.`);
    return false;
  }
  log.warn(
    { err: problem, batch: batch.id, supplier },
    "a batch could not be sent to its supplier; it will be tried again",
  );
  const seconds = problem instanceof SupplierFailure ? problem.retryAfterSeconds : null;
  pauses.add(batch.id, routeId, seconds);
  await undo(supplierBatch);
  return false;
}

/** Whether a supplier may take a batch at another moment. */
const isPassing = ({ status }: SupplierFailure): boolean =>
  status === null || PASSING.has(status) || (status >= 500 && status !== 501);

const PASSING = new Set([401, 402, 408, 409, 425, 429]);

async function holdLong(batch: Batch, callIds: readonly string[]): Promise<void> {
  const seconds = (batch.expiresAt.getTime() - Date.now()) / 1_000 + HELD_BEHIND_SECONDS;
  if ((await keepHolds(callIds, seconds)) < callIds.length) throw new Error("a hold is gone before its line was sent");
}

/** The lines that may be sent, each held; null: none. Those that are refused have ended; the others are calls from now on. */
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
    // All of them come to an end before anything is undone.
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
    if (notes.length > 0) await noteWebhooks(db(), batch.id, { position: line.position, notes });
    return { dialect: prepared.dialect, text: target.batches.line(callId, prepared.dialect, prepared.body) };
  }
  const answer = { customId, isUncalled: true, ...(await answerOf(prepared.response)) };
  if (nextStep(answer, Number.POSITIVE_INFINITY).kind === "pause")
    throw new Error(`lines cannot be held now: ${answer.code}`);
  await freeHolds([callId], "refused");
  await endLine(db(), batch.id, endOf(batch, line, answer));
  return "ended";
}
