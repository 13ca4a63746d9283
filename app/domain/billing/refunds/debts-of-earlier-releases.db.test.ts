import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  aHold,
  aSettlement,
  type Books,
  fundedWallet,
  openBooks,
  someParties,
} from "../../../../tests/support/accounting";
import { balanceOf, openPayments, type Payments } from "../../../../tests/support/payments";

const MIGRATION = readFileSync("prisma/migrations/20261128010100_debts_count_in_wallets/migration.sql", "utf8");

let books: Books;
let payments: Payments;
beforeAll(async () => {
  books = await openBooks();
  payments = await openPayments(books);
}, 120_000);
afterAll(() => books?.close());

/**
 * A payer with a balance and a debt, as an earlier release left them: held money stayed in the wallet beside the debt.
 */
async function whoOwed(organisationId: number, has: bigint) {
  const walletId = await fundedWallet(books, 0n, { organisationId });
  await payments.pay(walletId, has);
  return {
    walletId,
    parties: someParties(walletId, { organisationId, keyId: organisationId }),
    owe: (debt: bigint) =>
      books.sql(
        `SELECT ledger_post('refund', $2, 'processor', '', ARRAY[wallet_debt($1), h.id], ARRAY[-$3::bigint, $3])
           FROM ledger_account h WHERE h.kind = 'processor_clearing'`,
        [walletId, randomUUID(), debt],
      ),
  };
}

const upgrade = () => books.sql(MIGRATION.slice(MIGRATION.indexOf("DO $$")));

test("an upgrade takes what payers owed beside their wallets from what these have, and from what calls hold", async () => {
  const accounting = await books.start({ patienceMs: 0 });
  const [holding, having, empty] = [await whoOwed(501, 900n), await whoOwed(502, 1_000n), await whoOwed(503, 10n)];
  const call = aHold(holding.parties, 900n);
  const spending = aHold(empty.parties, 10n);
  for (const each of [call, spending]) expect((await accounting.admit(each)).kind).toBe("held");
  await accounting.settle(aSettlement(spending, 10n));
  await holding.owe(900n);
  await having.owe(60n);
  await empty.owe(30n);
  expect((await books.defects()).map((line) => line.split(":")[0])).toEqual([
    `wallet_owes_and_spends account ${holding.walletId}`,
    `wallet_owes_and_spends account ${having.walletId}`,
  ]);
  for (let turn = 0; turn < 2; turn += 1) await upgrade();
  expect(await balanceOf(books, having.walletId)).toMatchObject({ posted: 940n, debt: 0n });
  expect(await balanceOf(books, holding.walletId)).toMatchObject({ posted: 0n, held: 900n, debt: 0n });
  expect(await balanceOf(books, empty.walletId)).toMatchObject({ posted: 0n, debt: 30n });
  expect(await books.defects()).toEqual([]);
  await accounting.settle(aSettlement(call, 10n));
  expect(await accounting.admit(aHold(holding.parties, 1n))).toMatchObject({ kind: "refused", scope: "wallet" });
  await accounting.carryToSuccessors();
  expect(await balanceOf(books, holding.walletId)).toMatchObject({ posted: 0n, held: 0n, debt: 10n });
  expect(await books.defects()).toEqual([]);
});

test("a server whose role writes to accounts column by column can write what the upgrade adds", async () => {
  const role = `gw_test_${randomUUID().replaceAll("-", "")}`;
  await books.sql(`CREATE ROLE ${role}`);
  try {
    await books.sql(`GRANT UPDATE (held, credit_floor) ON ledger_account TO ${role}`);
    const mayWrite = () =>
      books.sql("SELECT has_column_privilege($1, 'ledger_account', 'owed', 'UPDATE') AS may", [role]);
    expect(await mayWrite()).toEqual([{ may: false }]);
    await upgrade();
    expect(await mayWrite()).toEqual([{ may: true }]);
  } finally {
    await books.sql(`DROP OWNED BY ${role}`);
    await books.sql(`DROP ROLE ${role}`);
  }
});
