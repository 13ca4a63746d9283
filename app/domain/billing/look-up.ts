import type { Db } from "~/db.server";
import { log } from "~/log.server";
import { applyEvent, applySession } from "./apply-event";
import { EVENT_TYPES, sessionFacts } from "./event-facts";
import { listDead, reviveEvent } from "./event-store";
import { askProcessor, isProcessorConfigured, processorSettings } from "./processor";
import { recordEvent } from "./receive-event";
import { markReceipt, takeUnsettled } from "./store";

const BATCH = 20;
const COMPARED_DAYS = 3;
const PAGE = 100;

export { listDead as readDeadEvents };

/**
 * Asks the processor about checkouts that should have ended and of which no event has come, and for receipts that are still
 * missing. A job; returns how many payments it looked up.
 */
export async function lookUpPayments(db: Db, signal: AbortSignal): Promise<number> {
  if (!isProcessorConfigured()) return 0;
  const { livemode } = processorSettings();
  let done = 0;
  for (const { id, sessionId } of await takeUnsettled(db, BATCH)) {
    if (signal.aborted) break;
    const session = await askProcessor((stripe) =>
      stripe.checkout.sessions.retrieve(sessionId!, { expand: ["payment_intent.latest_charge"] }),
    ).catch((problem) => {
      log.warn({ err: problem, payment: id }, "a payment could not be looked up");
      return null;
    });
    if (session === null) continue;
    if (session.payment_status === "paid") await applySession(db, sessionFacts(session), livemode);
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
    for (const event of page.data) {
      if (event.livemode !== livemode || !(await recordEvent(db, event, { found: true }))) continue;
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
