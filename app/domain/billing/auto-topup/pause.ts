import type { Db } from "~/connection/db.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import type { AutoTopupPauseReason } from "../shared";
import { cancelCreated } from "./operation-store";
import { type Claims, findPausable, insertPause, lockTogether, readClaims } from "./pause-store";
import { putSetting, readTopupFacts } from "./settings-store";

/**
 * Runs the work of an event about a payment, and pauses auto top-up if the event brought a new claim: no automatic
 * charge follows a refund, a dispute, an inquiry or a fraud warning. The caller has locked the payment. Safe to repeat,
 * in any order: known claims have no effect.
 */
export async function pausingOnClaims<T>(tx: Db, paymentId: string, work: () => Promise<T>): Promise<T> {
  const before = await readClaims(tx, paymentId);
  const result = await work();
  const reason = newsOf(before, await readClaims(tx, paymentId));
  if (reason !== null) await pauseAutoTopup(tx, paymentId, reason);
  return result;
}

/** Returns the most severe kind of claim that has increased; null: none. */
function newsOf(before: Claims, after: Claims): AutoTopupPauseReason | null {
  const gravest = ["dispute", "fraud_warning", "inquiry", "refund"] as const;
  return gravest.find((reason) => after[reason] > before[reason]) ?? null;
}

/**
 * A refund affects the wallet of its payment and that wallet's successor. A claim of a bank is about a person's card,
 * and affects every wallet for which it is charged.
 */
async function pauseAutoTopup(tx: Db, paymentId: string, reason: AutoTopupPauseReason): Promise<void> {
  const isOfCard = reason !== "refund";
  await lockTogether(tx, paymentId, isOfCard);
  for (const walletId of await findPausable(tx, paymentId, isOfCard)) {
    const facts = await readTopupFacts(tx, walletId);
    if (facts === null) continue;
    const { userId, thresholdNanoUsd, amountNanoUsd, dayLimitNanoUsd, monthLimitNanoUsd, organisationId } = facts;
    const version = facts.version + 1;
    const values = { thresholdNanoUsd, amountNanoUsd, dayLimitNanoUsd, monthLimitNanoUsd };
    await putSetting(tx, { walletId, version, userId, active: false, ...values, consent: null });
    await insertPause(tx, { walletId, paymentId, reason });
    await cancelCreated(tx, walletId);
    await recordAuditEvent(tx, {
      by: { userId: null, label: "gw" },
      action: "auto_topup.pause",
      target: { kind: "auto_topup", id: walletId, label: `wallet ${walletId}` },
      organisationId,
      subjectUserId: userId,
      after: { version, reason, payment: paymentId },
    });
  }
}
