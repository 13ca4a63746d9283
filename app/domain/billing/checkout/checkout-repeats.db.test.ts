import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { db } from "~/connection/db.server";
import { type BillingBench, openBilling } from "../../../../tests/support/billing";
import type { Thing } from "../../../../tests/support/stand-in-processor/state";
import { checkPayments, listPaymentMethods, readCheckoutStatus, readDeadEvents, startCardSetup } from "../index.server";

const never = new AbortController().signal;
const ORIGIN = "http://gw.example";
let bench: BillingBench;
beforeAll(async () => {
  bench = await openBilling();
}, 120_000);
afterAll(() => bench?.close());

const sessionOf = (url: string) => url.split("/").at(-1) as string;
const aSetup = (admin: Awaited<ReturnType<BillingBench["anAdmin"]>>, idempotencyKey: string | null = null) =>
  startCardSetup(db(), admin, { idempotencyKey, origin: ORIGIN });

describe("a customer whom the processor does not know any more", () => {
  const forget = (sessionId: string) => {
    const { things } = bench.processor.state;
    things.delete((things.get(sessionId) as Thing).customer);
  };

  test("is made anew: the checkout goes on, and is credited", async () => {
    const admin = await bench.anAdmin();
    forget((await bench.aCheckout(admin, 10n)).sessionId);
    const { sessionId } = await bench.aCheckout(admin, 20n);
    await bench.deliver(bench.processor.state.pay(sessionId));
    expect((await bench.standing(admin.walletId)).wallet).toBe(20_000_000_000n);
  });

  test("has no cards, and saves new ones", async () => {
    const admin = await bench.anAdmin();
    const first = sessionOf((await aSetup(admin)).url);
    await bench.deliver(bench.processor.state.saveCard(first));
    expect(await listPaymentMethods(db(), admin)).toHaveLength(1);
    forget(first);
    const { url } = await aSetup(admin);
    expect(await listPaymentMethods(db(), admin)).toEqual([]);
    await bench.deliver(bench.processor.state.saveCard(sessionOf(url), { last4: "1881" }));
    expect(await listPaymentMethods(db(), admin)).toMatchObject([{ last4: "1881", isDefault: true }]);
  });

  test("is made once by many at once", async () => {
    const admin = await bench.anAdmin();
    forget((await bench.aCheckout(admin, 10n)).sessionId);
    const all = await Promise.all([1, 2, 3, 4].map(() => bench.aCheckout(admin, 10n)));
    const customers = all.map(({ sessionId }) => bench.processor.state.things.get(sessionId)?.customer);
    expect(new Set(customers).size).toBe(1);
  });
});

describe("a checkout repeated with its key", () => {
  /** The processor retains an idempotency key for a day. */
  const passADay = () => bench.processor.forgetKeys();

  test("days later is the same page, so that what is paid there is credited", async () => {
    const admin = await bench.anAdmin();
    const first = await bench.aCheckout(admin, 10n, "monthly");
    passADay();
    const again = await bench.aCheckout(admin, 10n, "monthly");
    expect(again.url).toBe(first.url);
    await bench.deliver(bench.processor.state.pay(again.sessionId));
    expect((await bench.standing(admin.walletId)).wallet).toBe(10_000_000_000n);
    expect(await readDeadEvents(db())).toEqual([]);
  });

  test.each(["pay", "expire"] as const)("after its end (%s) leads to what became of it", async (end) => {
    const admin = await bench.anAdmin();
    const { id, sessionId } = await bench.aCheckout(admin, 10n, "once");
    await bench.deliver(bench.processor.state[end](sessionId));
    passADay();
    const again = await bench.aCheckout(admin, 10n, "once");
    expect(again).toMatchObject({ id, url: `${ORIGIN}/dashboard/billing/fund?checkout=${id}` });
  });

  test("that saves a card is the same page too", async () => {
    const admin = await bench.anAdmin();
    const first = await aSetup(admin, "card");
    passADay();
    expect(await aSetup(admin, "card")).toEqual(first);
  });
});

test("a checkout is in dollars, whatever the customer's own currency is", async () => {
  const { sessionId } = await bench.aCheckout(await bench.anAdmin(), 10n);
  expect(bench.processor.state.things.get(sessionId)).toMatchObject({ adaptive_pricing: { enabled: "false" } });
});

describe("looking up", () => {
  const open = async (age: string) => {
    const admin = await bench.anAdmin();
    const checkout = await bench.aCheckout(admin, 10n);
    await bench.sql("UPDATE payment SET created_at = app_now() - $2::interval WHERE id = $1", [checkout.id, age]);
    return { admin, ...checkout };
  };
  const lookUp = async () => {
    await bench.sql("UPDATE payment SET looked_up_at = looked_up_at - interval '30 minutes'");
    return checkPayments(db(), never);
  };

  test("ends a checkout that has expired without a word", async () => {
    const { admin, id, sessionId } = await open("2 days");
    bench.processor.state.expire(sessionId);
    await lookUp();
    expect(await readCheckoutStatus(db(), admin, id)).toMatchObject({ state: "expired" });
  });

  test("credits what was paid while gw was away for weeks", async () => {
    const { admin, sessionId } = await open("40 days");
    bench.processor.state.pay(sessionId);
    await lookUp();
    expect((await bench.standing(admin.walletId)).wallet).toBe(10_000_000_000n);
  });

  test("is not held up by payments that the processor does not know any more", async () => {
    for (let each = 0; each < 25; each += 1) bench.processor.state.things.delete((await open("3 days")).sessionId);
    const { admin, sessionId } = await open("10 minutes");
    bench.processor.state.pay(sessionId);
    await lookUp();
    await lookUp();
    expect((await bench.standing(admin.walletId)).wallet).toBe(10_000_000_000n);
  });

  test("is not held up by one that cannot be applied", async () => {
    const wrong = await open("20 minutes");
    bench.processor.state.pay(wrong.sessionId, { currency: "jpy" });
    const right = await open("10 minutes");
    bench.processor.state.pay(right.sessionId);
    await lookUp();
    expect((await bench.standing(right.admin.walletId)).wallet).toBe(10_000_000_000n);
    expect((await bench.standing(wrong.admin.walletId)).wallet).toBe(0n);
  });

  test("asks for none of the other mode", async () => {
    const { id } = await open("10 minutes");
    await bench.sql("UPDATE payment SET livemode = true WHERE id = $1", [id]);
    await lookUp();
    expect(await bench.sql("SELECT looked_up_at FROM payment WHERE id = $1", [id])).toEqual([{ looked_up_at: null }]);
  });
});
