import type { Db } from "~/connection/db.server";
import { unreachable } from "~/values/unreachable";
import { ImpossibleEvent } from "../events/impossible-event";
import { processorSettings } from "../processor";
import { lockPayment, reconcilePayment } from "../store";
import { endOperation } from "./end-operation";
import type { IntentFacts } from "./intent-facts";
import { findOperation, markPaid, markPaymentFailed, markRequiresAction, type OperationRow } from "./operation-store";

/**
 * Applies the state of a payment intent at the processor to its charge and the ledger. May run in any order, any number
 * of times. Returns whether the intent belongs to a charge.
 * @throws ImpossibleEvent when the intent is not the one that gw requested.
 */
export async function applyIntent(tx: Db, facts: IntentFacts): Promise<boolean> {
  if (facts.reference === null) return false;
  const payment = await lockPayment(tx, { id: facts.reference });
  const operation = await findOperation(tx, facts.reference);
  if (payment === null || operation === null) return false;
  requireSame(operation, facts);
  const { id } = operation;
  const { outcome } = facts;
  switch (outcome.kind) {
    case "paid": {
      const { id: intentId, receivedCents: chargedCents, card, receiptUrl } = facts;
      await markPaid(tx, id, { intentId, chargedCents, card, receiptUrl });
      await reconcilePayment(tx, id);
      await endOperation(tx, id, { state: "succeeded", intentId });
      return true;
    }
    case "confirm":
      await markRequiresAction(tx, id, facts.id);
      return true;
    case "declined":
      return fail(tx, operation, { intentId: facts.id, failure: outcome.failure });
    case "canceled":
      return fail(tx, operation, { intentId: facts.id, failure: "canceled" });
    case "processing":
      return true;
    default:
      return unreachable(outcome);
  }
}

/** Ends a charge that took no money. A charge that waits for its owner's confirmation is left to `confirm.ts`. */
export async function fail(
  tx: Db,
  { id, state }: Pick<OperationRow, "id" | "state">,
  { intentId, failure }: { intentId: string | null; failure: string },
): Promise<true> {
  if (state !== "submitted" && state !== "unknown") return true;
  await markPaymentFailed(tx, id, failure);
  await endOperation(tx, id, { state: "failed", intentId, failure });
  return true;
}

function requireSame(operation: OperationRow, facts: IntentFacts): void {
  if (facts.livemode !== processorSettings().livemode) throw new ImpossibleEvent("test and live mode differ");
  if (operation.intentId !== null && operation.intentId !== facts.id)
    throw new ImpossibleEvent("the auto top-up has another payment intent");
  const expectedCents = Number(operation.subtotalCents);
  const isPaid = facts.outcome.kind === "paid";
  if (
    facts.currency !== "usd" ||
    facts.amountCents !== expectedCents ||
    (isPaid && facts.receivedCents !== expectedCents)
  )
    throw new ImpossibleEvent(
      `the intent is about ${facts.amountCents} ${facts.currency} cents instead of ${expectedCents}`,
    );
}
