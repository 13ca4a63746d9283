import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { db } from "~/connection/db.server";
import { readBalance } from "~/domain/accounting/index.server";
import { type BillingBench, openBilling } from "../../../tests/support/billing";
import { spendFrom } from "../../../tests/support/spend";
import type { Thing } from "../../../tests/support/stand-in-processor/state";
import type { Actor } from "../accounts/shared";
import { payerOf } from "../keys/index.server";
import {
  applyDueEvents,
  applyEvent,
  checkPayments,
  compareEvents,
  creditByHand,
  deletePaymentMethod,
  listPaymentMethods,
  listPayments,
  makeDefault,
  readCheckoutStatus,
  readDeadEvents,
  readWallet,
  receiveEvent,
  replayEvent,
  startCardSetup,
} from "./index.server";

const USD = 1_000_000_000n;
let bench: BillingBench;
beforeAll(async () => {
  bench = await openBilling({ GW_FUNDING_FEE_PERCENT: "2.9", GW_FUNDING_FEE_FIXED: "0.30" });
}, 120_000);
afterAll(() => bench?.close());

const posted = async (walletId: number) => (await readBalance(db(), walletId)).postedNanoUsd;
const shuffled = <T>(list: readonly T[]): T[] => [...list].sort(() => Math.random() - 0.5);
const never = new AbortController().signal;

describe("a checkout", () => {
  test("asks for the credit and the fee, and credits the credit once it is paid, once", async () => {
    const admin = await bench.anAdmin();
    const { id, sessionId } = await bench.aCheckout(admin, 10n);
    const session = bench.processor.state.things.get(sessionId) as Thing;
    expect(session.amount_total).toBe(1_059);
    expect(await readCheckoutStatus(db(), admin, id)).toMatchObject({ state: "open", confirmed: false });
    const event = bench.processor.state.pay(sessionId);
    for (let turn = 0; turn < 5; turn += 1) await bench.deliver(event);
    expect(await posted(admin.walletId)).toBe(10n * USD);
    expect(await readCheckoutStatus(db(), admin, id)).toMatchObject({ state: "paid", confirmed: true });
    expect(await bench.defects()).toBe(0);
  });

  test("repeated with its key is the same page, also when the processor did it and did not answer; other fields are refused", async () => {
    const admin = await bench.anAdmin();
    await bench.aCheckout(admin, 5n);
    bench.processor.faults.push("cut_after");
    const first = await bench.aCheckout(admin, 20n, "top up");
    const again = await Promise.all(Array.from({ length: 5 }, () => bench.aCheckout(admin, 20n, "top up")));
    expect(new Set([first, ...again].map(({ url }) => url)).size).toBe(1);
    await expect(bench.aCheckout(admin, 21n, "top up")).rejects.toMatchObject({ code: "idempotency_conflict" });
  });

  test("of parallel ones without a key, each is a payment of its own", async () => {
    const admin = await bench.anAdmin();
    const all = await Promise.all(Array.from({ length: 8 }, () => bench.aCheckout(admin, 5n)));
    const events = all.map(({ sessionId }) => bench.processor.state.pay(sessionId));
    await Promise.all(shuffled([...events, ...events]).map(bench.deliver));
    await applyDueEvents(db());
    expect(await posted(admin.walletId)).toBe(40n * USD);
  });

  test("is for those who may fund the wallet, within bounds, in whole cents; its state is for whoever started it", async () => {
    const member = await bench.anAdmin("member");
    await expect(bench.aCheckout(member, 10n)).rejects.toMatchObject({ code: "forbidden" });
    const admin = await bench.anAdmin();
    for (const usd of [0n, 4n, 5_001n])
      await expect(bench.aCheckout(admin, usd)).rejects.toMatchObject({ code: "invalid_request", param: "amount" });
    const { id } = await bench.aCheckout(admin, 10n);
    await expect(readCheckoutStatus(db(), member, id)).rejects.toMatchObject({ code: "not_found" });
  });

  test("of an unreachable processor says so and has charged nothing", async () => {
    const admin = await bench.anAdmin();
    bench.processor.faults.push(
      "error_before",
      "error_before",
      "error_before",
      "error_before",
      "error_before",
      "error_before",
    );
    await expect(bench.aCheckout(admin, 10n)).rejects.toMatchObject({ code: "billing_unavailable" });
    bench.processor.faults.length = 0;
  });
});

describe("events", () => {
  test("five times, shuffled, eight at once, some of them dropped halfway: every wallet is exact", async () => {
    const payers = await Promise.all(Array.from({ length: 10 }, () => bench.anAdmin()));
    const told: Thing[] = [];
    for (const [at, payer] of payers.entries()) {
      const { sessionId } = await bench.aCheckout(payer, 10n);
      told.push(bench.processor.state.pay(sessionId));
      if (at % 2) told.push(bench.processor.state.refund(sessionId, 300), bench.processor.state.refund(sessionId, 229));
      if (at % 3 === 0) {
        const opened = bench.processor.state.dispute(sessionId, 1_059);
        told.push(opened, bench.processor.state.closeDispute(opened.data.object.id, "won"));
      }
    }
    const queue = shuffled([...told, ...told, ...told, ...told, ...told]);
    const work = async () => {
      for (let event = queue.pop(); event; event = queue.pop()) {
        const { payload, signature } = bench.processor.signed(event);
        const { id } = await receiveEvent(db(), new TextEncoder().encode(payload), signature);
        // A handler that crashes after the acknowledgement: the job applies the event.
        if (Math.random() > 0.1) await applyEvent(db(), id);
      }
    };
    await Promise.all(Array.from({ length: 8 }, work));
    await bench.sql("UPDATE processor_event SET next_attempt_at = app_now() WHERE state = 'received'");
    await applyDueEvents(db());
    const expected = payers.map((_, at) => (at % 2 ? 10n * USD - (10n * USD * 529n) / 1_059n : 10n * USD));
    expect(await Promise.all(payers.map(({ walletId }) => posted(walletId)))).toEqual(expected);
    expect(await readDeadEvents(db())).toEqual([]);
    expect(await bench.defects()).toBe(0);
  });

  test("a refund that is told before the payment is taken back once both are known", async () => {
    const admin = await bench.anAdmin();
    const { sessionId } = await bench.aCheckout(admin, 10n);
    const paid = bench.processor.state.pay(sessionId);
    await bench.deliver(bench.processor.state.refund(sessionId, 1_059));
    expect(await posted(admin.walletId)).toBe(0n);
    await bench.deliver(paid);
    expect(await bench.standing(admin.walletId)).toEqual({ wallet: 0n, owed: 0n });
  });

  test("500 that the processor did not send, or that are about something else, credit nothing", async () => {
    const admin = await bench.anAdmin();
    const other = await bench.aCheckout(await bench.anAdmin(), 10n);
    const { sessionId } = await bench.aCheckout(admin, 10n);
    const genuine = bench.processor.state.pay(sessionId);
    const session = genuine.data.object as Thing;
    const now = Math.floor(Date.now() / 1_000);
    const lies: ((event: Thing, at: number) => { payload: string; signature: string | null })[] = [
      (event) => bench.processor.signed(event, { secret: "whsec_other" }),
      (event) => bench.processor.signed(event, { secret: "" }),
      (event) => bench.processor.signed(event, { timestamp: now + 400 }),
      (event) => bench.processor.signed(event, { timestamp: now - 400 }),
      (event) => ({ ...bench.processor.signed(event), signature: null }),
      (event) => ({ ...bench.processor.signed(event), signature: `t=${now},v0=${"0".repeat(64)}` }),
      (event) => ({ ...bench.processor.signed(event), payload: JSON.stringify(event) }),
      (event, at) => {
        const { payload, signature } = bench.processor.signed(event);
        const bytes = Buffer.from(payload);
        bytes[at % bytes.length]! ^= 1 << (at % 7);
        return { payload: bytes.toString("latin1"), signature };
      },
      (event) => bench.processor.signed({ ...event, livemode: true }),
    ];
    const untrue: ((session: Thing) => Thing)[] = [
      (s) => ({ ...s, amount_total: 0 }),
      (s) => ({ ...s, amount_subtotal: null }),
      (s) => ({ ...s, currency: "jpy" }),
      (s) => ({ ...s, payment_status: "unpaid" }),
      (s) => ({ ...s, client_reference_id: other.id }),
      (s) => ({ ...s, client_reference_id: other.id, metadata: { gw_reference: other.id } }),
      (s) => ({ ...s, metadata: {} }),
      (s) => ({ ...s, mode: "subscription" }),
    ];
    let refused = 0;
    for (let at = 0; at < 500; at += 1) {
      const lie = lies[at % (lies.length + 1)];
      const object = lie ? session : untrue[at % untrue.length]!(session);
      const event = { ...genuine, id: `evt_forged_${at}`, data: { object } };
      const { payload, signature } = (lie ?? ((it: Thing) => bench.processor.signed(it)))(event, at);
      const received = await receiveEvent(db(), Buffer.from(payload, "latin1"), signature).catch(() => null);
      if (received === null) refused += 1;
      else await applyEvent(db(), received.id);
    }
    expect(refused).toBe(450);
    expect(await posted(admin.walletId)).toBe(0n);
    await bench.sql("UPDATE processor_event SET state = 'ignored' WHERE id LIKE 'evt_forged%'");
    await bench.deliver(genuine);
    expect(await posted(admin.walletId)).toBe(10n * USD);
  }, 120_000);

  test("that nobody delivered are found by the comparison, or by asking about the payment", async () => {
    const admin = await bench.anAdmin();
    const one = await bench.aCheckout(admin, 10n);
    const two = await bench.aCheckout(admin, 20n);
    bench.processor.state.pay(one.sessionId);
    await bench.sql("UPDATE payment SET created_at = app_now() - interval '10 minutes' WHERE id = $1", [one.id]);
    expect(await checkPayments(db(), never)).toBeGreaterThan(0);
    expect(await posted(admin.walletId)).toBe(10n * USD);
    const [row] = await bench.sql("SELECT card, receipt_url FROM payment WHERE id = $1", [one.id]);
    expect(row).toEqual({ card: "visa 4242", receipt_url: "https://pay.example/receipt" });
    bench.processor.state.pay(two.sessionId);
    expect(await compareEvents(db(), never)).toBeGreaterThan(0);
    expect(await compareEvents(db(), never)).toBe(0);
    expect(await posted(admin.walletId)).toBe(30n * USD);
  });

  test("that cannot be true are put aside, and can be applied once more", async () => {
    const admin = await bench.anAdmin();
    const { id, sessionId } = await bench.aCheckout(admin, 10n);
    const event = bench.processor.state.pay(sessionId);
    await bench.sql("UPDATE payment SET session_id = 'cs_other' WHERE id = $1", [id]);
    await bench.deliver(event);
    expect(await readDeadEvents(db())).toMatchObject([
      { id: event.id, error: "the payment has another checkout session" },
    ]);
    expect(await replayEvent(db(), event.id)).toEqual({ found: true, applied: false });
    await bench.sql("UPDATE payment SET session_id = $2 WHERE id = $1", [id, sessionId]);
    expect(await replayEvent(db(), event.id)).toEqual({ found: true, applied: true });
    expect(await replayEvent(db(), event.id)).toEqual({ found: false, applied: false });
    expect(await posted(admin.walletId)).toBe(10n * USD);
  });
});

describe("money that goes back", () => {
  test("spent already, it is owed, and the next payment repays it first", async () => {
    const admin = await bench.anAdmin();
    const { sessionId } = await bench.aCheckout(admin, 10n);
    await bench.deliver(bench.processor.state.pay(sessionId));
    await spendFrom(admin.walletId, 9n * USD);
    await bench.deliver(bench.processor.state.refund(sessionId, 1_059));
    expect(await bench.standing(admin.walletId)).toEqual({ wallet: 0n, owed: 9n * USD });
    await bench.deliver(bench.processor.state.pay((await bench.aCheckout(admin, 10n)).sessionId));
    expect(await bench.standing(admin.walletId)).toEqual({ wallet: USD, owed: 0n });
  });
});

describe("cards", () => {
  const aCard = async (actor: Actor, card: Thing = {}) => {
    const { url } = await startCardSetup(db(), actor, { idempotencyKey: null, origin: "http://gw.example" });
    const event = bench.processor.state.saveCard(url.split("/").at(-1) as string, card);
    for (let turn = 0; turn < 3; turn += 1) await bench.deliver(event);
    return bench.processor.state.things.get((event.data.object as Thing).setup_intent)?.payment_method as string;
  };

  test("are saved without a payment, renewed by their bank, removed at the processor, and never anybody else's", async () => {
    const admin = await bench.anAdmin();
    const first = await aCard(admin, { exp_month: 1, exp_year: 2020 });
    const second = await aCard(admin, { brand: "mastercard", last4: "4444" });
    const cards = await listPaymentMethods(db(), admin);
    expect(cards.map(({ id, last4, expired, isDefault }) => [id, last4, expired, isDefault])).toEqual([
      [second, "4444", false, false],
      [first, "4242", true, true],
    ]);
    const renewed = bench.processor.state.things.get(first) as Thing;
    renewed.card.exp_year = 2041;
    await bench.deliver(bench.processor.state.happen("payment_method.automatically_updated", renewed));
    expect((await listPaymentMethods(db(), admin)).find(({ id }) => id === first)).toMatchObject({ expired: false });

    const stranger = await bench.anAdmin();
    for (const act of [deletePaymentMethod, makeDefault])
      await expect(act(db(), stranger, first)).rejects.toMatchObject({ code: "not_found" });
    await makeDefault(db(), admin, second);
    await deletePaymentMethod(db(), admin, second);
    expect((bench.processor.state.things.get(second) as Thing).customer).toBeNull();
    expect(await listPaymentMethods(db(), admin)).toMatchObject([{ id: first, isDefault: true }]);
    await expect(deletePaymentMethod(db(), admin, second)).rejects.toMatchObject({ code: "not_found" });
    expect(await posted(admin.walletId)).toBe(0n);
  });
});

describe("the list of payments", () => {
  test("comes in pages without gaps, for whoever paid and whoever may fund the wallet", async () => {
    const admin = await bench.anAdmin();
    const made: string[] = [];
    for (const usd of [5n, 6n, 7n, 8n, 9n]) made.unshift((await bench.aCheckout(admin, usd)).id);
    const colleague = { ...admin, userId: (await bench.anAdmin()).userId };
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listPayments(db(), colleague, { limit: 2, ...(cursor && { cursor }) });
      seen.push(...page.payments.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(made);
    const member = { ...colleague, role: "member" as const };
    expect((await listPayments(db(), member, { limit: 10 })).payments).toEqual([]);
    const stranger = await bench.anAdmin();
    expect((await listPayments(db(), stranger, { limit: 10, cursor: made[0]! })).payments).toEqual([]);
  });
});

describe("credit by hand", () => {
  test("is an adjustment with its reason, once under any repetition, on record once, and by those who run the installation", async () => {
    const owner = await bench.anAdmin("owner");
    const customer = await bench.anAdmin();
    const credit = {
      payer: { kind: "organisation" as const, id: customer.organisationId },
      amountNanoUsd: 7n * USD,
      reason: "invoice 12",
      requestId: "one",
    };
    await Promise.all(Array.from({ length: 6 }, () => creditByHand(db(), owner, credit)));
    expect(await posted(customer.walletId)).toBe(7n * USD);
    const { wallet } = await readWallet(db(), customer, { before: null, limit: 10 });
    expect(wallet?.lines).toMatchObject([{ kind: "adjustment", memo: "invoice 12", balanceAfterNanoUsd: 7n * USD }]);
    const events = await bench.sql(
      "SELECT after FROM act WHERE action = 'organisation.wallet_credit' AND organisation_id = $1",
      [customer.organisationId],
    );
    expect(events).toMatchObject([{ after: { amountNanoUsd: String(7n * USD), reason: "invoice 12" } }]);
    await expect(creditByHand(db(), owner, { ...credit, amountNanoUsd: 8n * USD })).rejects.toMatchObject({
      code: "idempotency_conflict",
    });
    await expect(creditByHand(db(), customer, { ...credit, requestId: "two" })).rejects.toMatchObject({
      code: "forbidden",
    });
    const { id } = await db().project.create({ data: { organisationId: customer.organisationId, name: "funded" } });
    const key = { organisationId: customer.organisationId, projectId: id, userId: customer.userId };
    expect(await payerOf(db(), key)).toMatchObject({ reason: "organisation" });
    await creditByHand(db(), owner, { ...credit, payer: { kind: "project", id }, requestId: "three" });
    const payer = await payerOf(db(), key);
    expect(payer).toMatchObject({ payer: { kind: "project", id }, name: "funded", reason: "project" });
    expect(await posted(payer.walletId)).toBe(7n * USD);
    const nobody = { ...credit, payer: { kind: "user" as const, id: 1_999_999_999 } };
    await expect(creditByHand(db(), owner, nobody)).rejects.toMatchObject({ code: "not_found" });
  });
});
