import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "~/connection/db.server";
import type { KeyOwner } from "~/domain/keys/shared";
import type { TestDatabase } from "../../../tests/support/database";
import { openWithOwners } from "../../../tests/support/key-owners";
import { readPlaygroundBudget, reservePlayground, settlePlayground } from "./index.server";

const DAILY = 1_000n;
let database: TestDatabase;
let owner: KeyOwner;
let stranger: KeyOwner;

beforeAll(async () => {
  ({ database, owner, stranger } = await openWithOwners());
});
afterAll(() => database.close());

const reserve = (who: KeyOwner, amountNanoUsd: bigint) =>
  reservePlayground(db(), { userId: who.userId as number, amountNanoUsd, dailyNanoUsd: DAILY });
const left = async (who: KeyOwner) => (await readPlaygroundBudget(db(), who.userId as number, DAILY)).leftNanoUsd;

test("of calls at the same moment only as many get the day's budget as fit, and each person has their own", async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => reserve(owner, 300n)));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  expect(await left(owner)).toBe(100n);
  expect(await left(stranger)).toBe(DAILY);
  await expect(reserve(owner, 101n)).rejects.toMatchObject({ code: "budget_exceeded" });
});

test("what a call did not cost comes back on its own day only", async () => {
  const today = await reserve(stranger, 600n);
  await settlePlayground(db(), today, 200n);
  expect(await left(stranger)).toBe(800n);
  // A call that began before midnight ends after it. It must not change the budget of the new day.
  const yesterday = { ...today, day: "2026-01-01" };
  await settlePlayground(db(), yesterday, 0n);
  expect(await left(stranger)).toBe(800n);
});
