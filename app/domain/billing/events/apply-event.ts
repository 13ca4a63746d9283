import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { log } from "~/observe/log.server";
import { unreachable } from "~/values/unreachable";
import { followPayment } from "../auto-topup/end-operation";
import { prepareIntent } from "../auto-topup/find-intent";
import { pausingOnClaims } from "../auto-topup/pause";
import { putWarning } from "../auto-topup/pause-store";
import { recordMismatch } from "../checkout/mismatch-store";
import { paidWithoutTax, provenCredit } from "../checkout/session-credit";
import { askOwnConnection, isProcessorConfigured } from "../processor";
import type { PaymentState } from "../shared";
import {
  lockPayment,
  markFailure,
  markRefunded,
  markSession,
  type PaymentRow,
  putDispute,
  putRefund,
  reconcilePayment,
} from "../store";
import { prepareMethod, prepareSetup } from "./apply-card";
import { type EventFacts, REFERENCE, type SessionFacts } from "./event-facts";
import { findEvent, finishEvent, listDue, postponeEvent, takeEvent } from "./event-store";
import { ImpossibleEvent } from "./impossible-event";

const BATCH = 100;
const MAX_ERROR_LENGTH = 300;

/**
 * Applies an event to the ledger. Any number of processes may apply any events in any order, any number of times: each
 * fact is written once, and the ledger follows the facts. The job retries failures later.
 */
export async function applyEvent(db: Db, id: string): Promise<boolean> {
  try {
    const waiting = await findEvent(db, id);
    if (waiting === null) return false;
    if (waiting.facts === null) throw new ImpossibleEvent("the event is not shaped as expected");
    // The processor is called before the transaction begins, because it may be slow.
    const step = await prepare(db, waiting.facts, waiting.livemode);
    return await inTransaction(db, async (tx) => {
      if ((await takeEvent(tx, id)) === null) return false;
      const used = step !== null && (await step(tx));
      await finishEvent(tx, id, used ? "applied" : "ignored");
      return true;
    });
  } catch (problem) {
    log.warn({ err: problem, event: id }, "an event of the payment processor could not be applied");
    const error = (problem instanceof Error ? problem.message : String(problem)).slice(0, MAX_ERROR_LENGTH);
    await postponeEvent(db, id, { error, final: problem instanceof ImpossibleEvent });
    return false;
  }
}

/** Applies the events that are due. A job; returns the number of applied events. */
export async function applyDueEvents(db: Db): Promise<number> {
  if (!isProcessorConfigured()) return 0;
  let applied = 0;
  for (const id of await listDue(db, BATCH)) if (await applyEvent(db, id)) applied += 1;
  return applied;
}

/** Applies a checkout session that was retrieved from the processor, as its event would have been. */
export function applySession(
  db: Db,
  facts: SessionFacts,
  { livemode, outcome = "completed" }: { livemode: boolean; outcome?: "completed" | "expired" },
): Promise<boolean> {
  return inTransaction(db, (tx) => paymentStep(facts, outcome, livemode)(tx));
}

/** The work of an event, in its transaction. Returns whether the event concerned an object of gw. */
type Step = (tx: Db) => Promise<boolean>;

async function prepare(db: Db, facts: EventFacts, livemode: boolean): Promise<Step | null> {
  switch (facts.kind) {
    case "session":
      if (facts.reference === null) return null;
      return facts.mode === "setup" ? prepareSetup(facts, facts.outcome) : paymentStep(facts, facts.outcome, livemode);
    case "intent_paid":
      return prepareIntent(db, facts);
    case "intent_failed": {
      const note = onPayment(facts, async (tx, { id }) => markFailure(tx, id, facts.failure));
      const step = await prepareIntent(db, facts);
      return async (tx) => {
        const isNoted = await note(tx);
        return (step !== null && (await step(tx))) || isNoted;
      };
    }
    case "refund":
      return onPayment(await withReference(db, facts), async (tx, { id }) => {
        requireUsd(facts.currency);
        await markRefunded(tx, id, facts.refundedCents);
        for (const refund of facts.refunds ?? []) await putRefund(tx, refund, id);
        await reconcilePayment(tx, id);
      });
    case "one_refund":
      return onPayment(await withReference(db, { ...facts, reference: null }), async (tx, { id }) => {
        requireUsd(facts.currency);
        await putRefund(tx, facts.refund, id);
        await reconcilePayment(tx, id);
      });
    case "dispute":
      return onPayment(await withReference(db, { ...facts, reference: null }), async (tx, { id }) => {
        requireUsd(facts.currency);
        const { disputeId, cents, state } = facts;
        await putDispute(tx, { id: disputeId, paymentId: id, cents, state });
        await reconcilePayment(tx, id);
      });
    case "warning":
      return onPayment(await withReference(db, { ...facts, reference: null }), (tx, { id: paymentId }) =>
        putWarning(tx, { id: facts.warningId, paymentId, kind: facts.about }),
      );
    case "method":
      return prepareMethod(facts);
    default:
      return unreachable(facts);
  }
}

const paymentStep =
  (facts: SessionFacts, outcome: "completed" | "succeeded" | "failed" | "expired", livemode: boolean): Step =>
  async (tx) => {
    if (facts.reference === null || facts.mode !== "payment") return false;
    const payment = await lockPayment(tx, { id: facts.reference });
    if (payment === null) throw new ImpossibleEvent("a checkout session names a payment that does not exist");
    requireSame(payment, facts, livemode);
    const state = stateAfter(outcome, facts.paymentStatus);
    if (state === "paid") await compareAmounts(tx, payment, facts);
    const { sessionId, totalCents: chargedCents, intentId } = facts;
    await markSession(tx, payment.id, { sessionId, state, chargedCents, intentId });
    await reconcilePayment(tx, payment.id);
    await followPayment(tx, payment.id, state);
    return true;
  };

/**
 * Returns the state after a session ended. A checkout with nothing left to pay ends without a payment and buys nothing.
 */
function stateAfter(outcome: "completed" | "succeeded" | "failed" | "expired", paymentStatus: string): PaymentState {
  if (outcome === "failed" || outcome === "expired") return outcome;
  if (paymentStatus === "paid") return "paid";
  return paymentStatus === "no_payment_required" ? "failed" : "pending";
}

/** Rejects a session that is not the one gw requested. */
function requireSame(payment: PaymentRow, facts: SessionFacts, livemode: boolean): void {
  if (payment.livemode !== livemode) throw new ImpossibleEvent("test and live mode differ");
  if (payment.sessionId !== null && payment.sessionId !== facts.sessionId)
    throw new ImpossibleEvent("the payment has another checkout session");
}

/** Credits a payment of a different amount than requested with the paid amount, and records the mismatch. */
async function compareAmounts(tx: Db, { id, amount, subtotalCents }: PaymentRow, facts: SessionFacts): Promise<void> {
  requireUsd(facts.currency);
  const { totalCents, subtotalCents: priceCents, taxCents, discountCents = 0 } = facts;
  if (totalCents === null || priceCents === null)
    throw new ImpossibleEvent("a paid checkout session without an amount");
  const askedCents = Number(subtotalCents);
  const paidCents = paidWithoutTax({ subtotalCents: priceCents, totalCents, taxCents, discountCents });
  if (paidCents <= 0) throw new ImpossibleEvent(`nothing was paid of ${askedCents} cents`);
  if (paidCents === askedCents) return;
  const creditedNanoUsd = provenCredit(amount, { paidCents, askedCents });
  log.error({ payment: id, askedCents, paidCents }, "a payment was paid with another amount than was asked for");
  await recordMismatch(tx, { paymentId: id, askedCents, paidCents, creditedNanoUsd });
}

function requireUsd(currency: string | null): void {
  if (currency !== "usd") throw new ImpossibleEvent(`the currency is ${currency}`);
}

/** Refunds and disputes name the charge. If it has no id of ours, its payment is looked up. */
async function withReference(
  db: Db,
  { intentId, reference }: { intentId: string | null; reference: string | null },
): Promise<{ intentId: string | null; reference: string | null }> {
  if (reference !== null || intentId === null) return { intentId, reference };
  if ((await inTransaction(db, (tx) => lockPayment(tx, { intentId }))) !== null) return { intentId, reference };
  const intent = await askOwnConnection((stripe) => stripe.paymentIntents.retrieve(intentId));
  return { intentId, reference: intent?.metadata[REFERENCE] ?? null };
}

const onPayment =
  (
    { intentId, reference }: { intentId: string | null; reference: string | null },
    work: (tx: Db, payment: PaymentRow) => Promise<void>,
  ): Step =>
  async (tx) => {
    const known = intentId === null ? null : await lockPayment(tx, { intentId });
    const payment = known ?? (reference === null ? null : await lockPayment(tx, { id: reference }));
    if (payment === null) return false;
    if (payment.intentId !== null && intentId !== null && payment.intentId !== intentId)
      throw new ImpossibleEvent("the payment has another payment intent");
    await pausingOnClaims(tx, payment.id, () => work(tx, payment));
    return true;
  };
