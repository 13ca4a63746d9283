import type Stripe from "stripe";
import type { Db } from "~/connection/db.server";
import { log } from "~/observe/log.server";
import { findCustomer } from "../card-store";
import { NEEDED_TYPES } from "../connection/check";
import { deleteProblems } from "../connection/problem-store";
import { recordProblem } from "../connection/problems";
import { askOwnConnection, askProcessor, isProcessorConfigured, processorSettings } from "../processor";
import { expireUnopened, markReceipt, openPayment, type PaymentRow, takeUnsettled } from "../store";
import { applyEvent, applySession } from "./apply-event";
import { EVENT_TYPES, sessionFacts } from "./event-facts";
import { listDead, reviveEvent } from "./event-store";
import { envelopeOf, recordEvent } from "./receive-event";

const BATCH = 20;
const COMPARED_DAYS = 3;
const PAGE = 100;
const CLOCK_SKEW_SECONDS = 300;
/** A younger event may still be delivered. */
const DELIVERED_WITHIN_SECONDS = 3_600;
/**
 * Maximum time from a payment to its session: the processor retains an idempotency key for a day, and a session may be
 * opened until then.
 */
const OPENED_WITHIN_SECONDS = 2 * 86_400;

export { listDead as readDeadEvents };

/**
 * Looks up checkouts at the processor that should have ended but have no event, including those that it opened without
 * an answer to gw, and fetches missing receipts. A job; returns the number of payments that it looked up.
 */
export async function checkPayments(db: Db, signal: AbortSignal): Promise<number> {
  if (!isProcessorConfigured()) return 0;
  const { livemode } = processorSettings();
  let done = 0;
  for (const payment of await takeUnsettled(db, { livemode, limit: BATCH })) {
    if (signal.aborted) break;
    // A payment that cannot be applied does not delay the others.
    const isFound = await lookUp(db, payment, livemode).catch((error) => {
      log.warn({ err: error, payment: payment.id }, "a payment could not be looked up");
      return false;
    });
    if (isFound) done += 1;
  }
  return done;
}

async function lookUp(db: Db, payment: PaymentRow, livemode: boolean): Promise<boolean> {
  const { id } = payment;
  const session = await findSession(db, payment);
  if (session === null) return false;
  if (payment.sessionId === null) await openPayment(db, id, session.id);
  const hasExpired = session.status === "expired";
  if (session.payment_status === "paid" || hasExpired)
    await applySession(db, sessionFacts(session), { livemode, outcome: hasExpired ? "expired" : "completed" });
  const intent = session.payment_intent;
  const charge = intent !== null && typeof intent === "object" ? intent.latest_charge : null;
  if (charge !== null && typeof charge === "object") {
    const card = charge.payment_method_details?.card;
    await markReceipt(db, id, { card: card ? `${card.brand} ${card.last4}` : null, receiptUrl: charge.receipt_url });
  }
  return true;
}

const EXPANDED = "payment_intent.latest_charge";

/**
 * Returns the checkout session of a payment. An unknown session is searched among those of the person. Null: there is
 * none.
 */
async function findSession(
  db: Db,
  { id, userId, sessionId, createdAt }: PaymentRow,
): Promise<Stripe.Checkout.Session | null> {
  if (sessionId !== null)
    return askOwnConnection((stripe) => stripe.checkout.sessions.retrieve(sessionId, { expand: [EXPANDED] }));
  const customer = await findCustomer(db, userId);
  const since = Math.floor(createdAt.getTime() / 1_000) - CLOCK_SKEW_SECONDS;
  const opened =
    customer === null
      ? []
      : (
          await askProcessor((stripe) =>
            stripe.checkout.sessions.list({
              customer,
              created: { gte: since, lte: since + OPENED_WITHIN_SECONDS },
              limit: PAGE,
              expand: [`data.${EXPANDED}`],
            }),
          )
        ).data;
  const session = opened.find((each) => each.client_reference_id === id) ?? null;
  if (session === null) await expireUnopened(db, id);
  return session;
}

/**
 * Compares the recorded events with the processor's own list of the last three days, and applies those that were not
 * delivered. A job; returns the number of missing events.
 */
export async function compareEvents(db: Db, signal: AbortSignal): Promise<number> {
  if (!isProcessorConfigured()) return 0;
  const { livemode } = processorSettings();
  const now = Math.floor(Date.now() / 1_000);
  const since = now - COMPARED_DAYS * 86_400;
  let missing = 0;
  const undelivered = new Set<string>();
  let after: string | undefined;
  while (true) {
    if (signal.aborted) return missing;
    const page = await askProcessor((stripe) =>
      stripe.events.list({
        types: [...EVENT_TYPES],
        created: { gte: since },
        limit: PAGE,
        ...(after && { starting_after: after }),
      }),
    );
    for (const listed of page.data) {
      const event = envelopeOf(listed);
      if (event === null || event.livemode !== livemode || !(await recordEvent(db, event, { found: true }))) continue;
      missing += 1;
      if (NEEDED_TYPES.includes(event.type) && event.created < now - DELIVERED_WITHIN_SECONDS)
        undelivered.add(event.type);
      await applyEvent(db, event.id);
    }
    after = page.data.at(-1)?.id;
    if (!page.has_more || after === undefined) break;
  }
  if (missing > 0) log.warn({ missing }, "the payment processor had events that were not delivered");
  if (undelivered.size > 0) await recordProblem(db, "undelivered", [...undelivered].join(", "));
  else await deleteProblems(db, ["undelivered"]);
  return missing;
}

/** Applies a dead event once more. Returns whether there was such an event and whether it is applied now. */
export async function replayEvent(db: Db, id: string): Promise<{ found: boolean; applied: boolean }> {
  if (!(await reviveEvent(db, id))) return { found: false, applied: false };
  return { found: true, applied: await applyEvent(db, id) };
}
