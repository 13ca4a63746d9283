import type { Db } from "~/db.server";
import type { PaymentState } from "../shared";
import { isCardReported, pauseAfter } from "./decide";
import { findOperation, lockWalletOf, markEnded } from "./operation-store";
import { noteFailure, noteSuccess, refuseCard } from "./settings-store";

/** How a charge ended. `not_executed`: the processor has never seen it; `not_confirmed`: its owner has not confirmed it. */
export type End =
  | { state: "succeeded"; intentId: string | null }
  | { state: "failed"; intentId: string | null; failure: string };

/**
 * Ends a charge, and decides when the next one may be: at once after a success, after a pause that grows after a failure. Safe to
 * repeat. The caller has moved the payment.
 */
export async function endOperation(tx: Db, id: string, end: End): Promise<void> {
  await lockWalletOf(tx, id);
  const operation = await findOperation(tx, id);
  if (operation === null) return;
  const { walletId, methodId } = operation;
  if (end.state === "succeeded") {
    const { intentId } = end;
    if (await markEnded(tx, id, { state: "succeeded", intentId, failure: null, tell: null }))
      await noteSuccess(tx, walletId);
    return;
  }
  const { intentId, failure } = end;
  // Nobody's card has failed where the processor was never reached.
  const counts = failure !== "not_executed";
  const tell = counts && failure !== "not_confirmed" ? "declined" : null;
  if (!(await markEnded(tx, id, { state: "failed", intentId, failure, tell }))) return;
  if (isCardReported(failure)) await refuseCard(tx, methodId, failure);
  if (counts) await noteFailure(tx, walletId, { methodId, pauseAfter });
}

/** Ends the charge of a payment that was to be confirmed on the processor's page, as the payment has ended. */
export async function followPayment(tx: Db, paymentId: string, state: PaymentState): Promise<void> {
  if (state === "paid") await endOperation(tx, paymentId, { state: "succeeded", intentId: null });
  if (state === "failed" || state === "expired")
    await endOperation(tx, paymentId, { state: "failed", intentId: null, failure: "not_confirmed" });
}
