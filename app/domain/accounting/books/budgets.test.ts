import { expect, test } from "vitest";
import type { Db } from "~/connection/db.server";
import { readBudget } from "./budgets";

const budgetOf = (row: { limit_amt: bigint | null; spent: bigint; held: bigint }) => {
  const found = { scope_id: 1, period: "daily", resets_at: new Date(0), ...row };
  return readBudget({ $queryRaw: async () => [found] } as unknown as Db, { kind: "key", id: 1 });
};

test("available is the limit less what is spent and what is held, as admission counts it, and never below zero", async () => {
  expect(await budgetOf({ limit_amt: 100n, spent: 60n, held: 30n })).toMatchObject({ availableNanoUsd: 10n });
  expect(await budgetOf({ limit_amt: 100n, spent: 80n, held: 30n })).toMatchObject({ availableNanoUsd: 0n });
  expect(await budgetOf({ limit_amt: null, spent: 80n, held: 30n })).toMatchObject({ availableNanoUsd: null });
});
