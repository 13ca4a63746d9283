import { inTransaction } from "~/bus.server";
import type { Db } from "~/db.server";
import { insertDeliveries } from "./delivery-store";
import { firstWatch, type Raised, runsOutAt, step } from "./step";
import {
  insertAlert,
  listChanged,
  listRecipients,
  lockWatch,
  type Recipient,
  readSubject,
  type Subject,
  type SubjectRow,
  writeWatch,
} from "./watch-store";

const BATCH = 200;

/**
 * Looks at the budgets and wallets that have changed and writes down what there is to tell, with who is told. A job; any number
 * of processes may do it at once: each threshold is told once a period. Safe to repeat. Returns how many alerts it wrote.
 */
export async function evaluateBudgets(db: Db, signal?: AbortSignal): Promise<number> {
  let written = 0;
  for (const changed of await listChanged(db, BATCH)) {
    if (signal?.aborted) break;
    written += await inTransaction(db, (tx) => evaluateOne(tx, changed));
  }
  return written;
}

async function evaluateOne(tx: Db, changed: Pick<Subject, "kind" | "id">): Promise<number> {
  const glimpse = await readSubject(tx, changed);
  if (glimpse === null) return 0;
  const before = await lockWatch(tx, changed, firstWatch(glimpse));
  // Read behind the lock: whoever had it before may have seen more than this one had.
  const subject = (await readSubject(tx, changed)) ?? glimpse;
  const recipients = await listRecipients(tx, subject);
  const { watch, raised } = step(before, subject, thresholdsOf(subject, recipients));
  await writeWatch(tx, subject, watch, subject);
  let written = 0;
  const told = new Set<number>();
  // The highest comes first: who wants several thresholds that were crossed at once is told that one.
  for (const each of raised.toSorted(byUrgency)) {
    const alertId = await insertAlert(tx, subject, {
      ...each,
      runsOutAt: runsOutAt(subject, { resetsAt: subject.resetsAt, now: new Date() }),
    });
    if (alertId === null) continue;
    written += 1;
    const addressees = recipients.filter((recipient) => wants(recipient, each) && !told.has(recipient.userId));
    if (each.kind === "threshold") for (const { userId } of addressees) told.add(userId);
    await insertDeliveries(tx, alertId, addressees);
  }
  return written;
}

function thresholdsOf({ kind }: SubjectRow, recipients: readonly Recipient[]): bigint[] {
  const all =
    kind === "budget"
      ? recipients.flatMap(({ thresholds }) => thresholds.map(BigInt))
      : recipients.flatMap(({ lowBalanceNanoUsd }) => lowBalanceNanoUsd ?? []);
  return [...new Set(all)];
}

const byUrgency = (one: Raised, other: Raised) => Number(other.threshold - one.threshold);

function wants({ thresholds, lowBalanceNanoUsd }: Recipient, { kind, threshold }: Raised): boolean {
  if (kind === "threshold") return thresholds.includes(Number(threshold));
  return kind !== "low_balance" || lowBalanceNanoUsd === threshold;
}
