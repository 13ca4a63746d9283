import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "~/connection/db.server";
import { readLedger, readSpending } from "~/domain/accounting/index.server";
import { type BillingBench, openBilling } from "../../../tests/support/billing";
import { exportLedger, readWallet } from "./index.server";

const USD = 1_000_000_000n;
const DAY_MS = 86_400_000;
let bench: BillingBench;
beforeAll(async () => {
  bench = await openBilling();
}, 120_000);
afterAll(() => bench?.close());

const nextKey = () => `wallet-page-${randomUUID()}`;
const midnight = (daysAgo: number) => new Date((Math.floor(Date.now() / DAY_MS) - daysAgo) * DAY_MS);

/** Posts to a wallet at a given time of the database's clock. */
async function post(walletId: number, at: Date, posting: { house: string; kind: string; amount: bigint }) {
  await bench.sql("SELECT set_config('gw.clock_offset', $1, true), wallet_post($2, $3, $4, $5, $6, 'test', 'a note')", [
    `${at.getTime() - Date.now()} milliseconds`,
    ...[walletId, posting.house, posting.amount, posting.kind, nextKey()],
  ]);
}

const add = (walletId: number, at: Date, amount: bigint) =>
  post(walletId, at, { house: "adjustment", kind: "adjustment", amount });
const use = (walletId: number, at: Date, amount: bigint) =>
  post(walletId, at, { house: "revenue", kind: "usage", amount: -amount });

/**
 * A wallet with ten dollars, used on each of the last five days and today, with another seven dollars added meanwhile.
 */
async function aWalletInUse() {
  const admin = await bench.anAdmin();
  const { walletId } = admin;
  await add(walletId, midnight(6), 10n * USD);
  for (const daysAgo of [5, 4, 3, 2, 1]) {
    if (daysAgo === 3)
      await post(walletId, midnight(3), { house: "promo_expense", kind: "promo_grant", amount: 7n * USD });
    await use(walletId, new Date(midnight(daysAgo).getTime() + 60_000), BigInt(daysAgo) * USD);
  }
  await use(walletId, new Date(), 1n);
  return admin;
}

test("a wallet's ledger is read by kind, by days and by amount, page by page, each line with its balance", async () => {
  const admin = await aWalletInUse();
  const read = async (filter: Parameters<typeof readLedger>[2]["filter"]) =>
    (await readLedger(db(), admin.walletId, { before: null, limit: 50, filter })).map(({ seq }) => Number(seq));
  expect(await read({})).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
  expect(await read({ kind: "adjustment" })).toEqual([1]);
  expect(await read({ kind: "usage" })).toEqual([8, 7, 6, 5, 3, 2]);
  expect(await read({ since: midnight(3), until: midnight(1) })).toEqual([6, 5, 4]);
  expect(await read({ minimumNanoUsd: 5n * USD })).toEqual([4, 2, 1]);
  expect(await read({ kind: "promo_grant", since: midnight(2) })).toEqual([]);
  const pages: bigint[] = [];
  let before: bigint | null = null;
  for (;;) {
    const { wallet } = await readWallet(db(), admin, { before, limit: 2, filter: { kind: "usage" } });
    pages.push(...wallet!.lines.map(({ balanceAfterNanoUsd }) => balanceAfterNanoUsd));
    before = wallet!.nextBefore;
    if (before === null) break;
  }
  expect(pages).toEqual([2n * USD - 1n, 2n * USD, 3n * USD, 5n * USD, 1n * USD, 5n * USD]);
});

test("spending by day is what usage took, whatever else moved the wallet", async () => {
  const { walletId } = await aWalletInUse();
  const edges = [6, 5, 4, 3, 2, 1, 0].map(midnight);
  expect(await readSpending(db(), walletId, edges)).toEqual([0n, 5n, 4n, 3n, 2n, 1n].map((usd) => usd * USD));
});

test("the wallet says how long it lasts once days say so, and nothing before", async () => {
  const admin = await aWalletInUse();
  const page = { before: null, limit: 1 };
  const { wallet } = await readWallet(db(), admin, page);
  expect(wallet?.burnRate).toMatchObject({ from: midnight(5), to: midnight(1), perDayNanoUsd: 3n * USD, daysLeft: 0 });
  const starter = await bench.anAdmin();
  expect((await readWallet(db(), starter, page)).wallet?.burnRate).toBeNull();
  await add(starter.walletId, new Date(), USD);
  await use(starter.walletId, new Date(), 5n);
  expect((await readWallet(db(), starter, page)).wallet?.burnRate).toBeNull();
});

test("a file has every line that the filter lets through, and is for who may see the wallet", async () => {
  const admin = await aWalletInUse();
  const lines = [];
  for await (const page of exportLedger(db(), admin, { kind: "usage" })) lines.push(...page);
  expect(lines.map(({ seq }) => Number(seq))).toEqual([8, 7, 6, 5, 3, 2]);
  const { wallet } = await readWallet(db(), admin, { before: null, limit: 20, filter: { kind: "usage" } });
  expect(lines).toEqual(wallet?.lines);
  const stranger = { ...admin, role: "member" as const, userId: 1_000_000 };
  await expect(exportLedger(db(), stranger, {}).next()).rejects.toMatchObject({ code: "forbidden" });
});

test("a payment's entries name it", async () => {
  const admin = await bench.anAdmin();
  const { id, sessionId } = await bench.aCheckout(admin, 10n);
  await bench.deliver(bench.processor.state.pay(sessionId));
  await bench.deliver(bench.processor.state.refund(sessionId, 500));
  const { wallet } = await readWallet(db(), admin, { before: null, limit: 5 });
  expect(wallet?.lines.map(({ kind, paymentId }) => [kind, paymentId])).toEqual([
    ["refund", id],
    ["topup", id],
  ]);
});
