import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { db } from "~/db.server";
import { type AutoTopupBench, openAutoTopups } from "../../../../tests/support/auto-topup";
import { readAutoTopup } from "../index.server";

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
);

test("whatever is spent, declined, lost and repeated, what was charged is what was credited, and within the day's limit", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { minLength: 4, maxLength: 14 }),
      fc.integer({ min: 1, max: 4 }),
      async (acts, most) => {
        const payer = await bench.aPayer({
          dayLimitNanoUsd: BigInt(most) * 20_300_000_000n,
          monthLimitNanoUsd: 200n * USD,
        });
        let spent = 0n;
        for (const each of acts) {
          if (each.kind === "spend") {
            const amount = BigInt(each.usd) * USD;
            if ((await bench.posted(payer)) < amount) continue;
            await bench.adjust(payer.walletId, -amount);
            spent += amount;
          }
          if (each.kind === "run") await Promise.all(Array.from({ length: each.atOnce }, bench.run));
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
        const intents = [...bench.processor.state.things.values()].filter(
          ({ object, payment_method, status }) =>
            object === "payment_intent" && payment_method === payer.card && status === "succeeded",
        );
        const taken = BigInt(intents.length);
        expect(await bench.posted(payer)).toBe(1n * USD - spent + taken * 20n * USD);
        expect(intents.length).toBeLessThanOrEqual(most);
        expect(await readAutoTopup(db(), payer)).toMatchObject({ usedTodayNanoUsd: taken * 20_300_000_000n });
        await bench.sql("UPDATE auto_topup SET active = false");
      },
    ),
    { numRuns: Number(process.env.RUNS ?? 12) },
  );
  expect(await bench.defects()).toBe(0);
}, 120_000);
