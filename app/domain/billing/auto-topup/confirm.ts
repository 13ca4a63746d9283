import { config } from "~/config.server";
import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { log } from "~/observe/log.server";
import { confirmationSession } from "../checkout/checkout";
import { applySession } from "../events/apply-event";
import { sessionFacts } from "../events/event-facts";
import { askProcessor, processor, processorSettings } from "../processor";
import { findPayment, openPayment } from "../store";
import { applyIntent } from "./apply-intent";
import { intentFacts } from "./intent-facts";
import { markActionUrl, type OperationRow } from "./operation-store";

/**
 * Prepares the processor's page on which the owner confirms a charge with their bank. The off-session payment intent is
 * cancelled first, so that the payment can be made in one way only. Once there is a page, its session is looked up.
 * Safe to repeat: a repeated request returns the earlier result.
 */
export async function followConfirmation(db: Db, operation: OperationRow): Promise<void> {
  const { id, sessionId, intentId } = operation;
  if (sessionId !== null) return followSession(db, sessionId);
  if (intentId !== null && !(await cancelIntent(db, intentId))) return;
  const payment = await findPayment(db, operation.userId, id);
  if (payment === null) return;
  const { url, sessionId: createdSession } = await confirmationSession(payment, {
    customer: operation.customerId,
    origin: config().baseUrl,
  });
  await inTransaction(db, async (tx) => {
    await openPayment(tx, id, createdSession);
    await markActionUrl(tx, id, url);
  });
}

/** Returns whether the intent is cancelled; an intent that was paid after all is applied. */
async function cancelIntent(db: Db, intentId: string): Promise<boolean> {
  try {
    await processor().paymentIntents.cancel(intentId, {}, { idempotencyKey: `gw-topup-cancel-${intentId}` });
    return true;
  } catch (error) {
    log.warn({ err: error, intent: intentId }, "the payment intent of an auto top-up could not be cancelled");
    const facts = intentFacts(
      await askProcessor((stripe) => stripe.paymentIntents.retrieve(intentId, { expand: ["latest_charge"] })),
    );
    if (facts.outcome.kind === "canceled") return true;
    if (facts.outcome.kind === "paid") await inTransaction(db, (tx) => applyIntent(tx, facts));
    return false;
  }
}

async function followSession(db: Db, sessionId: string): Promise<void> {
  const { livemode } = processorSettings();
  const session = await askProcessor((stripe) => stripe.checkout.sessions.retrieve(sessionId));
  if (session.status === "expired") await applySession(db, sessionFacts(session), { livemode, outcome: "expired" });
  if (session.status === "complete") await applySession(db, sessionFacts(session), { livemode });
}
