import { afterAll, beforeAll, expect, test } from "vitest";
import {
  aHold,
  aSettlement,
  type Books,
  fundedWallet,
  openBooks,
  someParties,
} from "../../../../tests/support/accounting";

let books: Books;
beforeAll(async () => {
  books = await openBooks();
});
afterAll(() => books.close());

const merge = (fromId: number, toId: number) =>
  books.sql("SELECT wallet_take_over($1, $2, true, 'test')", [fromId, toId]);
const wallets = async (...ids: number[]) =>
  (
    await books.sql<{ posted: bigint; heir_id: bigint | null }>(
      "SELECT posted, heir_id FROM ledger_account WHERE id = ANY ($1) ORDER BY array_position($1, id)",
      [ids],
    )
  ).map(({ posted, heir_id }) => [posted, heir_id === null ? null : Number(heir_id)]);

test("a wallet that takes its own heir over has none any more, and what calls leave still finds its way", async () => {
  const accounting = await books.start();
  const first = await fundedWallet(books, 100n, { organisationId: 11 });
  const second = await fundedWallet(books, 100n, { organisationId: 12 });
  const third = await fundedWallet(books, 100n, { organisationId: 13 });
  const call = aHold(someParties(third, { organisationId: 13 }), 60n);
  expect((await accounting.admit(call)).kind).toBe("held");

  await merge(third, second);
  await merge(first, second);
  expect(await wallets(first, second, third)).toEqual([
    [0n, second],
    [240n, null],
    [60n, second],
  ]);
  await merge(second, first);
  expect(await wallets(first, second, third)).toEqual([
    [240n, null],
    [0n, first],
    [60n, first],
  ]);

  await accounting.settle(aSettlement(call, 20n));
  await books.sql("SELECT wallet_sweep_heirs()");
  expect(await wallets(first, second, third)).toEqual([
    [280n, null],
    [0n, first],
    [0n, first],
  ]);
  expect(await books.defects()).toEqual([]);
});
