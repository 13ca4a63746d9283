import { z } from "zod";
import { REFERENCE } from "../events/event-facts";

const Charge = z.object({
  receipt_url: z.string().nullish(),
  payment_method_details: z
    .object({ card: z.object({ brand: z.string().nullish(), last4: z.string().nullish() }).nullish() })
    .nullish(),
});

const Intent = z.object({
  id: z.string(),
  status: z.string(),
  amount: z.number().int(),
  amount_received: z.number().int().nullish(),
  currency: z.string(),
  livemode: z.boolean(),
  metadata: z.record(z.string(), z.string()).nullish(),
  last_payment_error: z.object({ code: z.string().nullish(), decline_code: z.string().nullish() }).nullish(),
  latest_charge: z.union([z.string(), Charge]).nullish(),
});

/** Facts of a payment intent at the processor. Amounts are cents. */
export type IntentFacts = {
  id: string;
  reference: string | null;
  amountCents: number;
  receivedCents: number;
  currency: string;
  livemode: boolean;
  outcome:
    | { kind: "paid" | "processing" | "canceled" }
    /** `confirm`: the bank requires its owner to confirm the payment. */
    | { kind: "confirm" }
    | { kind: "declined"; failure: string };
  card: string | null;
  receiptUrl: string | null;
};

const WANTS_OWNER = new Set(["authentication_required", "payment_intent_authentication_failure"]);

/**
 * Parses a payment intent from an answer or a list of the processor.
 * @throws ZodError when it does not have the documented shape.
 */
export function intentFacts(answered: unknown): IntentFacts {
  const intent = Intent.parse(answered);
  const charge = typeof intent.latest_charge === "object" ? intent.latest_charge : null;
  const card = charge?.payment_method_details?.card;
  return {
    id: intent.id,
    reference: intent.metadata?.[REFERENCE] ?? null,
    amountCents: intent.amount,
    receivedCents: intent.amount_received ?? 0,
    currency: intent.currency,
    livemode: intent.livemode,
    outcome: outcomeOf(intent),
    card: card?.brand && card.last4 ? `${card.brand} ${card.last4}` : null,
    receiptUrl: charge?.receipt_url ?? null,
  };
}

function outcomeOf({ status, last_payment_error: paymentError }: z.infer<typeof Intent>): IntentFacts["outcome"] {
  if (status === "succeeded") return { kind: "paid" };
  if (status === "processing" || status === "canceled") return { kind: status };
  if (status === "requires_action" || WANTS_OWNER.has(paymentError?.code ?? "")) return { kind: "confirm" };
  return { kind: "declined", failure: paymentError?.decline_code ?? paymentError?.code ?? "failed" };
}
