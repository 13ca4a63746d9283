import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "~/connection/db.server";
import { aSettlement, type Books, fundedWallet, openBooks, someParties } from "../../../../tests/support/accounting";
import { groupByQuality, type QualityOptIn } from "./quality-store";

const AT = new Date(Date.UTC(2026, 2, 10, 12));
/** Calls of three organisations: the first and second share a model, the third has its own. */
const CALLS = [
  { organisationId: 1, model: "shared", count: 6 },
  { organisationId: 2, model: "shared", count: 3 },
  { organisationId: 1, model: "own", count: 5 },
  { organisationId: 3, model: "shared", count: 20 },
];
let books: Books;

beforeAll(async () => {
  books = await openBooks();
  const accounting = await books.start();
  for (const { organisationId, model, count } of CALLS) {
    const party = someParties(await fundedWallet(books, 0n, { exempt: true, organisationId }), {
      exempt: true,
      organisationId,
    });
    await Promise.all(
      Array.from({ length: count }, () =>
        accounting.settle(
          aSettlement({ ...party, callId: randomUUID() }, 1n, {
            held: false,
            model,
            supplier: "s",
            startedAt: AT,
          } as never),
        ),
      ),
    );
  }
  await accounting.stop();
}, 60_000);
afterAll(() => books.close());

async function groups(optIns: readonly QualityOptIn[]): Promise<[string, number][]> {
  const from = new Date(AT.getTime() - 1);
  const rows = await groupByQuality(db(), { from, to: new Date(AT.getTime() + 1), group: "model", optIns });
  return rows.map(({ model, requests }) => [model, requests]);
}

test("a group has as many requests as the strictest organisation within it asks for", async () => {
  const first = { id: 1, minimum: 5 };
  expect(await groups([first, { id: 2, minimum: 9 }])).toEqual([
    ["shared", 9],
    ["own", 5],
  ]);
  // The minimum is above the sum of both, so the group is hidden, also for the organisation with a lower minimum.
  expect(await groups([first, { id: 2, minimum: 10 }])).toEqual([["own", 5]]);
});

test("requests of organisations that have not opted in fill no group", async () => {
  expect(await groups([{ id: 2, minimum: 5 }])).toEqual([]);
  expect(await groups([])).toEqual([]);
});
