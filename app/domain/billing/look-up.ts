import type Stripe from "stripe";
import type { Db } from "~/db.server";
import { log } from "~/log.server";
import { applyEvent, applySession } from "./apply-event";
import { findCustomer } from "./card-store";
import { EVENT_TYPES, sessionFacts } from "./event-facts";
import { listDead, reviveEvent } from "./event-store";
import { askProcessor, isProcessorConfigured, processorSettings } from "./processor";
import { envelopeOf, recordEvent } from "./receive-event";
import { expireUnopened, markReceipt, openPayment, type PaymentRow, takeUnsettled } from "./store";

const BATCH = 20;
const COMPARED_DAYS = 3;
const PAGE = 100;
const CLOCK_SKEW_SECONDS = 300;
/** The processor knows a key for a day, so what it was asked for may be opened that much later. */
const OPENED_WITHIN_SECONDS = 2 * 86_400;

export { listDead as readDeadEvents };

/**
 * Asks the processor about checkouts that should have ended and of which no event has come, also about those that it opened
 * without gw hearing of it, and for receipts that are still missing. A job; returns how many payments it looked up.
 */
export async function lookUpPayments(db: Db, signal: AbortSignal): Promise<number> {
  if (!isProcessorConfigured()) return 0;
  const { livemode } = processorSettings();
  let done = 0;
  for (const payment of await takeUnsettled(db, BATCH)) {
    if (signal.aborted) break;
    const { id } = payment;
    const session = await findSession(db, payment).catch((problem) => {
      log.warn({ err: problem, payment: id }, "a payment could not be looked up");
      return null;
    });
    if (session === null) continue;
    if (payment.sessionId === null) await openPayment(db, id, session.id);
    if (session.payment_status === "paid") await applySession(db, sessionFacts(session), { livemode });
    const intent = session.payment_intent;
    const charge = intent !== null && typeof intent === "object" ? intent.latest_charge : null;
    if (charge !== null && typeof charge === "object") {
      const card = charge.payment_method_details?.card;
      await markReceipt(db, id, { card: card ? `${card.brand} ${card.last4}` : null, receiptUrl: charge.receipt_url });
    }
    done += 1;
  }
  return done;
}

const EXPANDED = "payment_intent.latest_charge";

/** The checkout of a payment; one that gw does not know is looked for among those of the person. Null: there is none. */
async function findSession(
  db: Db,
  { id, userId, sessionId, createdAt }: PaymentRow,
): Promise<Stripe.Checkout.Session | null> {
  if (sessionId !== null)
    return askProcessor((stripe) => stripe.checkout.sessions.retrieve(sessionId, { expand: [EXPANDED] }));
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
 * Compares the events on record with the processor's own list of the last three days, and applies those that nobody has
 * delivered. A job; returns how many were missing.
 */
export async function compareEvents(db: Db, signal: AbortSignal): Promise<number> {
  if (!isProcessorConfigured()) return 0;
  const { livemode } = processorSettings();
  const since = Math.floor(Date.now() / 1_000) - COMPARED_DAYS * 86_400;
  let missing = 0;
  let after: string | undefined;
  while (!signal.aborted) {
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
      await applyEvent(db, event.id);
    }
    after = page.data.at(-1)?.id;
    if (!page.has_more || after === undefined) break;
  }
  if (missing > 0) log.warn({ missing }, "the payment processor had events that were not delivered");
  return missing;
}

/** Applies a dead event once more. Answers whether there was one and it holds now. */
export async function replayEvent(db: Db, id: string): Promise<{ found: boolean; applied: boolean }> {
  if (!(await reviveEvent(db, id))) return { found: false, applied: false };
  return { found: true, applied: await applyEvent(db, id) };
}
