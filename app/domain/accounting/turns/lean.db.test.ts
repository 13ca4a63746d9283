import { afterEach, beforeEach, describe, expect, inject, test, vi } from "vitest";
import { newSqlClient } from "~/connection/db.server";
import {
  aHold,
  aSettlement,
  type Books,
  fundedWallet,
  openBooks,
  putBudget,
  recoverAll,
  someParties,
} from "../../../../tests/support/accounting";

// Turns that postpone the ledger entries and the usage rows.
const onServer = inject("testDatabases").kind === "postgres";
const LEAN = { leanFromItems: 0, patienceMs: 100 };

let books: Books;
beforeEach(async () => {
  books = await openBooks();
});
afterEach(() => books.close());

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const counts = async () => {
  const [row] = await books.sql<{ turns: number; rows: number; posted: bigint; held: bigint }>(
    `SELECT (SELECT count(*)::int FROM unposted_turn) AS turns, (SELECT count(*)::int FROM usage_event) AS rows, posted, held
       FROM ledger_account WHERE kind = 'wallet'`,
  );
  return row!;
};

/** Prevents all processes from posting postponed turns. Returns `resume`. */
async function stopPosting(): Promise<() => Promise<unknown>> {
  await books.sql(
    "CREATE TRIGGER held_back BEFORE DELETE ON unposted_turn FOR EACH ROW EXECUTE FUNCTION forbid_change()",
  );
  return () => books.sql("DROP TRIGGER held_back ON unposted_turn");
}

test("a charge that is not posted yet cannot be spent again, and is shown as spent", async () => {
  const accounting = await books.start(LEAN);
  const who = someParties(await fundedWallet(books, 100n));
  await putBudget(books, "key", who.keyId, 1_000n);
  const resume = await stopPosting();
  const call = aHold(who, 60n);
  expect(await accounting.admit(call)).toEqual({ kind: "held" });
  expect(await accounting.settle(aSettlement(call, 45n))).toMatchObject({ chargedNanoUsd: 45n, repeated: false });
  expect(await counts()).toEqual({ turns: 1, rows: 0, posted: 100n, held: 45n });
  expect(await books.sql("SELECT spent, held FROM budget_read('key', ARRAY[1])")).toEqual([{ spent: 45n, held: 0n }]);
  expect(await books.sql("SELECT charged, held FROM wallet_unposted($1)", [who.walletId])).toEqual([
    { charged: 45n, held: 45n },
  ]);
  expect(await books.defects()).toEqual([]);
  expect(await accounting.admit(aHold(who, 56n))).toMatchObject({ kind: "refused", scope: "wallet" });
  expect(await accounting.admit(aHold(who, 55n))).toEqual({ kind: "held" });
  // A repeated settlement returns the charge of the first.
  expect(await accounting.settle(aSettlement(call, 50n))).toMatchObject({ chargedNanoUsd: 45n, repeated: true });
  // A budget that is created now includes the charge.
  await putBudget(books, "organisation", 1, 1_000n);
  expect(await books.sql("SELECT spent FROM budget_read('organisation', ARRAY[1])")).toEqual([{ spent: 45n }]);
  expect(await books.defects()).toEqual([]);
  await resume();
  await recoverAll(accounting);
  expect(await counts()).toEqual({ turns: 0, rows: 1, posted: 55n, held: 55n });
  expect(await books.defects()).toEqual([]);
});

test("what a process that died has left is posted once, by any other", async () => {
  const resume = await stopPosting();
  const dead = await books.start(LEAN);
  const who = someParties(await fundedWallet(books, 1_000n));
  for (let each = 0; each < 10; each += 1) {
    const call = aHold(who, 20n);
    await dead.admit(call);
    await dead.settle(aSettlement(call, 7n));
  }
  await dead.stop();
  expect(await counts()).toMatchObject({ rows: 0, posted: 1_000n, held: 70n });
  await resume();
  const others = await Promise.all([books.start(LEAN), books.start(LEAN), books.start(LEAN)]);
  await Promise.all(others.map((other) => other.recoverSettlements()));
  await Promise.all(others.map((other) => other.recoverSettlements()));
  expect(await counts()).toEqual({ turns: 0, rows: 10, posted: 930n, held: 0n });
  expect(await books.sql("SELECT sum(requests)::int AS n, sum(charged)::int AS charged FROM usage_hour")).toEqual([
    { n: 10, charged: 70 },
  ]);
  expect(await books.defects()).toEqual([]);
});

test("every ending goes the lean way: nothing used, more than held, not executed, exempt, five scopes", async () => {
  const accounting = await books.start(LEAN);
  const walletId = await fundedWallet(books, 10_000n);
  const exemptId = await fundedWallet(books, 0n, { organisationId: 2, exempt: true });
  const who = someParties(walletId, { userId: 3, departmentId: 4, projectId: 5 });
  for (const [kind, id] of [
    ["key", 1],
    ["user", 3],
    ["department", 4],
    ["project", 5],
    ["organisation", 1],
  ] as const) {
    await putBudget(books, kind, id, 5_000n);
  }
  const free = someParties(exemptId, { keyId: 2, organisationId: 2, exempt: true });
  const ends = [
    { call: aHold(who, 100n), cost: 0n },
    { call: aHold(who, 100n), cost: 250n },
    { call: aHold(who, 100n), cost: 30n, more: { outcome: "not_executed" as const } },
    { call: aHold(who, 100n), cost: 99n },
    { call: aHold(free, 100n), cost: 40n },
  ];
  await Promise.all(ends.map(({ call }) => accounting.admit(call)));
  const receipts = await Promise.all(
    ends.map(({ call, cost, more }) => accounting.settle(aSettlement(call, cost, more))),
  );
  expect(receipts.map(({ chargedNanoUsd }) => chargedNanoUsd)).toEqual([0n, 100n, 0n, 99n, 40n]);
  expect(await books.defects()).toEqual([]);
  await accounting.settledCallsPosted();
  expect(
    await books.sql("SELECT sum(charged)::int AS charged, sum(cost)::int AS cost, count(*)::int AS n FROM usage_event"),
  ).toEqual([{ charged: 239, cost: 389, n: 5 }]);
  expect(await books.sql("SELECT posted, held FROM ledger_account WHERE id = $1", [walletId])).toEqual([
    { posted: 9_801n, held: 0n },
  ]);
  expect(await books.defects()).toEqual([]);
});

test("a turn that cannot be posted keeps no other back, and turns then post for themselves", async () => {
  const accounting = await books.start(LEAN);
  const who = someParties(await fundedWallet(books, 1_000n));
  const settled = async () => {
    const call = aHold(who, 20n);
    await accounting.admit(call);
    await accounting.settle(aSettlement(call, 7n));
  };
  const resume = await stopPosting();
  await settled();
  await books.sql("CREATE TABLE first_turn AS SELECT id FROM unposted_turn");
  await books.sql(`CREATE FUNCTION refuse_first() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN IF OLD.id IN (SELECT id FROM first_turn) THEN RAISE EXCEPTION 'not this one'; END IF; RETURN OLD; END $$`);
  await books.sql(
    "CREATE TRIGGER refuse_first BEFORE DELETE ON unposted_turn FOR EACH ROW EXECUTE FUNCTION refuse_first()",
  );
  await resume();
  await settled();
  await expect.poll(counts, { timeout: 10_000 }).toMatchObject({ turns: 1, rows: 1 });
  expect(await books.defects()).toEqual([]);
  await expect.poll(() => accounting.postingLagMs, { timeout: 10_000 }).toBeGreaterThan(2_000);
  await settled();
  expect(await counts()).toEqual({ turns: 1, rows: 2, posted: 986n, held: 7n });
  expect(await books.defects()).toEqual([]);
  await books.sql("DROP TRIGGER refuse_first ON unposted_turn");
  await expect.poll(counts, { timeout: 10_000 }).toEqual({ turns: 0, rows: 3, posted: 979n, held: 0n });
}, 40_000);

test("a turn reads the holds of its own calls, however many others are under way", async () => {
  const accounting = await books.start(LEAN);
  const who = someParties(await fundedWallet(books, 10_000n));
  const calls = Array.from({ length: 50 }, () => aHold(who, 20n));
  await Promise.all(calls.map((call) => accounting.admit(call)));
  // A session reports its statistics at most once a second, at the end of a statement.
  for (const call of calls.slice(0, 3)) {
    await accounting.settle(aSettlement(call, 7n));
    await pause(1_050);
  }
  const scans = async () => {
    const rows = await books.sql<{ name: string; scans: number }>(
      "SELECT indexrelname AS name, idx_scan::int AS scans FROM pg_stat_user_indexes WHERE relname = 'hold'",
    );
    return Object.fromEntries(rows.map(({ name, scans }) => [name, scans]));
  };
  await vi.waitFor(async () => expect((await scans()).hold_pkey).toBeGreaterThan(0), 10_000);
  expect(await scans()).toMatchObject({ hold_open_lease: 0 });
});

test("what does not fit is decided call by call: nobody is held beyond a budget or a wallet", async () => {
  const accounting = await books.start(LEAN);
  const who = someParties(await fundedWallet(books, 100n));
  await putBudget(books, "key", who.keyId, 70n);
  const first = aHold(who, 40n);
  expect(await accounting.admit(first)).toEqual({ kind: "held" });
  expect(await accounting.admit(aHold(who, 31n))).toMatchObject({ kind: "refused", scope: "key" });
  expect(await accounting.admit(aHold({ ...who, keyId: 3 }, 61n))).toMatchObject({ kind: "refused", scope: "wallet" });
  expect(await books.defects()).toEqual([]);
  await accounting.settle(aSettlement(first, 40n));
  await accounting.settledCallsPosted();
  expect(await counts()).toEqual({ turns: 0, rows: 1, posted: 60n, held: 0n });
});

test("a leg that nobody expects on a hold makes no room for the call beside it", async () => {
  const accounting = await books.start(LEAN);
  const walletId = await fundedWallet(books, 10_000n);
  const [who, other] = [1, 2].map((keyId) => someParties(walletId, { keyId }));
  await putBudget(books, "key", 1, 50n);
  await putBudget(books, "key", 2, 1_000n);
  const done = aHold(other!, 10n);
  expect(await accounting.admit(done)).toEqual({ kind: "held" });
  // Simulates a hold on a budget whose scope the finished call does not name.
  await books.sql("ALTER TABLE budget DISABLE TRIGGER USER");
  await books.sql("UPDATE budget SET scope_id = 77 WHERE scope_kind = 'key' AND scope_id = 2");
  const [receipt, verdict] = await Promise.all([
    accounting.settle(aSettlement(done, 10n)),
    accounting.admit(aHold(who!, 60n)),
  ]);
  expect(receipt).toMatchObject({ chargedNanoUsd: 10n });
  expect(verdict).toMatchObject({ kind: "refused", scope: "key" });
});

test("a charge that is not posted yet refuses at once, with the wallet's figures, instead of being waited for", async () => {
  const accounting = await books.start({ ...LEAN, patienceMs: 60_000 });
  const who = someParties(await fundedWallet(books, 100n));
  await putBudget(books, "key", who.keyId, 200n);
  const resume = await stopPosting();
  const call = aHold(who, 70n);
  await accounting.admit(call);
  await accounting.settle(aSettlement(call, 70n));
  // Only a call in flight fills the key's budget, but the wallet's money is already spent.
  const underWay = aHold({ ...who, exempt: true }, 120n);
  expect(await accounting.admit(underWay)).toEqual({ kind: "held" });
  expect(await accounting.admit(aHold(who, 31n))).toMatchObject({
    kind: "refused",
    code: "billing_limit_reached",
    scope: "wallet",
    shortage: { limitNanoUsd: 30n, spentNanoUsd: 0n, heldNanoUsd: 0n, freeNanoUsd: 10n },
  });
  await resume();
});

test("a rate window is full after so many requests", async () => {
  const accounting = await books.start(LEAN);
  const who = someParties(await fundedWallet(books, 100n));
  const ask = () => accounting.admit(aHold(who, 1n, { rateLimitRpm: 3 }));
  for (let each = 0; each < 3; each += 1) expect(await ask()).toEqual({ kind: "held" });
  expect(await ask()).toMatchObject({ kind: "refused", scope: "rate" });
  expect(await books.defects()).toEqual([]);
});

test("a wallet whose credit was lowered below what it has used holds nothing more, although its floor has room", async () => {
  const accounting = await books.start(LEAN);
  const who = someParties(await fundedWallet(books, 10n));
  await books.sql("SELECT wallet_set_credit_limit($1, 100)", [who.walletId]);
  const call = aHold(who, 90n);
  await accounting.admit(call);
  await accounting.settle(aSettlement(call, 90n));
  await books.sql("SELECT wallet_set_credit_limit($1, 0)", [who.walletId]);
  await books.sql("SELECT wallet_post($1, 'promo_expense', 30, 'promo_grant', 'more', 'test', '')", [who.walletId]);
  expect(await accounting.admit(aHold(who, 5n))).toMatchObject({ kind: "refused", scope: "wallet" });
  expect(await books.defects()).toEqual([]);
});

test("a hold that went to review, and a budget that was replaced, take the full turn", async () => {
  const accounting = await books.start(LEAN);
  const who = someParties(await fundedWallet(books, 1_000n));
  await putBudget(books, "key", who.keyId, 500n);
  const [aside, under] = [aHold(who, 20n), aHold(who, 30n)];
  await accounting.admit(aside);
  await accounting.admit(under);
  await accounting.markForReview(aside.callId, "nobody knows");
  await books.sql("SELECT budget_set(1, 'key', $1, 400, 'daily')", [who.keyId]);
  await accounting.settle(aSettlement(aside, 5n));
  await accounting.settle(aSettlement(under, 6n));
  const next = aHold(who, 390n);
  expect(await accounting.admit(next)).toEqual({ kind: "held" });
  await accounting.settle(aSettlement(next, 1n));
  await accounting.settledCallsPosted();
  expect(
    await books.sql(
      "SELECT b.period, c.spent, c.held FROM budget b JOIN budget_counter c ON c.budget_id = b.id ORDER BY b.id",
    ),
  ).toEqual([
    { period: "monthly", spent: 11n, held: 0n },
    { period: "daily", spent: 1n, held: 0n },
  ]);
  expect(await books.defects()).toEqual([]);
});

describe.skipIf(!onServer)("under load on PostgreSQL", () => {
  test("1,000 calls against 0.05 USD, audited all the time: nothing spent twice, nothing lost", async () => {
    const limit = 50_000_000n;
    const walletId = await fundedWallet(books, limit);
    const processes = [
      await books.start({ ...LEAN, patienceMs: 10_000 }),
      await books.start({ ...LEAN, patienceMs: 10_000 }),
    ];
    const watcher = await newSqlClient();
    let samples = 0;
    let done = false;
    const found: unknown[] = [];
    const watch = (async () => {
      while (!done) {
        const { rows } = await watcher.query("SELECT * FROM ledger_audit");
        found.push(...rows);
        samples += 1;
        await pause(50);
      }
    })();
    let bill = 0n;
    await Promise.all(
      Array.from({ length: 1_000 }, async (_, index) => {
        const accounting = processes[index % 2]!;
        const hold = aHold(someParties(walletId, { keyId: 1 + (index % 7) }), 100_000n, { rateLimitRpm: 10_000 });
        const cost = BigInt(20_000 + ((index * 7_919) % 80_000));
        if ((await accounting.admit(hold)).kind === "refused") return;
        await pause(5 + (index % 40));
        bill += cost;
        await accounting.settle(aSettlement(hold, cost));
      }),
    );
    done = true;
    await watch;
    await watcher.end();
    for (const accounting of processes) await accounting.settledCallsPosted();
    expect(found).toEqual([]);
    expect(samples).toBeGreaterThan(3);
    expect(bill).toBeLessThanOrEqual(limit);
    expect(bill).toBeGreaterThan((limit * 9n) / 10n);
    await expect.poll(counts, { timeout: 5_000 }).toMatchObject({ turns: 0, posted: limit - bill, held: 0n });
    expect(await books.defects()).toEqual([]);
  }, 60_000);
});
