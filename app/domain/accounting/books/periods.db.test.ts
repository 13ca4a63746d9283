import { afterAll, beforeAll, expect, test } from "vitest";
import {
  aHold,
  aSettlement,
  type Books,
  fundedWallet,
  openBooks,
  putBudget,
  someParties,
} from "../../../../tests/support/accounting";
import type { Accounting } from "../accounting";

// Periods are in UTC, whatever the session's time zone.
let books: Books;
let accounting: Accounting;
let walletId: number;

beforeAll(async () => {
  books = await openBooks();
  accounting = await books.start({ patienceMs: 0 });
  walletId = await fundedWallet(books, 1_000_000n);
});
afterAll(async () => {
  expect(await books.defects()).toEqual([]);
  await books.close();
});

const at = (text: string) => books.setClock(new Date(text));
const who = (keyId: number) => someParties(walletId, { keyId });
const read = async (keyId: number) => {
  const [row] = await books.sql<{ spent: bigint; held: bigint; resets_at: Date }>(
    "SELECT spent, held, resets_at FROM budget_read('key', ARRAY[$1::int])",
    [keyId],
  );
  return row!;
};
async function spend(keyId: number, amount: bigint): Promise<void> {
  const call = aHold(who(keyId), amount);
  expect(await accounting.admit(call)).toEqual({ kind: "held" });
  await accounting.settle(aSettlement(call, amount));
}

test("a cost is booked in the period of its admission, and a new day starts at zero", async () => {
  await at("2026-03-31T23:59:40Z");
  await putBudget(books, "key", 1, 100n, "daily");
  const late = aHold(who(1), 90n);
  expect(await accounting.admit(late)).toEqual({ kind: "held" });
  expect((await read(1)).resets_at).toEqual(new Date("2026-04-01T00:00:00Z"));
  await at("2026-04-01T00:00:10Z");
  expect(await read(1)).toMatchObject({ spent: 0n, held: 0n });
  await spend(1, 100n);
  await accounting.settle(aSettlement(late, 80n));
  expect(await read(1)).toMatchObject({ spent: 100n, held: 0n });
  const counters = await books.sql(
    "SELECT period_start, spent FROM budget_counter c JOIN budget b ON b.id = c.budget_id WHERE scope_id = 1 ORDER BY 1",
  );
  expect(counters).toEqual([
    { period_start: new Date("2026-03-31T00:00:00Z"), spent: 80n },
    { period_start: new Date("2026-04-01T00:00:00Z"), spent: 100n },
  ]);
});

test("months end where they end, also in a session of another time zone on a day of summer time", async () => {
  await books.sql("SET TIME ZONE 'Europe/Berlin'");
  for (const [now, reset] of [
    ["2028-02-29T22:30:00Z", "2028-03-01T00:00:00Z"],
    ["2026-03-29T00:30:00Z", "2026-04-01T00:00:00Z"],
    ["2026-10-31T23:30:00Z", "2026-11-01T00:00:00Z"],
    ["2026-12-31T23:59:59Z", "2027-01-01T00:00:00Z"],
  ] as const) {
    await at(now);
    await putBudget(books, "key", 2, 100n, "monthly");
    expect((await read(2)).resets_at).toEqual(new Date(reset));
  }
  await at("2026-10-25T00:30:00Z");
  await putBudget(books, "key", 3, 100n, "daily");
  expect((await read(3)).resets_at).toEqual(new Date("2026-10-26T00:00:00Z"));
  await books.sql("SET TIME ZONE 'UTC'");
});

test("a rolling budget forgets by the hour, and says when there will be room", async () => {
  await at("2026-05-01T10:30:00Z");
  await putBudget(books, "key", 4, 100n, "rolling");
  await spend(4, 60n);
  await at("2026-05-02T10:30:00Z");
  await spend(4, 30n);
  const refused = await accounting.admit(aHold(who(4), 50n));
  // The first 60 leave the rolling window 720 hours after the hour of their spend.
  const room = new Date("2026-05-31T10:00:00Z").getTime() - new Date("2026-05-02T10:30:00Z").getTime();
  expect(refused.kind === "refused" && Math.abs(refused.retryAfterSeconds! - room / 1000)).toBeLessThan(3);
  await at("2026-05-31T09:59:30Z");
  expect(await accounting.admit(aHold(who(4), 50n))).toMatchObject({ kind: "refused" });
  await at("2026-05-31T10:00:05Z");
  expect(await read(4)).toMatchObject({ spent: 30n });
  await spend(4, 50n);
});

test("a limit can be lowered below what is spent: nothing more is admitted, nothing running is touched", async () => {
  await at("2026-06-10T12:00:00Z");
  await putBudget(books, "key", 5, 100n);
  const running = aHold(who(5), 40n);
  await accounting.admit(running);
  await spend(5, 50n);
  await putBudget(books, "key", 5, 10n);
  expect(await accounting.admit(aHold(who(5), 0n))).toMatchObject({ kind: "refused", code: "budget_exceeded" });
  expect(await accounting.settle(aSettlement(running, 40n))).toMatchObject({ chargedNanoUsd: 40n });
  expect(await read(5)).toMatchObject({ spent: 90n, held: 0n });
});

test("a budget that changes its period, or begins late, knows what was spent in the new period", async () => {
  await at("2026-07-10T12:00:00Z");
  await putBudget(books, "key", 6, 100n, "daily");
  const day = new Date("2026-07-10T12:00:00Z");
  const call = aHold(who(6), 30n);
  await accounting.admit(call);
  await accounting.settle(aSettlement(call, 30n, { startedAt: day }));
  await putBudget(books, "key", 6, 100n, "monthly");
  expect(await read(6)).toMatchObject({ spent: 30n });
  await spend(6, 5n);
  await putBudget(books, "key", 6, 100n, "daily");
  await putBudget(books, "key", 6, null, "monthly");
  expect(await read(6)).toMatchObject({ spent: 35n, held: 0n });
});
