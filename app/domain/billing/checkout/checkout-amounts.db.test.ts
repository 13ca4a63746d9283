import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { db } from "~/connection/db.server";
import { type BillingBench, openBilling } from "../../../../tests/support/billing";
import type { Thing } from "../../../../tests/support/stand-in-processor/state";
import {
  checkPayments,
  emailPaymentProblems,
  readCheckoutStatus,
  readDeadEvents,
  readMismatches,
  replayEvent,
} from "../index.server";

const USD = 1_000_000_000n;
let bench: BillingBench;
let withoutTax: ReturnType<typeof readConfig>;
let withTax: ReturnType<typeof readConfig>;
beforeAll(async () => {
  bench = await openBilling();
  const settings = { ...bench.settings, GW_FUNDING_FEE_PERCENT: "2.9", GW_FUNDING_FEE_FIXED: "0.30" };
  withoutTax = readConfig(settings);
  withTax = readConfig({ ...settings, STRIPE_TAX: "true" });
}, 120_000);
afterAll(() => bench?.close());
beforeEach(async () => {
  setConfig(withoutTax);
  await bench.sql("UPDATE processor_event SET state = 'ignored' WHERE state = 'dead'");
  await problems();
});

/** The notifications to owners and platform admins. */
async function problems(): Promise<object[]> {
  const told: object[] = [];
  await emailPaymentProblems(db(), async (_, { email }, counts) => void told.push({ email, ...counts }));
  return told;
}
const mismatchOf = async (id: string) => (await readMismatches(db())).find(({ paymentId }) => paymentId === id);

describe("a paid checkout of $10 for $10.59", () => {
  test("with tax asks for it on top, whatever the account's default is, and is credited in full", async () => {
    setConfig(withTax);
    for (const behavior of ["inclusive", "exclusive", null] as const) {
      bench.processor.state.tax = { percent: 19, behavior };
      const admin = await bench.anAdmin();
      const { id, sessionId } = await bench.aCheckout(admin, 10n);
      const event = bench.processor.state.pay(sessionId);
      expect(event.data.object).toMatchObject({ amount_total: 1_260, total_details: { amount_tax: 201 } });
      await bench.deliver(event);
      expect(await bench.standing(admin.walletId)).toEqual({ wallet: 10n * USD, owed: 0n });
      const [row] = await bench.sql("SELECT charged_cents::int AS cents FROM payment WHERE id = $1", [id]);
      expect(row).toEqual({ cents: 1_260 });
      // A refund of the whole charge takes back the whole credit.
      await bench.deliver(bench.processor.state.refund(sessionId, 1_260));
      expect(await bench.standing(admin.walletId)).toEqual({ wallet: 0n, owed: 0n });
    }
  });

  test.each<[string, Thing, bigint]>([
    ["with tax that the price includes", { total_details: { amount_tax: 169 } }, 10n * USD],
    [
      "shown in another currency",
      { presentment_details: { presentment_amount: 959, presentment_currency: "eur" } },
      10n * USD,
    ],
    ["less a discount", { amount_total: 859, total_details: { amount_tax: 0, amount_discount: 200 } }, 8_111_425_873n],
    [
      "less a discount, with tax on top",
      { amount_total: 1_022, total_details: { amount_tax: 163, amount_discount: 200 } },
      8_111_425_873n,
    ],
    ["with a cent less", { amount_total: 1_058 }, 9_990_557_129n],
    ["with another price", { amount_subtotal: 500, amount_total: 500 }, 4_721_435_316n],
    ["with more than was asked", { amount_subtotal: 2_000, amount_total: 2_000 }, 10n * USD],
  ])("is credited with what was paid, once: %s", async (_, change, credit) => {
    const admin = await bench.anAdmin();
    const { id, sessionId } = await bench.aCheckout(admin, 10n, "once");
    const event = bench.processor.state.pay(sessionId, change);
    for (let turn = 0; turn < 3; turn += 1) await bench.deliver(event);
    expect(await bench.standing(admin.walletId)).toEqual({ wallet: credit, owed: 0n });
    expect(await readCheckoutStatus(db(), admin, id)).toMatchObject({ confirmed: true, creditNanoUsd: credit });
    expect(await readDeadEvents(db())).toEqual([]);
    const charge = bench.processor.state.chargeOf(sessionId);
    await bench.deliver(bench.processor.state.refund(sessionId, charge.amount));
    expect(await bench.standing(admin.walletId)).toEqual({ wallet: 0n, owed: 0n });
    expect(await bench.defects()).toBe(0);
    await expect(bench.aCheckout(admin, 11n, "once")).rejects.toMatchObject({ code: "idempotency_conflict" });
  });

  test("with another amount is on the list of those who run the installation, who are told of it once", async () => {
    const owner = await bench.anAdmin("owner");
    const admin = await bench.anAdmin();
    const { id, sessionId } = await bench.aCheckout(admin, 10n);
    await bench.deliver(
      bench.processor.state.pay(sessionId, {
        amount_total: 859,
        total_details: { amount_tax: 0, amount_discount: 200 },
      }),
    );
    expect(await mismatchOf(id)).toMatchObject({
      askedCents: 1_059n,
      paidCents: 859n,
      creditedNanoUsd: 8_111_425_873n,
    });
    expect(await problems()).toContainEqual({ email: owner.email, events: 0, mismatches: 1, pauses: 0, connection: 0 });
    expect(await problems()).toEqual([]);
    const exact = await bench.aCheckout(admin, 10n);
    await bench.deliver(bench.processor.state.pay(exact.sessionId));
    expect(await mismatchOf(exact.id)).toBeUndefined();
  });

  test("that was looked up is credited as its event would have been", async () => {
    const admin = await bench.anAdmin();
    const { id, sessionId } = await bench.aCheckout(admin, 10n);
    bench.processor.state.pay(sessionId, { amount_total: 859, total_details: { amount_tax: 0, amount_discount: 200 } });
    await bench.sql("UPDATE payment SET created_at = app_now() - interval '10 minutes' WHERE id = $1", [id]);
    await checkPayments(db(), new AbortController().signal);
    expect(await bench.standing(admin.walletId)).toEqual({ wallet: 8_111_425_873n, owed: 0n });
    expect(await mismatchOf(id)).toMatchObject({ paidCents: 859n });
  });

  test.each<[string, Thing]>([
    ["euros", { currency: "eur" }],
    ["yen, which have no cents", { currency: "jpy" }],
    ["no amount", { amount_total: null }],
    ["nothing but tax", { amount_total: 201, total_details: { amount_tax: 201, amount_discount: 1_059 } }],
  ])("of which nothing is proven in US dollars credits nothing, and is told: %s", async (_, change) => {
    const owner = await bench.anAdmin("owner");
    const admin = await bench.anAdmin();
    const { sessionId } = await bench.aCheckout(admin, 10n);
    const event = bench.processor.state.pay(sessionId, change);
    await bench.deliver(event);
    expect(await bench.standing(admin.walletId)).toEqual({ wallet: 0n, owed: 0n });
    expect(await readDeadEvents(db())).toMatchObject([{ id: event.id }]);
    expect(await problems()).toContainEqual({ email: owner.email, events: 1, mismatches: 0, pauses: 0, connection: 0 });
    expect(await problems()).toEqual([]);
    await replayEvent(db(), event.id);
    expect(await problems()).toContainEqual(expect.objectContaining({ email: owner.email, events: 1 }));
  });

  test("that a discount has made free is over, and credits nothing", async () => {
    const admin = await bench.anAdmin();
    const { id, sessionId } = await bench.aCheckout(admin, 10n);
    const session = bench.processor.state.things.get(sessionId) as Thing;
    const free = { status: "complete", payment_status: "no_payment_required", amount_total: 0 };
    await bench.deliver(bench.processor.state.happen("checkout.session.completed", { ...session, ...free }));
    expect(await readCheckoutStatus(db(), admin, id)).toMatchObject({ state: "failed", confirmed: false });
  });
});

test("what the same account sells elsewhere, in whatever currency, is ignored and asks for nobody's attention", async () => {
  const admin = await bench.anAdmin();
  const { sessionId } = await bench.aCheckout(admin, 10n);
  const paid = bench.processor.state.pay(sessionId).data.object as Thing;
  const foreign = {
    ...paid,
    id: "cs_elsewhere",
    currency: "eur",
    client_reference_id: "order-7",
    metadata: { order: "7" },
  };
  const intent = bench.processor.state.keep({ id: "pi_elsewhere", object: "payment_intent", metadata: { order: "7" } });
  const charge = {
    id: "ch_elsewhere",
    payment_intent: intent.id,
    metadata: {},
    amount: 900,
    amount_refunded: 900,
    currency: "eur",
  };
  const dispute = {
    id: "dp_elsewhere",
    payment_intent: intent.id,
    amount: 900,
    currency: "jpy",
    status: "needs_response",
  };
  const warning = { id: "issfr_elsewhere", payment_intent: intent.id };
  for (const [type, object] of [
    ["checkout.session.completed", foreign],
    ["charge.refunded", charge],
    [
      "refund.created",
      { id: "re_elsewhere", payment_intent: intent.id, amount: 900, currency: "eur", status: "pending" },
    ],
    ["charge.dispute.created", dispute],
    ["charge.dispute.created", { ...dispute, id: "dp_asked", status: "warning_needs_response" }],
    ["radar.early_fraud_warning.created", warning],
  ] as const) {
    const event = bench.processor.state.happen(type, object);
    await bench.deliver(event);
    const [row] = await bench.sql("SELECT state FROM processor_event WHERE id = $1", [event.id]);
    expect([type, row]).toEqual([type, { state: "ignored" }]);
  }
  expect(await readDeadEvents(db())).toEqual([]);
});
