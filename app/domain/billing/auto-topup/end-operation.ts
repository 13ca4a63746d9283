import type { Db } from "~/connection/db.server";
import type { PaymentState } from "../shared";
import { isCardReported, pauseAfter } from "./decide";
import { findOperation, lockWalletOf, markEnded } from "./operation-store";
import { recordFailure, recordSuccess, refuseCard } from "./settings-store";

/**
 * Result of a charge. `not_executed`: the processor never received it; `not_confirmed`: its owner did not confirm it.
 */
export type End =
  | { state: "succeeded"; intentId: string | null }
  | { state: "failed"; intentId: string | null; failure: string };

/**
 * Ends a charge and sets the time of the next one: at once after a success, after a growing pause after a failure. Safe
 * to repeat. The caller has updated the payment.
 */
export async function endOperation(tx: Db, id: string, end: End): Promise<void> {
  await lockWalletOf(tx, id);
  const operation = await findOperation(tx, id);
  if (operation === null) return;
  const { walletId, methodId } = operation;
  if (end.state === "succeeded") {
    const { intentId } = end;
    if (await markEnded(tx, id, { state: "succeeded", intentId, failure: null, tell: null }))
      await recordSuccess(tx, walletId);
    return;
  }
  const { intentId, failure } = end;
  // If the processor was never reached, the failure does not count against the card.
  const counts = failure !== "not_executed";
  const tell = counts && failure !== "not_confirmed" ? "declined" : null;
  if (!(await markEnded(tx, id, { state: "failed", intentId, failure, tell }))) return;
  if (isCardReported(failure)) await refuseCard(tx, methodId, failure);
  if (counts) await recordFailure(tx, walletId, { methodId, pauseAfter });
}

/** Ends the charge of a payment that was to be confirmed on the processor's page, in accordance with the payment. */
export async function followPayment(tx: Db, paymentId: string, state: PaymentState): Promise<void> {
  if (state === "paid") await endOperation(tx, paymentId, { state: "succeeded", intentId: null });
  if (state === "failed" || state === "expired")
    await endOperation(tx, paymentId, { state: "failed", intentId: null, failure: "not_confirmed" });
}
