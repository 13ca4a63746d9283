import { randomUUID } from "node:crypto";
import type Stripe from "stripe";
import { config } from "~/config.server";
import type { Db } from "~/db.server";
import type { Actor } from "~/domain/identity/shared";
import { apiError } from "~/errors/app-error";
import { plainUsd } from "~/money";
import { findSetup, insertSetup, openSetup } from "./card-store";
import { customerOf } from "./customer";
import { REFERENCE } from "./event-facts";
import { centsOf, priceOfCredit } from "./fee";
import { readOwnFunding } from "./funding";
import { askProcessor, processorSettings } from "./processor";
import type { PaymentState, ProcessorConfig } from "./shared";
import { findPayment, insertPayment, openPayment, type PaymentRow } from "./store";

export type CheckoutRequest = {
  /** Net credit, nano-USD. */
  amountNanoUsd: bigint;
  idempotencyKey: string | null;
  /** The portal that the person is in, such as https://gw.example.com: they come back to it. */
  origin: string;
};

const LANGUAGES: ReadonlySet<string> = new Set(["en", "de", "fr", "es"]);

/**
 * Starts a payment for the wallet that pays for the actor, and answers the processor's page for it. No money moves here: the
 * wallet is credited when the processor says that it was paid. Repeating it with the same key answers the same page.
 * @throws AppError billing_unavailable; forbidden for somebody else's wallet; conflict where nothing is charged to it;
 *   invalid_request for an amount out of bounds; idempotency_conflict; operation_in_progress.
 */
export async function startCheckout(
  db: Db,
  actor: Actor,
  asked: CheckoutRequest,
): Promise<{ id: string; url: string }> {
  const { livemode, tax } = processorSettings();
  const { funding } = config();
  const { amountNanoUsd, idempotencyKey, origin } = asked;
  requireAmount(amountNanoUsd);
  const { walletId, exempt, payer, mayFund } = await readOwnFunding(db, actor);
  if (!mayFund) throw apiError("forbidden", { key: "rejections:fundsByAdmins" });
  if (exempt) throw apiError("conflict", { key: "rejections:exemptWallet" });
  const { feeNanoUsd, totalNanoUsd } = priceOfCredit(amountNanoUsd, funding);
  const customer = await customerOf(db, actor);
  const payment = await insertPayment(db, {
    id: randomUUID(),
    walletId,
    organisationId: payer.organisationId,
    userId: actor.userId,
    idempotencyKey,
    livemode,
    amount: amountNanoUsd,
    fee: feeNanoUsd,
    subtotalCents: centsOf(totalNanoUsd)!,
  });
  if (payment.askedAmount !== amountNanoUsd) throw apiError("idempotency_conflict");
  const url = await sessionUrl(
    payment.id,
    {
      ...framing(actor, origin, { id: payment.id, customer }),
      ...paymentOf(payment),
      ...(tax && { automatic_tax: { enabled: true }, customer_update: { address: "auto" } }),
    },
    (sessionId) => openPayment(db, payment.id, sessionId),
  );
  return { id: payment.id, url };
}

/**
 * Starts saving a card on the processor's page, without a payment; answers that page. The card is there when the processor
 * says so. Repeating it with the same key answers the same page.
 * @throws AppError billing_unavailable; operation_in_progress
 */
export async function startCardSetup(
  db: Db,
  actor: Actor,
  asked: Omit<CheckoutRequest, "amountNanoUsd">,
): Promise<{ id: string; url: string }> {
  const { livemode } = processorSettings();
  const { idempotencyKey, origin } = asked;
  const customer = await customerOf(db, actor);
  const setup = await insertSetup(db, { id: randomUUID(), userId: actor.userId, idempotencyKey, livemode });
  const url = await sessionUrl(
    setup.id,
    { ...framing(actor, origin, { id: setup.id, customer }), mode: "setup", currency: "usd" },
    (sessionId) => openSetup(db, setup.id, sessionId),
  );
  return { id: setup.id, url };
}

/** How a checkout stands, by gw's own books: `confirmed` once the ledger has its credit, or the card is saved. */
export type CheckoutStatus =
  | { kind: "payment"; state: PaymentState; confirmed: boolean; creditNanoUsd: bigint }
  | {
      kind: "setup";
      state: "created" | "open" | "complete" | "expired";
      confirmed: boolean;
      paymentMethodId: string | null;
    };

/**
 * How the actor's own checkout stands. Reading it changes nothing.
 * @throws AppError not_found, for anybody else's too
 */
export async function readCheckoutStatus(db: Db, actor: Actor, id: string): Promise<CheckoutStatus> {
  const payment = await findPayment(db, actor.userId, id);
  if (payment !== null)
    return { kind: "payment", state: payment.state, confirmed: payment.credited, creditNanoUsd: payment.amount };
  const setup = await findSetup(db, actor.userId, id);
  if (setup === null) throw apiError("not_found");
  return { kind: "setup", state: setup.state, confirmed: setup.state === "complete", paymentMethodId: setup.methodId };
}

/** What pages and programs may know of the processor. */
export function readProcessorConfig(): ProcessorConfig {
  const { stripe, funding } = config();
  return {
    configured: stripe !== null,
    publishableKey: stripe?.publishableKey ?? null,
    livemode: stripe?.livemode ?? false,
    tax: stripe?.tax ?? false,
    ...funding,
  };
}

function requireAmount(amountNanoUsd: bigint): void {
  const values = fundingBoundsBroken(amountNanoUsd);
  if (values !== null) throw apiError("invalid_request", { key: "problems:fundingAmount", values, param: "amount" });
}

/** The bounds that an amount of nano-USD breaks, as a sentence shows them; null for one that may be paid by card at once. */
export function fundingBoundsBroken(amountNanoUsd: bigint): { least: string; most: string } | null {
  const { minNanoUsd, maxNanoUsd } = config().funding;
  const holds = amountNanoUsd >= minNanoUsd && amountNanoUsd <= maxNanoUsd && centsOf(amountNanoUsd) !== null;
  return holds ? null : { least: plainUsd(minNanoUsd), most: plainUsd(maxNanoUsd) };
}

/** Makes the processor's page for a payment that its owner has to confirm there. Repeating it answers the same page. */
export async function confirmationSession(
  payment: PaymentRow,
  { customer, origin }: { customer: string; origin: string },
): Promise<{ url: string; sessionId: string }> {
  let sessionId = "";
  const frame = framing({ language: "auto" }, origin, { id: payment.id, customer });
  const url = await sessionUrl(payment.id, { ...frame, ...paymentOf(payment) }, async (made) => {
    sessionId = made;
  });
  return { url, sessionId };
}

const paymentOf = ({ id, amount, fee }: PaymentRow) =>
  ({
    mode: "payment",
    line_items: [
      lineItem("AI credit", centsOf(amount)!),
      ...(fee > 0n ? [lineItem("Payment fee", centsOf(fee)!)] : []),
    ],
    payment_intent_data: { metadata: { [REFERENCE]: id } },
  }) satisfies Stripe.Checkout.SessionCreateParams;

/** What every checkout session has; its key makes asking for it again find the first one. */
function framing(actor: Pick<Actor, "language">, origin: string, { id, customer }: { id: string; customer: string }) {
  const page = `${origin}/dashboard/billing/fund?checkout=${id}`;
  return {
    customer,
    client_reference_id: id,
    metadata: { [REFERENCE]: id },
    allowed_payment_method_types: ["card"],
    locale: (LANGUAGES.has(actor.language) ? actor.language : "auto") as Stripe.Checkout.SessionCreateParams.Locale,
    success_url: page,
    cancel_url: `${page}&cancelled=1`,
  } satisfies Stripe.Checkout.SessionCreateParams;
}

async function sessionUrl(
  id: string,
  session: Stripe.Checkout.SessionCreateParams,
  opened: (sessionId: string) => Promise<void>,
): Promise<string> {
  const made = await askProcessor((stripe) =>
    stripe.checkout.sessions.create(session, { idempotencyKey: `gw-checkout-${id}` }),
  );
  await opened(made.id);
  if (!made.url) throw apiError("billing_unavailable", { key: "rejections:processorAway" });
  return made.url;
}

/** Tax comes on top, whatever the processor's account takes as its default. */
const lineItem = (name: string, cents: number): Stripe.Checkout.SessionCreateParams.LineItem => ({
  quantity: 1,
  price_data: { currency: "usd", unit_amount: cents, tax_behavior: "exclusive", product_data: { name } },
});
