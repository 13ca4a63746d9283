import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { log } from "~/observe/log.server";
import { isProcessorConfigured } from "../processor";
import { applyIntent, fail } from "./apply-intent";
import { sendCharge } from "./charge";
import { followConfirmation } from "./confirm";
import { findIntent } from "./find-intent";
import { listCreated, listTellings, type OperationRow, type Telling, takeOpen, takeTelling } from "./operation-store";
import { listPauseTellings, takePauseTelling } from "./pause-store";
import { listLow } from "./settings-store";
import { isReady, startTopup } from "./start";

const BATCH = 100;
const AT_ONCE = 5;
/**
 * Time after which an unknown charge counts as never received: a request to the processor times out after ten seconds.
 */
const LOST_AFTER_MS = 15 * 60_000;

/** Writes the email about a charge or a pause to the outbox in the transaction `tx`. */
type AutoTopupMail = (tx: Db, telling: Telling) => Promise<void>;

/**
 * Tops up the wallets that are due, looks up charges with unknown outcome, and notifies their owners of necessary
 * actions. A job. Any number of processes may run it at once and crash at any point: a charge is made once, and
 * credited once. Returns the number of charges that it started or looked up.
 */
export async function runAutoTopups(db: Db, mail: AutoTopupMail, signal?: AbortSignal): Promise<number> {
  const started = isReady() ? await startAll(db, signal) : 0;
  const looked = isProcessorConfigured() ? await checkAllPayments(db, signal) : 0;
  await processAll(db, mail, await listTellings(db, BATCH), takeTelling);
  await processAll(db, mail, await listPauseTellings(db, BATCH), takePauseTelling);
  return looked + started;
}

async function processAll<Id>(
  db: Db,
  mail: AutoTopupMail,
  ids: readonly Id[],
  take: (tx: Db, id: Id) => Promise<Telling | null>,
): Promise<void> {
  for (const id of ids)
    await inTransaction(db, async (tx) => {
      const telling = await take(tx, id);
      if (telling !== null) await mail(tx, telling);
    });
}

async function checkAllPayments(db: Db, signal: AbortSignal | undefined): Promise<number> {
  const open = await takeOpen(db, BATCH);
  await inTurn(open, (operation) => lookUp(db, operation), signal);
  return open.length;
}

/** Charges recorded by a crashed process come first. */
async function startAll(db: Db, signal: AbortSignal | undefined): Promise<number> {
  const pending = await listCreated(db, BATCH);
  const started = await inTurn(await listLow(db, BATCH), (walletId) => startTopup(db, walletId), signal);
  const ids = [...pending, ...started.filter((id) => id !== null)];
  await inTurn(ids, (id) => sendCharge(db, id), signal);
  return ids.length;
}

async function lookUp(db: Db, operation: OperationRow): Promise<void> {
  if (operation.state === "requires_action") return followConfirmation(db, operation);
  const facts = await findIntent(operation);
  if (facts !== null) {
    await inTransaction(db, (tx) => applyIntent(tx, facts));
  } else if (Date.now() - (operation.submittedAt?.getTime() ?? 0) > LOST_AFTER_MS) {
    await inTransaction(db, (tx) => fail(tx, operation, { intentId: null, failure: "not_executed" }));
  }
}

/** Runs a few at a time. A failed item is retried in the next run and does not delay the others. */
async function inTurn<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result[]> {
  const waiting = [...items];
  const results: Result[] = [];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined && !signal?.aborted; item = waiting.shift()) {
      try {
        results.push(await work(item));
      } catch (error) {
        log.warn({ err: error }, "an auto top-up could not be carried on");
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}
