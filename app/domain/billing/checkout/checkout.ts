import { randomUUID } from "node:crypto";
import type Stripe from "stripe";
import { config } from "~/config.server";
import type { Db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { apiError } from "~/errors/app-error";
import { plainUsd } from "~/values/money";
import { findSetup, insertSetup, openSetup } from "../card-store";
import { withCustomer } from "../customer";
import { REFERENCE } from "../events/event-facts";
import { askOwnConnection, askProcessor, processorSettings } from "../processor";
import type { PaymentState, ProcessorConfig } from "../shared";
import { findPayment, insertPayment, openPayment, type PaymentRow } from "../store";
import { centsOf, priceOfCredit } from "./fee";
import { readOwnFunding } from "./funding";

export type CheckoutRequest = {
  /** Net credit, nano-USD. */
  amountNanoUsd: bigint;
  idempotencyKey: string | null;
  /** Origin of the person's portal, such as https://gw.example.com, to which they return. */
  origin: string;
};

const LANGUAGES: ReadonlySet<string> = new Set(["en", "de", "fr", "es"]);

/**
 * Starts a payment for the wallet that pays for the actor, and returns the processor's page for it. No money moves
 * here: the wallet is credited when the processor reports the payment. Repeating it with the same key returns the same
 * page or, after the payment has ended, the page that shows its result.
 * @throws AppError billing_unavailable; forbidden for another person's wallet; conflict for an exempt wallet;
 *   invalid_request for an amount out of bounds; idempotency_conflict; operation_in_progress.
 */
export async function startCheckout(
  db: Db,
  actor: Actor,
  request: CheckoutRequest,
): Promise<{ id: string; url: string }> {
  const { livemode, tax } = processorSettings();
  const { funding } = config();
  const { amountNanoUsd, idempotencyKey, origin } = request;
  requireAmount(amountNanoUsd);
  const { walletId, exempt, payer, mayFund } = await readOwnFunding(db, actor);
  if (!mayFund) throw apiError("forbidden", { key: "rejections:fundsByAdmins" });
  if (exempt) throw apiError("conflict", { key: "rejections:exemptWallet" });
  const { feeNanoUsd, totalNanoUsd } = priceOfCredit(amountNanoUsd, funding);
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
  const { id, sessionId } = payment;
  if (sessionId !== null) return { id, url: await openedUrl(sessionId, pageOf(id, origin)) };
  const url = await withCustomer(db, actor, (customer) =>
    sessionUrl(
      {
        ...framing(actor, origin, { id, customer }),
        ...paymentOf(payment),
        ...(tax && { automatic_tax: { enabled: true }, customer_update: { address: "auto" } }),
      },
      (session) => openPayment(db, id, session),
    ),
  );
  return { id, url };
}

/**
 * Starts saving a card on the processor's page, without a payment, and returns that page. The card is saved when the
 * processor reports it. Repeating it with the same key returns the same page.
 * @throws AppError billing_unavailable; operation_in_progress
 */
export async function startCardSetup(
  db: Db,
  actor: Actor,
  request: Omit<CheckoutRequest, "amountNanoUsd">,
): Promise<{ id: string; url: string }> {
  const { livemode } = processorSettings();
  const { idempotencyKey, origin } = request;
  const setup = await insertSetup(db, { id: randomUUID(), userId: actor.userId, idempotencyKey, livemode });
  const { id, sessionId } = setup;
  if (sessionId !== null) return { id, url: await openedUrl(sessionId, pageOf(id, origin)) };
  const url = await withCustomer(db, actor, (customer) =>
    sessionUrl({ ...framing(actor, origin, { id, customer }), mode: "setup", currency: "usd" }, (session) =>
      openSetup(db, id, session),
    ),
  );
  return { id, url };
}

/** State of a checkout in gw's database: `confirmed` once the ledger has its credit, or the card is saved. */
export type CheckoutStatus =
  | { kind: "payment"; state: PaymentState; confirmed: boolean; creditNanoUsd: bigint }
  | {
      kind: "setup";
      state: "created" | "open" | "complete" | "expired";
      confirmed: boolean;
      paymentMethodId: string | null;
    };

/**
 * Returns the state of the actor's own checkout. Changes nothing.
 * @throws AppError not_found, also for another person's checkout
 */
export async function readCheckoutStatus(db: Db, actor: Actor, id: string): Promise<CheckoutStatus> {
  const payment = await findPayment(db, actor.userId, id);
  if (payment !== null)
    return { kind: "payment", state: payment.state, confirmed: payment.credited, creditNanoUsd: payment.amount };
  const setup = await findSetup(db, actor.userId, id);
  if (setup === null) throw apiError("not_found");
  return { kind: "setup", state: setup.state, confirmed: setup.state === "complete", paymentMethodId: setup.methodId };
}

/** Returns the public configuration of the processor. */
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

/** Returns the bounds that an amount of nano-USD violates, as text; null when it can be paid by card. */
export function fundingBoundsBroken(amountNanoUsd: bigint): { least: string; most: string } | null {
  const { minNanoUsd, maxNanoUsd } = config().funding;
  const holds = amountNanoUsd >= minNanoUsd && amountNanoUsd <= maxNanoUsd && centsOf(amountNanoUsd) !== null;
  return holds ? null : { least: plainUsd(minNanoUsd), most: plainUsd(maxNanoUsd) };
}

/** Creates the processor's page for a payment that its owner must confirm there. Repeating it returns the same page. */
export async function confirmationSession(
  payment: PaymentRow,
  { customer, origin }: { customer: string; origin: string },
): Promise<{ url: string; sessionId: string }> {
  let sessionId = "";
  const frame = framing({ language: "auto" }, origin, { id: payment.id, customer });
  const url = await sessionUrl({ ...frame, ...paymentOf(payment) }, async (session) => {
    sessionId = session;
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
    // With adaptive pricing, the payment, its refunds and its disputes would be in the customer's own currency.
    adaptive_pricing: { enabled: false },
  }) satisfies Stripe.Checkout.SessionCreateParams;

/** The page to which people return, and which shows the state of a checkout. */
const pageOf = (id: string, origin: string) => `${origin}/dashboard/billing/fund?checkout=${id}`;

/** Parameters that all checkout sessions share. */
function framing(actor: Pick<Actor, "language">, origin: string, { id, customer }: { id: string; customer: string }) {
  const page = pageOf(id, origin);
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

/**
 * Returns the page of a known session. The processor forgets its idempotency key after a day, and would open a second
 * session.
 */
async function openedUrl(sessionId: string, page: string): Promise<string> {
  const session = await askOwnConnection((stripe) => stripe.checkout.sessions.retrieve(sessionId));
  return session?.url ?? page;
}

/** Opens a session. Its idempotency key makes a repeated request return the first session. */
async function sessionUrl(
  session: ReturnType<typeof framing> & Stripe.Checkout.SessionCreateParams,
  opened: (sessionId: string) => Promise<void>,
): Promise<string> {
  const made = await askProcessor((stripe) =>
    stripe.checkout.sessions.create(session, {
      idempotencyKey: `gw-checkout-${session.client_reference_id}-${session.customer}`,
    }),
  );
  await opened(made.id);
  if (!made.url) throw apiError("billing_unavailable", { key: "rejections:processorAway" });
  return made.url;
}

/** Tax is added on top, whatever the default of the processor's account. */
const lineItem = (name: string, cents: number): Stripe.Checkout.SessionCreateParams.LineItem => ({
  quantity: 1,
  price_data: { currency: "usd", unit_amount: cents, tax_behavior: "exclusive", product_data: { name } },
});
