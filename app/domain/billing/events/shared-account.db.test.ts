import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "~/connection/db.server";
import { type BillingBench, openBilling } from "../../../../tests/support/billing";
import type { Thing } from "../../../../tests/support/stand-in-processor/state";
import { compareEvents, readDeadEvents } from "../index.server";

let bench: BillingBench;
/** A wallet of gw, with a payment. */
let walletId: number;
beforeAll(async () => {
  bench = await openBilling();
  const { state } = bench.processor;
  state.keep({ id: "pi_theirs", object: "payment_intent", metadata: { order: "7" } });
  state.keep({ id: "pm_theirs", object: "payment_method", type: "sepa_debit", customer: "cus_theirs" });
  const admin = await bench.anAdmin();
  walletId = admin.walletId;
  const { sessionId } = await bench.aCheckout(admin, 10n);
  await bench.deliver(state.pay(sessionId));
}, 120_000);
afterAll(() => bench?.close());

const session = (more: Thing): Thing => ({
  id: "cs_theirs",
  object: "checkout.session",
  mode: "payment",
  payment_status: "paid",
  status: "complete",
  client_reference_id: null,
  metadata: {},
  currency: "usd",
  amount_subtotal: 900,
  amount_total: 900,
  total_details: { amount_tax: 0, amount_discount: 0 },
  payment_intent: "pi_gone",
  ...more,
});
const refund = (more: Thing): Thing => ({
  id: "re_theirs",
  object: "refund",
  amount: 900,
  currency: "eur",
  status: "succeeded",
  ...more,
});
const dispute = (more: Thing): Thing => ({ id: "dp_theirs", amount: 900, currency: "eur", status: "lost", ...more });

/** Sales of other products on the account; `pi_theirs` can be retrieved, `pi_gone` belongs to a connected account. */
const FOREIGN: readonly (readonly [string, string, Thing])[] = [
  [
    "a payment by a page",
    "checkout.session.completed",
    session({ client_reference_id: "order-7", metadata: { order: "7" } }),
  ],
  ["a page without any reference", "checkout.session.completed", session({ metadata: null })],
  [
    "a page whose mark is no id",
    "checkout.session.completed",
    session({ client_reference_id: "7", metadata: { gw_reference: "7" } }),
  ],
  [
    "a subscription's page",
    "checkout.session.completed",
    session({ mode: "subscription", payment_intent: null, subscription: "sub_1" }),
  ],
  [
    "a page that saves a card",
    "checkout.session.completed",
    session({
      mode: "setup",
      currency: null,
      amount_total: null,
      amount_subtotal: null,
      total_details: null,
      payment_intent: null,
      setup_intent: "seti_1",
      payment_status: "no_payment_required",
    }),
  ],
  [
    "a page in yen",
    "checkout.session.completed",
    session({
      currency: "jpy",
      amount_total: 900,
      presentment_details: { presentment_currency: "usd", presentment_amount: 6 },
    }),
  ],
  [
    "a page in dinars",
    "checkout.session.async_payment_succeeded",
    session({ currency: "kwd", amount_total: 9_000, amount_subtotal: 9_000 }),
  ],
  [
    "a page with a converted currency",
    "checkout.session.completed",
    session({
      currency_conversion: { amount_subtotal: 900, amount_total: 900, fx_rate: "0.9", source_currency: "eur" },
    }),
  ],
  ["a page that has ended", "checkout.session.expired", session({ payment_status: "unpaid", payment_intent: null })],
  ["a page whose payment failed later", "checkout.session.async_payment_failed", session({ payment_status: "unpaid" })],
  ["a payment", "payment_intent.succeeded", { id: "pi_theirs", metadata: {} }],
  [
    "a payment with a mark that is no id",
    "payment_intent.succeeded",
    { id: "pi_theirs", metadata: { gw_reference: "order-7" } },
  ],
  [
    "a payment that failed",
    "payment_intent.payment_failed",
    { id: "pi_gone", metadata: {}, last_payment_error: { code: "card_declined" } },
  ],
  ["a refund", "refund.created", refund({ payment_intent: "pi_theirs" })],
  ["a refund without a payment", "refund.updated", refund({ payment_intent: null, status: null })],
  [
    "a refund of a payment that cannot be asked for",
    "refund.failed",
    refund({ payment_intent: "pi_gone", status: "failed" }),
  ],
  [
    "a refunded charge",
    "charge.refunded",
    { id: "ch_1", payment_intent: "pi_theirs", metadata: {}, amount_refunded: 900, currency: "jpy" },
  ],
  [
    "a refunded charge that cannot be asked for",
    "charge.refunded",
    { id: "ch_1", payment_intent: "pi_gone", metadata: { order: "7" }, amount_refunded: 9_000, currency: "kwd" },
  ],
  [
    "a refunded charge without a payment",
    "charge.refunded",
    { id: "ch_1", payment_intent: null, metadata: {}, amount_refunded: 900, currency: "usd" },
  ],
  ["a dispute", "charge.dispute.created", dispute({ payment_intent: "pi_theirs", status: "needs_response" })],
  ["a dispute that cannot be asked for", "charge.dispute.closed", dispute({ payment_intent: "pi_gone" })],
  ["a dispute that took money", "charge.dispute.funds_withdrawn", dispute({ payment_intent: "pi_gone" })],
  ["an inquiry", "charge.dispute.created", dispute({ payment_intent: "pi_gone", status: "warning_needs_response" })],
  ["a warning of fraud", "radar.early_fraud_warning.created", { id: "issfr_theirs", payment_intent: "pi_gone" }],
  ["a card", "payment_method.updated", { id: "pm_theirs" }],
  ["a card that cannot be asked for", "payment_method.automatically_updated", { id: "pm_gone" }],
  ["a card that was taken away", "payment_method.detached", { id: "pm_gone" }],
  ["a subscription", "customer.subscription.created", { id: "sub_1", status: "active" }],
  ["an invoice", "invoice.paid", { id: "in_1", amount_paid: 900, currency: "eur" }],
  ["a customer", "customer.deleted", { id: "cus_theirs" }],
  ["a payout", "payout.paid", { id: "po_1", amount: 900, currency: "eur" }],
];

test.each(FOREIGN)(
  "%s of another product is ignored, moves nothing and asks for nobody's attention",
  async (_, type, object) => {
    const { state } = bench.processor;
    const event: Thing = { ...state.happen(type, object), account: "acct_connected" };
    await bench.deliver(event);
    const [row] = await bench.sql("SELECT state FROM processor_event WHERE id = $1", [event.id]);
    expect(row).toEqual({ state: "ignored" });
    expect(await bench.standing(walletId)).toEqual({ wallet: 10_000_000_000n, owed: 0n });
    expect(await readDeadEvents(db())).toEqual([]);
  },
);

test("the comparison finds none of them again", async () => {
  await compareEvents(db(), new AbortController().signal);
  expect(await compareEvents(db(), new AbortController().signal)).toBe(0);
  expect(await readDeadEvents(db())).toEqual([]);
  expect(await bench.defects()).toBe(0);
});
