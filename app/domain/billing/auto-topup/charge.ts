import Stripe from "stripe";
import { inTransaction } from "~/bus.server";
import type { Db } from "~/db.server";
import { log } from "~/log.server";
import { REFERENCE } from "../event-facts";
import { processor } from "../processor";
import { applyIntent, fail } from "./apply-intent";
import { type IntentFacts, intentFacts } from "./intent-facts";
import { claimOperation, markUnknown, type OperationRow } from "./operation-store";

/**
 * Has the processor charge the card of a charge that is written down. Any number of callers at once send it once; what nobody
 * knows the outcome of is looked up and never sent again. Answers whether it was sent by this call.
 */
export async function sendCharge(db: Db, id: string): Promise<boolean> {
  const operation = await inTransaction(db, (tx) => claimOperation(tx, id));
  if (operation === null) return false;
  const answer = await ask(operation);
  if (answer === null) await markUnknown(db, id);
  else if ("refused" in answer)
    await inTransaction(db, (tx) => fail(tx, operation, { intentId: null, failure: answer.refused }));
  else await inTransaction(db, (tx) => applyIntent(tx, answer));
  return true;
}

/** What the processor answers; null where nobody knows what became of it. */
async function ask(operation: OperationRow): Promise<IntentFacts | { refused: string } | null> {
  const { id, customerId, methodId, subtotalCents } = operation;
  try {
    const intent = await processor().paymentIntents.create(
      {
        amount: Number(subtotalCents),
        currency: "usd",
        customer: customerId,
        payment_method: methodId,
        // A way of paying that leads elsewhere needs somebody to be led, and the processor an address to lead them back to.
        automatic_payment_methods: { enabled: true, allow_redirects: "never" },
        off_session: true,
        confirm: true,
        description: "Auto top-up",
        metadata: { [REFERENCE]: id },
        expand: ["latest_charge"],
      },
      // The library sends it again, under the same key, only where the connection broke; any other lost answer is looked up.
      { idempotencyKey: id, maxNetworkRetries: 0 },
    );
    return intentFacts(intent);
  } catch (problem) {
    return readProblem(id, problem);
  }
}

function readProblem(id: string, problem: unknown): IntentFacts | { refused: string } | null {
  const isCard = problem instanceof Stripe.errors.StripeCardError;
  if (isCard && problem.payment_intent) return intentFacts(problem.payment_intent);
  if (isCard) return { refused: problem.decline_code ?? problem.code ?? "failed" };
  // Such as a card that the processor does not know any more: it has looked and done nothing.
  if (problem instanceof Stripe.errors.StripeInvalidRequestError) return { refused: problem.code ?? "invalid_request" };
  log.warn({ err: problem, autoTopup: id }, "the outcome of an auto top-up is unknown; it will be looked up");
  return null;
}
