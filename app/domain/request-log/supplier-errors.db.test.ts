import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "~/connection/db.server";
import type { AttemptRecord } from "~/domain/accounting/shared";
import {
  aHold,
  aSettlement,
  type Books,
  fundedWallet,
  openBooks,
  someParties,
} from "../../../tests/support/accounting";
import { readSupplierErrors } from "./index.server";

const HOUR_MS = 3_600_000;

let books: Books;
beforeAll(async () => {
  books = await openBooks();
});
afterAll(() => books.close());

const attempt = (supplier: string, outcome: AttemptRecord["outcome"]): AttemptRecord => ({
  ...{ supplier, region: "eu", upstreamModel: "m", startedMs: 1, endedMs: 2, outcome },
  ...{ status: outcome === "delivered" ? 200 : null, code: outcome === "delivered" ? null : "a_code" },
});

test("a supplier has failed where it did, not where its client left or had sent what it refuses", async () => {
  const accounting = await books.start();
  const party = someParties(await fundedWallet(books, 0n, { exempt: true }), { exempt: true });
  const calls: AttemptRecord[][] = [
    [attempt("good", "delivered")],
    [attempt("good", "rejected")],
    [attempt("good", "client_left")],
    [attempt("bad", "not_executed"), attempt("good", "delivered")],
    [attempt("bad", "unknown")],
    [attempt("bad", "failed_billed")],
  ];
  for (const attempts of calls)
    await accounting.settle(aSettlement(aHold(party, 0n), 1n, { held: false, attempts, startedAt: new Date() }));
  const since = new Date(Date.now() - HOUR_MS);
  expect(await readSupplierErrors(db(), since, { slotSeconds: 7_200 })).toEqual([
    { supplier: "bad", slot: 0, attempts: 3, failed: 3 },
    { supplier: "good", slot: 0, attempts: 4, failed: 0 },
  ]);
});
