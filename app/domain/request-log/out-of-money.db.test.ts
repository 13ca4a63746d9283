import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "~/connection/db.server";
import { setBudget } from "~/domain/accounting/index.server";
import { aSettlement, type Books, fundedWallet, openBooks, someParties } from "../../../tests/support/accounting";
import { outOfMoney, recordRejections } from "./index.server";

let books: Books;
beforeAll(async () => {
  books = await openBooks();
});
afterAll(() => books.close());

const HOUR_MS = 3_600_000;
const now = Date.now();
const ago = (hours: number) => new Date(now - hours * HOUR_MS);

const reject = (keyId: number, hours: number, code = "budget_exceeded", maxCost: number | null = null) =>
  recordRejections(db(), [
    {
      ...{
        at: ago(hours),
        keyId,
        organisationId: 1,
        requestId: randomUUID(),
        endpoint: "chat/completions",
        model: "m",
      },
      ...{ code, status: 402, param: null, humanMessage: "no", retryAfterSeconds: null, scope: "key", walletId: null },
      details: maxCost === null ? null : { scope: "key", max_cost: maxCost },
    },
  ]);

async function admit(keyId: number, hours: number): Promise<void> {
  const accounting = await books.start();
  const exempt = someParties(await fundedWallet(books, 0n, { exempt: true }), { exempt: true, keyId });
  await accounting.settle(aSettlement({ ...exempt, callId: randomUUID() }, 5n, { held: false, startedAt: ago(hours) }));
}

test("a key is out of money from the first rejection behind its last request that was admitted", async () => {
  await reject(71, 20);
  await admit(71, 10);
  await reject(71, 5);
  await reject(71, 2);
  // A later call was accepted.
  await reject(72, 4);
  await admit(72, 1);
  // The last rejection had another reason.
  await reject(73, 4);
  await reject(73, 1, "rate_limit_exceeded");
  // The last rejection is older than a day.
  await reject(74, 30);
  // No call was ever admitted.
  await reject(75, 3, "billing_limit_reached");
  await reject(75, 1, "billing_limit_reached");
  expect(await outOfMoney(db(), [71, 72, 73, 74, 75, 76])).toEqual(
    new Map([
      [71, { code: "budget_exceeded", since: ago(5), scope: "key", tooSmall: null }],
      [75, { code: "billing_limit_reached", since: ago(3), scope: "key", tooSmall: null }],
    ]),
  );
  expect(await outOfMoney(db(), [])).toEqual(new Map());
  // The details of the first rejections are deleted after a week, their counts are not.
  await reject(75, 24 * 12, "billing_limit_reached");
  await admit(77, 24 * 20);
  await reject(77, 24 * 10);
  await reject(77, 1);
  await books.sql("DELETE FROM gateway_refusal WHERE at < now() - interval '7 days'");
  const hourOf = (hours: number) => new Date(Math.floor(ago(hours).getTime() / HOUR_MS) * HOUR_MS);
  expect(await outOfMoney(db(), [75, 77])).toEqual(
    new Map([
      [75, { code: "billing_limit_reached", since: hourOf(24 * 12), scope: "key", tooSmall: null }],
      [77, { code: "budget_exceeded", since: hourOf(24 * 10), scope: "key", tooSmall: null }],
    ]),
  );
});

test("a budget with money left is too small for the request, and not out of money once the request fits", async () => {
  const limit = (id: number, limitNanoUsd: bigint | null) =>
    setBudget(db(), { kind: "key", id, organisationId: 1 }, { limitNanoUsd, period: "monthly" });
  for (const keyId of [81, 82, 83, 84]) await reject(keyId, 1, "budget_exceeded", 0.024);
  await limit(81, 20_000_000n);
  await limit(82, 0n);
  await limit(83, 24_000_000n);
  await limit(84, null);
  const found = { code: "budget_exceeded", since: ago(1), scope: "key" };
  expect(await outOfMoney(db(), [81, 82, 83, 84])).toEqual(
    new Map([
      [81, { ...found, tooSmall: { maxCostNanoUsd: 24_000_000n } }],
      [82, { ...found, tooSmall: null }],
    ]),
  );
});
