import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "~/connection/db.server";
import { admit, settle, startAccounting, stopAccounting } from "~/domain/accounting/index.server";
import { aHold, aSettlement, someParties } from "../../../tests/support/accounting";
import { type BillingBench, openBilling } from "../../../tests/support/billing";
import { listStatements, readLedgerEntry, readStatement } from "./index.server";
import { monthAfter, monthOf } from "./months";

const USD = 1_000_000_000n;
const MONTH = monthOf(new Date(), "UTC");
const dataDir = mkdtempSync(join(tmpdir(), "gw-statements-"));
let bench: BillingBench;
beforeAll(async () => {
  bench = await openBilling({ GW_FUNDING_FEE_FIXED: "0.30" });
  await startAccounting({ dataDir });
}, 120_000);
afterAll(async () => {
  await stopAccounting();
  await bench?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

type Payer = Awaited<ReturnType<BillingBench["anAdmin"]>>;

async function aFundedPayer(): Promise<Payer> {
  const payer = await bench.anAdmin();
  const { sessionId } = await bench.aCheckout(payer, 10n);
  await bench.deliver(bench.processor.state.pay(sessionId));
  await bench.deliver(bench.processor.state.refund(sessionId, 103));
  return payer;
}

/** Uses so much with one call, and answers its id. */
async function use({ walletId, organisationId }: Payer, cost: bigint, more: { model?: string; startedAt?: Date } = {}) {
  const call = aHold(someParties(walletId, { organisationId, keyId: organisationId }), cost + 7n);
  expect((await admit(call)).kind).toBe("held");
  await settle(aSettlement(call, cost, { startedAt: new Date(), ...more }));
  return call.callId;
}

test("a statement adds up to the ledger to the nano-dollar, and its usage to the requests", async () => {
  const payer = await aFundedPayer();
  const costs = [1n, 37_500n, 123_456_789n];
  for (const [at, cost] of costs.entries()) await use(payer, cost, { model: at === 0 ? "small" : "large" });
  // A call that was settled long after it began.
  await use(payer, 5n, { model: "large", startedAt: new Date(Date.now() - 90 * 86_400_000) });
  const used = costs.reduce((sum, cost) => sum + cost, 5n);
  const statement = await readStatement(db(), payer, MONTH);
  expect(statement).toMatchObject({
    openingNanoUsd: 0n,
    closingNanoUsd: 9n * USD - used,
    usageNanoUsd: used,
    isLedgerEqual: true,
    isUsageEqual: true,
    isOver: false,
    timeZone: "UTC",
    payments: [{ creditNanoUsd: 10n * USD, feeNanoUsd: (USD * 3n) / 10n, chargedNanoUsd: (USD * 103n) / 10n }],
    byModel: [
      { name: "large", requests: 3, chargedNanoUsd: used - 1n },
      { name: "small", requests: 1, chargedNanoUsd: 1n },
    ],
  });
  expect(Object.fromEntries(statement.movements.map(({ kind, amountNanoUsd }) => [kind, amountNanoUsd]))).toEqual({
    topup: 10n * USD,
    refund: -USD,
    usage: -used,
  });
  for (const lines of [statement.byKey, statement.byDay])
    expect(lines.reduce((sum, { chargedNanoUsd }) => sum + chargedNanoUsd, 0n)).toBe(used);
});

test("a request is followed from its hold to its charge, the entry of the ledger, and the month that has it", async () => {
  const payer = await aFundedPayer();
  const callId = await use(payer, 37_500n);
  const { lastSeq, byModel } = await readStatement(db(), payer, MONTH);
  const entry = await readLedgerEntry(db(), payer, Number(lastSeq));
  expect(entry).toMatchObject({
    kind: "usage",
    amountNanoUsd: -37_500n,
    month: MONTH,
    isEqual: true,
    requestCount: 1,
    requests: [{ requestId: callId, heldNanoUsd: 37_507n, capturedNanoUsd: 37_500n, chargedNanoUsd: 37_500n }],
  });
  expect(byModel[0]?.chargedNanoUsd).toBe(37_500n);
  expect((await readLedgerEntry(db(), payer, 1)).isEqual).toBeNull();
});

test("an entry names people of the payer's own organisation only; others are the operator", async () => {
  const [payer, stranger] = [await aFundedPayer(), await bench.anAdmin()];
  const postedBy = async (poster: string) => {
    const id = randomUUID();
    await bench.sql("SELECT wallet_post($1, 'adjustment', 1, 'adjustment', $2, $3, '')", [payer.walletId, id, poster]);
    const { lastSeq } = await readStatement(db(), payer, MONTH);
    return (await readLedgerEntry(db(), payer, Number(lastSeq))).by;
  };
  expect(await postedBy(`user:${payer.userId}`)).toEqual({ kind: "person", name: payer.name });
  expect(await postedBy(`user:${stranger.userId}`)).toEqual({ kind: "operator" });
});

test("what was changed behind the books is said, not smoothed over", async () => {
  const payer = await aFundedPayer();
  await use(payer, 37_500n);
  await bench.sql("ALTER TABLE ledger_entry DISABLE TRIGGER USER");
  await bench.sql(
    "UPDATE ledger_entry SET balance_after = balance_after + 1 WHERE account_id = $1 AND account_seq = 3",
    [payer.walletId],
  );
  await bench.sql("ALTER TABLE usage_event DISABLE TRIGGER USER");
  await bench.sql("UPDATE usage_event SET charged = charged - 1, cost = cost - 1 WHERE wallet_id = $1", [
    payer.walletId,
  ]);
  expect(await readStatement(db(), payer, MONTH)).toMatchObject({ isLedgerEqual: false, isUsageEqual: false });
  expect((await readLedgerEntry(db(), payer, 3)).isEqual).toBe(false);
  for (const table of ["ledger_entry", "usage_event"]) await bench.sql(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
});

test("months are those of the payer's own clocks, one follows the other, and others' are nobody's business", async () => {
  const payer = await bench.anAdmin();
  await db().user.update({ where: { id: payer.userId }, data: { billingMode: "own", timeZone: "Asia/Tokyo" } });
  const [wallet] = await bench.sql<{ id: number }>("SELECT wallet_open('user', $1, $2, false)::int AS id", [
    payer.userId,
    payer.organisationId,
  ]);
  const post = async (at: string, amount: bigint) => {
    await bench.sql("SELECT wallet_post($1, 'adjustment', $2, 'adjustment', $3, 'test', '')", [
      wallet!.id,
      amount,
      randomUUID(),
    ]);
    await bench.sql("ALTER TABLE ledger_txn DISABLE TRIGGER USER");
    await bench.sql("UPDATE ledger_txn SET created_at = $1 WHERE id = (SELECT max(id) FROM ledger_txn)", [at]);
    await bench.sql("ALTER TABLE ledger_txn ENABLE TRIGGER USER");
  };
  // In Tokyo it is December from 15:00 UTC on.
  await post("2025-11-30T14:59:59Z", 5n);
  await post("2025-11-30T15:00:00Z", 7n);
  const november = await readStatement(db(), payer, "2025-11");
  const december = await readStatement(db(), payer, "2025-12");
  expect(november).toMatchObject({
    timeZone: "Asia/Tokyo",
    openingNanoUsd: 0n,
    closingNanoUsd: 5n,
    isOver: true,
    isLedgerEqual: true,
  });
  expect(december).toMatchObject({ openingNanoUsd: 5n, closingNanoUsd: 12n });
  const now = monthOf(new Date(), "Asia/Tokyo");
  const { months } = await listStatements(db(), payer);
  expect([months[0], months.at(-1)]).toEqual([now, "2025-11"]);
  for (const month of ["2025-10", monthAfter(now), "2025-13", "x"])
    await expect(readStatement(db(), payer, month)).rejects.toMatchObject({ code: "not_found" });
  await expect(readLedgerEntry(db(), payer, 3)).rejects.toMatchObject({ code: "not_found" });
  const member = await bench.anAdmin("member");
  await expect(readStatement(db(), member, MONTH)).rejects.toMatchObject({ code: "forbidden" });
});
