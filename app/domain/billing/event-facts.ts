import { z } from "zod";

/** The name under which a payment's or a card set-up's own id stands in the processor's metadata. */
export const REFERENCE = "gw_reference";

/** What an event says that matters here. Whose card and where they live stays with the processor. */
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
      /** Those that the charge lists; of events before there were any, absent. */
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
  /** The bank asks about a payment, or says that it may be fraud: no money has moved. */
  | { kind: "warning"; warningId: string; intentId: string | null; about: PaymentWarningKind }
  | { kind: "method"; methodId: string; removed: boolean };

type PaymentWarningKind = "inquiry" | "fraud_warning";

export type SessionFacts = z.infer<typeof Session>;

/** One refund as it stood. Failed or cancelled, the customer has not got it. */
export type RefundFacts = z.infer<typeof OneRefund>;

/** Ids, codes and states: the processor writes them in visible ASCII. */
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
    // Both are ours; where they differ, the session is not.
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
    // What is pending, or waits for the customer, is on its way.
    failed: status === "failed" || status === "canceled",
  }));
const Refund = z.object({ payment_intent: id.nullish(), currency: token });
const Charge = z.object({
  payment_intent: id.nullish(),
  metadata: reference,
  amount_refunded: cents,
  currency: token,
  // Listed by older versions of the processor's interface only, and then the latest ten.
  refunds: z.object({ data: z.array(OneRefund) }).nullish(),
});
const Dispute = z.object({
  id: token,
  payment_intent: id.nullish(),
  amount: cents,
  currency: token,
  status: token,
});
const FraudWarning = z.object({ id: token, payment_intent: id.nullish() });
const Method = z.object({ id: token });

/** Left out where there is none, as in the facts of events that were recorded before discounts were. */
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
    const { id: intentId, metadata, last_payment_error: problem } = Intent.parse(object);
    const failure = problem?.decline_code ?? problem?.code ?? "failed";
    return { kind: "intent_failed", intentId, reference: metadata, failure };
  },
  // Of a checkout, its session says it; of a charge without one, nothing else does.
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

/** The types that the comparison with the processor's own list asks for. */
export const EVENT_TYPES: readonly string[] = [...Object.keys(SESSION_OUTCOMES), ...Object.keys(OTHERS)];

/**
 * What an event says; null for one that says nothing of use.
 * @throws ZodError when it is not shaped as the processor describes it.
 */
export function factsOf({ type, data }: { type: string; data: { object?: unknown } }): EventFacts | null {
  if (isSessionEvent(type)) return { kind: "session", outcome: SESSION_OUTCOMES[type], ...sessionFacts(data.object) };
  return Object.hasOwn(OTHERS, type) ? (OTHERS[type]?.(data.object) ?? null) : null;
}

const isSessionEvent = (type: string): type is keyof typeof SESSION_OUTCOMES => Object.hasOwn(SESSION_OUTCOMES, type);

/** What a checkout session says, in an event or when it is asked for. */
export const sessionFacts = (session: unknown): SessionFacts => Session.parse(session);

function refundFacts(object: unknown): EventFacts {
  const { payment_intent: intentId = null, currency } = Refund.parse(object);
  return { kind: "one_refund", intentId, currency, refund: OneRefund.parse(object) };
}

/** An inquiry moves no money yet, and a dispute counts from the moment it is opened. */
function disputeFacts(object: unknown): EventFacts | null {
  const { id: disputeId, payment_intent: intentId = null, amount, currency, status } = Dispute.parse(object);
  if (status.startsWith("warning_")) return { kind: "warning", warningId: disputeId, intentId, about: "inquiry" };
  const state = status === "won" || status === "lost" ? status : "open";
  return { kind: "dispute", disputeId, intentId, cents: amount, currency, state };
}
