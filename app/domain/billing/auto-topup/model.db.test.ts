import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { db } from "~/connection/db.server";
import { type AutoTopupBench, asked, openAutoTopups } from "../../../../tests/support/auto-topup";
import { readAutoTopup, saveAutoTopup } from "../index.server";

const USD = 1_000_000_000n;
let bench: AutoTopupBench;
beforeAll(async () => {
  bench = await openAutoTopups();
}, 120_000);
afterAll(() => bench?.close());
beforeEach(() => bench.begin());

const act = fc.oneof(
  fc.record({ kind: fc.constant("spend" as const), usd: fc.integer({ min: 1, max: 25 }) }),
  fc.record({ kind: fc.constant("run" as const), atOnce: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant("card" as const), answer: fc.constantFrom(null, "card_declined") }),
  fc.record({ kind: fc.constant("lose" as const) }),
  fc.record({ kind: fc.constant("wait" as const) }),
  fc.record({ kind: fc.constant("refund" as const), cents: fc.integer({ min: 1, max: 2_030 }) }),
  fc.record({ kind: fc.constant("consent" as const) }),
);

test("whatever is spent, declined, lost, refunded and repeated, what was charged and not refunded is what was credited, within the day's limit, and nothing is charged between a refund and a new consent", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { minLength: 4, maxLength: 14 }),
      fc.integer({ min: 1, max: 4 }),
      async (acts, most) => {
        const limits = { dayLimitNanoUsd: BigInt(most) * 20_300_000_000n, monthLimitNanoUsd: 200n * USD };
        const payer = await bench.aPayer(limits);
        const { state } = bench.processor;
        const paid = () =>
          [...state.things.values()].filter(
            ({ object, payment_method, status }) =>
              object === "payment_intent" && payment_method === payer.card && status === "succeeded",
          );
        let spent = 0n;
        let isPaused = false;
        for (const each of acts) {
          if (each.kind === "spend") {
            const amount = BigInt(each.usd) * USD;
            if ((await bench.posted(payer)) < amount) continue;
            await bench.adjust(payer.walletId, -amount);
            spent += amount;
          }
          if (each.kind === "run") {
            const before = await bench.charges(payer);
            await Promise.all(Array.from({ length: each.atOnce }, bench.run));
            if (isPaused) expect(await bench.charges(payer)).toBe(before);
          }
          if (each.kind === "refund") {
            const last = paid().at(-1);
            if (last === undefined) continue;
            const { amount, amount_refunded } = state.chargeOf(last.id);
            const cents = Math.min(each.cents, amount - amount_refunded);
            if (cents === 0) continue;
            await bench.deliver(state.refund(last.id, cents));
            isPaused = true;
          }
          if (each.kind === "consent") {
            const { version } = (await readAutoTopup(db(), payer)) ?? {};
            await saveAutoTopup(db(), payer, asked({ ...limits, version: version as number }));
            isPaused = false;
          }
          if (each.kind === "card") bench.processor.state.behave(payer.card, each.answer);
          if (each.kind === "lose") bench.processor.faults.splice(0, 1, "error_after");
          if (each.kind === "wait") {
            await bench.passPauses(payer);
            await bench.lookSoon();
          }
        }
        bench.processor.faults.length = 0;
        await bench.lookSoon();
        await bench.run();
        const intents = paid();
        const taken = BigInt(intents.length);
        const refunded = intents.reduce((sum, { id }) => {
          const { amount, amount_refunded } = state.chargeOf(id);
          return sum + (20n * USD * BigInt(amount_refunded)) / BigInt(amount);
        }, 0n);
        const { wallet, owed } = await bench.standing(payer.walletId);
        expect(wallet - owed).toBe(1n * USD - spent + taken * 20n * USD - refunded);
        expect(intents.length).toBeLessThanOrEqual(most);
        expect(await readAutoTopup(db(), payer)).toMatchObject({ usedTodayNanoUsd: taken * 20_300_000_000n });
        await bench.sql("UPDATE auto_topup SET active = false");
      },
    ),
    { numRuns: Number(process.env.RUNS ?? 12) },
  );
  expect(await bench.defects()).toBe(0);
}, 120_000);
