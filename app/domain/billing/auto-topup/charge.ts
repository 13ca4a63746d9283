import Stripe from "stripe";
import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { log } from "~/observe/log.server";
import { REFERENCE } from "../events/event-facts";
import { processor } from "../processor";
import { applyIntent, fail } from "./apply-intent";
import { type IntentFacts, intentFacts } from "./intent-facts";
import { claimOperation, markUnknown, type OperationRow } from "./operation-store";

/**
 * Sends a recorded charge to the processor. Any number of concurrent callers send it once; a charge with unknown
 * outcome is looked up and never sent again. Returns whether this call sent it.
 */
export async function sendCharge(db: Db, id: string): Promise<boolean> {
  const operation = await inTransaction(db, (tx) => claimOperation(tx, id));
  if (operation === null) return false;
  const answer = await requestIntent(operation);
  if (answer === null) await markUnknown(db, id);
  else if ("refused" in answer)
    await inTransaction(db, (tx) => fail(tx, operation, { intentId: null, failure: answer.refused }));
  else await inTransaction(db, (tx) => applyIntent(tx, answer));
  return true;
}

/** Returns the processor's answer; null when the outcome is unknown. */
async function requestIntent(operation: OperationRow): Promise<IntentFacts | { refused: string } | null> {
  const { id, customerId, methodId, subtotalCents } = operation;
  try {
    const intent = await processor().paymentIntents.create(
      {
        amount: Number(subtotalCents),
        currency: "usd",
        customer: customerId,
        payment_method: methodId,
        // Payment methods with redirects need a person present and a return address.
        automatic_payment_methods: { enabled: true, allow_redirects: "never" },
        off_session: true,
        confirm: true,
        description: "Auto top-up",
        metadata: { [REFERENCE]: id },
        expand: ["latest_charge"],
      },
      // The library retries under the same key, but only after a broken connection; every other lost answer is looked
      // up.
      { idempotencyKey: id, maxNetworkRetries: 0 },
    );
    return intentFacts(intent);
  } catch (error) {
    return readProblem(id, error);
  }
}

function readProblem(id: string, error: unknown): IntentFacts | { refused: string } | null {
  const isCard = error instanceof Stripe.errors.StripeCardError;
  if (isCard && error.payment_intent) return intentFacts(error.payment_intent);
  if (isCard) return { refused: error.decline_code ?? error.code ?? "failed" };
  // For example an unknown card: the processor has checked the request and done nothing.
  if (error instanceof Stripe.errors.StripeInvalidRequestError) return { refused: error.code ?? "invalid_request" };
  log.warn({ err: error, autoTopup: id }, "the outcome of an auto top-up is unknown; it will be looked up");
  return null;
}
