import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
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
 * Evaluates the budgets and wallets that have changed, and stores the alerts with their recipients. A job; several processes may run it at
 * once: each threshold raises one alert per period. Safe to repeat. Returns the number of alerts stored.
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
  // Re-read after locking: another process may have advanced it.
  const subject = (await readSubject(tx, changed)) ?? glimpse;
  const recipients = await listRecipients(tx, subject);
  const { watch, raised } = step(before, subject, thresholdsOf(subject, recipients));
  await writeWatch(tx, subject, watch, subject);
  let written = 0;
  const reported = new Set<number>();
  // Highest first: a recipient of several thresholds crossed at once gets only the highest.
  for (const each of raised.toSorted(byUrgency)) {
    const alertId = await insertAlert(tx, subject, {
      ...each,
      runsOutAt: runsOutAt(subject, { resetsAt: subject.resetsAt, now: new Date() }),
    });
    if (alertId === null) continue;
    written += 1;
    const addressees = recipients.filter((recipient) => wants(recipient, each) && !reported.has(recipient.userId));
    if (each.kind === "threshold") for (const { userId } of addressees) reported.add(userId);
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
