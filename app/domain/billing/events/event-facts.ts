import { z } from "zod";

/** Metadata name at the processor for the id of a payment or a card set-up. */
export const REFERENCE = "gw_reference";

/** The facts of an event that gw needs. Names and addresses of cardholders stay at the processor. */
export type EventFacts =
  | ({ kind: "session"; outcome: "completed" | "succeeded" | "failed" | "expired" } & SessionFacts)
  | { kind: "intent_paid"; intentId: string; reference: string | null }
  | { kind: "intent_failed"; intentId: string; reference: string | null; failure: string }
  | {
      kind: "refund";
      intentId: string | null;
      reference: string | null;
      refundedCents: number;
      currency: string;
      /** The refunds that the charge lists; absent in events that precede refunds. */
      refunds?: readonly RefundFacts[];
    }
  | { kind: "one_refund"; intentId: string | null; currency: string; refund: RefundFacts }
  | {
      kind: "dispute";
      disputeId: string;
      intentId: string | null;
      cents: number;
      currency: string;
      state: "open" | "lost" | "won";
    }
  /** The bank inquires about a payment, or warns of fraud: no money has moved. */
  | { kind: "warning"; warningId: string; intentId: string | null; about: PaymentWarningKind }
  | { kind: "method"; methodId: string; removed: boolean };

type PaymentWarningKind = "inquiry" | "fraud_warning";

export type SessionFacts = z.infer<typeof Session>;

/** One refund at the time of the event. If it failed or was cancelled, the customer has not received it. */
export type RefundFacts = z.infer<typeof OneRefund>;

/** Ids, codes and states, which the processor writes in visible ASCII. */
const token = z.string().regex(/^[\x21-\x7e]{1,255}$/);
const id = z.union([token, z.object({ id: token }).transform((object) => object.id)]);
const reference = z.preprocess(
  (metadata) => (metadata as Record<string, unknown> | null)?.[REFERENCE] ?? null,
  z.uuid().nullable().catch(null),
);
const cents = z.number().int().nonnegative();

const Session = z
  .object({
    id: token,
    mode: token,
    client_reference_id: z.string().nullish(),
    metadata: reference,
    payment_status: token,
    currency: token.nullish(),
    amount_subtotal: cents.nullish(),
    amount_total: cents.nullish(),
    total_details: z.object({ amount_tax: cents, amount_discount: cents.nullish() }).nullish(),
    payment_intent: id.nullish(),
    setup_intent: id.nullish(),
  })
  .transform((session) => ({
    sessionId: session.id,
    mode: session.mode,
    // gw sets both. If they differ, the session was not created by gw.
    reference: session.client_reference_id === session.metadata ? session.metadata : null,
    paymentStatus: session.payment_status,
    currency: session.currency ?? null,
    subtotalCents: session.amount_subtotal ?? null,
    totalCents: session.amount_total ?? null,
    taxCents: session.total_details?.amount_tax ?? 0,
    ...discountOf(session.total_details?.amount_discount),
    intentId: session.payment_intent ?? null,
    setupIntentId: session.setup_intent ?? null,
  }));

const Intent = z.object({
  id: token,
  metadata: reference,
  last_payment_error: z.object({ code: token.nullish(), decline_code: token.nullish() }).nullish(),
});
const OneRefund = z
  .object({ id: token, amount: cents, status: token.nullish() })
  .transform(({ id: refundId, amount, status }) => ({
    refundId,
    cents: amount,
    // A pending refund, or one that waits for the customer, counts as in progress.
    failed: status === "failed" || status === "canceled",
  }));
const Refund = z.object({ payment_intent: id.nullish(), currency: token });
const Charge = z.object({
  payment_intent: id.nullish(),
  metadata: reference,
  amount_refunded: cents,
  currency: token,
  // Only older API versions list refunds here, and only the latest ten.
  refunds: z.object({ data: z.array(OneRefund) }).nullish(),
});
const Dispute = z.object({
  id: token,
  payment_intent: id.nullish(),
  amount: cents,
  currency: token,
  status: token,
  /** Amounts that were withdrawn for the dispute and returned after it. */
  balance_transactions: z.array(z.object({ amount: z.number().int() })).nullish(),
});
const FraudWarning = z.object({ id: token, payment_intent: id.nullish() });
const Method = z.object({ id: token });

/** Absent without a discount, as in facts that were recorded before discounts were supported. */
function discountOf(discountCents: number | null | undefined): { discountCents?: number } {
  return discountCents ? { discountCents } : {};
}

const SESSION_OUTCOMES = {
  "checkout.session.completed": "completed",
  "checkout.session.async_payment_succeeded": "succeeded",
  "checkout.session.async_payment_failed": "failed",
  "checkout.session.expired": "expired",
} as const;

const OTHERS: Readonly<Record<string, (object: unknown) => EventFacts | null>> = {
  "charge.refunded": (object) => {
    const charge = Charge.parse(object);
    const { amount_refunded: refundedCents, currency, metadata } = charge;
    const refunds = charge.refunds?.data ?? [];
    return {
      kind: "refund",
      intentId: charge.payment_intent ?? null,
      reference: metadata,
      refundedCents,
      currency,
      refunds,
    };
  },
  "charge.refund.updated": refundFacts,
  "refund.created": refundFacts,
  "refund.updated": refundFacts,
  "refund.failed": refundFacts,
  "payment_intent.payment_failed": (object) => {
    const { id: intentId, metadata, last_payment_error: paymentError } = Intent.parse(object);
    const failure = paymentError?.decline_code ?? paymentError?.code ?? "failed";
    return { kind: "intent_failed", intentId, reference: metadata, failure };
  },
  // A checkout is reported by its session; a charge without one only by this event.
  "payment_intent.succeeded": (object) => {
    const { id: intentId, metadata } = Intent.parse(object);
    return metadata === null ? null : { kind: "intent_paid", intentId, reference: metadata };
  },
  "charge.dispute.created": disputeFacts,
  "charge.dispute.updated": disputeFacts,
  "charge.dispute.closed": disputeFacts,
  "charge.dispute.funds_withdrawn": disputeFacts,
  "charge.dispute.funds_reinstated": disputeFacts,
  "radar.early_fraud_warning.created": (object) => {
    const { id: warningId, payment_intent: intentId = null } = FraudWarning.parse(object);
    return { kind: "warning", warningId, intentId, about: "fraud_warning" };
  },
  "payment_method.updated": (object) => ({ kind: "method", methodId: Method.parse(object).id, removed: false }),
  "payment_method.automatically_updated": (object) => ({
    kind: "method",
    methodId: Method.parse(object).id,
    removed: false,
  }),
  "payment_method.detached": (object) => ({ kind: "method", methodId: Method.parse(object).id, removed: true }),
};

/** Event types that the comparison with the processor's list requests. */
export const EVENT_TYPES: readonly string[] = [...Object.keys(SESSION_OUTCOMES), ...Object.keys(OTHERS)];

/**
 * Returns the facts of an event; null for an event of no use.
 * @throws ZodError when it does not have the documented shape.
 */
export function factsOf({ type, data }: { type: string; data: { object?: unknown } }): EventFacts | null {
  if (isSessionEvent(type)) return { kind: "session", outcome: SESSION_OUTCOMES[type], ...sessionFacts(data.object) };
  return Object.hasOwn(OTHERS, type) ? (OTHERS[type]?.(data.object) ?? null) : null;
}

const isSessionEvent = (type: string): type is keyof typeof SESSION_OUTCOMES => Object.hasOwn(SESSION_OUTCOMES, type);

/** Returns the facts of a checkout session, from an event or a retrieval. */
export const sessionFacts = (session: unknown): SessionFacts => Session.parse(session);

function refundFacts(object: unknown): EventFacts {
  const { payment_intent: intentId = null, currency } = Refund.parse(object);
  return { kind: "one_refund", intentId, currency, refund: OneRefund.parse(object) };
}

/** Returns the facts of a dispute. An inquiry moves no money yet; a dispute counts from its opening. */
function disputeFacts(object: unknown): EventFacts | null {
  const dispute = Dispute.parse(object);
  const { id: disputeId, payment_intent: intentId = null, amount, currency, status } = dispute;
  if (status.startsWith("warning_")) return { kind: "warning", warningId: disputeId, intentId, about: "inquiry" };
  return { kind: "dispute", disputeId, intentId, cents: amount, currency, state: stateOf(dispute) };
}

/**
 * Returns the state of a dispute. A prevented dispute either took the money itself, or a refund returned it, which has
 * its own events.
 */
function stateOf({ status, balance_transactions }: z.infer<typeof Dispute>): "open" | "lost" | "won" {
  if (status === "won" || status === "lost") return status;
  if (status !== "prevented") return "open";
  const withdrawn = (balance_transactions ?? []).reduce((sum, { amount }) => sum - amount, 0);
  return withdrawn > 0 ? "lost" : "won";
}
