import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { newSqlClient } from "~/connection/db.server";
import { AppError } from "~/errors/app-error";
import {
  aHold,
  aSettlement,
  type Books,
  fundedWallet,
  openBooks,
  putBudget,
  recoverAll,
  someParties,
} from "../../../tests/support/accounting";
import type { Accounting } from "./accounting";
import type { HoldRequest, HoldVerdict, Receipt } from "./shared";

// Races need several sessions, but the embedded database has only one.
const onServer = inject("testDatabases").kind === "postgres";
const USD = 1_000_000_000n;
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

let books: Books;
beforeEach(async () => {
  books = await openBooks();
});
afterEach(() => books.close());

/** mulberry32, a random number generator that repeats its numbers for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const deadlocks = async () =>
  (
    await books.sql<{ deadlocks: bigint }>("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
  )[0]!.deadlocks;

describe.skipIf(!onServer)(`two processes on one PostgreSQL, seed ${SEED}`, () => {
  test("1,000 calls at once against a budget of 0.05 USD never overspend it and use it up", async () => {
    const random = randomFrom(SEED);
    const limit = USD / 20n;
    const who = someParties(await fundedWallet(books, USD));
    await putBudget(books, "key", who.keyId, limit);
    // A long patience, so that no call is rejected for its wait on a slow machine.
    const processes = [await books.start({ patienceMs: 60_000 }), await books.start({ patienceMs: 60_000 })];
    const calls = Array.from({ length: 1_000 }, () => {
      const hold = aHold(who, BigInt(100_000 + Math.floor(random() * 200_000)));
      return { hold, cost: (hold.amountNanoUsd * BigInt(Math.floor(100 + random() * 900))) / 1_000n };
    });
    let bill = 0n;
    const outcomes = await Promise.all(
      calls.map(async ({ hold, cost }, index) => {
        const accounting = processes[index % 2]!;
        const verdict = await accounting.admit(hold);
        if (verdict.kind === "refused") return verdict.code;
        await pause(5 + random() * 40);
        bill += cost;
        expect((await accounting.settle(aSettlement(hold, cost))).chargedNanoUsd).toBe(cost);
        return "ok";
      }),
    );
    expect([...new Set(outcomes)].toSorted()).toEqual(["budget_exceeded", "ok"]);
    const [budget] = await books.sql<{ spent: bigint; held: bigint }>(
      "SELECT spent, held FROM budget_read('key', ARRAY[1])",
    );
    expect(budget).toEqual({ spent: bill, held: 0n });
    expect(bill).toBeLessThanOrEqual(limit);
    // The number of accepted calls depends on their order, but no rejected call may fit into the limit.
    const refused = calls.filter((_, index) => outcomes[index] !== "ok");
    for (const { hold } of refused) expect(bill + hold.amountNanoUsd).toBeGreaterThan(limit);
    expect(await books.defects()).toEqual([]);
    expect(await deadlocks()).toBe(0n);
  }, 60_000);

  test("random calls of shared scopes, with connections killed under them, lose nothing and double nothing", async () => {
    const random = randomFrom(SEED + 1);
    const pick = (count: number) => Math.floor(random() * count);
    const wallets = [await fundedWallet(books, USD), await fundedWallet(books, USD, { organisationId: 2 })];
    for (const [kind, id] of [
      ["key", 1],
      ["key", 2],
      ["user", 1],
      ["department", 1],
      ["project", 1],
      ["organisation", 1],
    ] as const) {
      await putBudget(books, kind, id, USD, ["daily", "monthly", "rolling"][id]);
    }
    const processes = [await books.start({ recoveryMs: 300 }), await books.start({ recoveryMs: 300 })];
    const receipts = new Map<string, Receipt>();
    const until = Date.now() + 4_000;
    let refused = 0;
    const worker = async (accounting: Accounting) => {
      while (Date.now() < until) {
        const wallet = pick(2);
        const who = someParties(wallets[wallet]!, {
          keyId: 1 + pick(3),
          userId: pick(2) === 0 ? null : 1 + pick(2),
          departmentId: pick(2) === 0 ? null : 1,
          projectId: pick(2) === 0 ? null : 1,
          organisationId: wallet + 1,
        });
        const hold: HoldRequest = aHold(who, BigInt(1 + pick(10_000)), {
          rateLimitRpm: pick(2) === 0 ? null : 100_000,
        });
        try {
          if ((await accounting.admit(hold)).kind !== "held") continue;
        } catch (problem) {
          expect(problem).toBeInstanceOf(AppError);
          expect((problem as AppError).code).toBe("billing_unavailable");
          refused += 1;
          continue;
        }
        receipts.set(hold.callId, await accounting.settle(aSettlement(hold, BigInt(pick(12_000)))));
      }
    };
    const killer = async () => {
      while (Date.now() < until) {
        await pause(120);
        await books.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%accounting%' ORDER BY random() LIMIT 1`);
      }
    };
    await Promise.all([...Array.from({ length: 40 }, (_, index) => worker(processes[index % 2]!)), killer()]);
    await pause(1_500);
    for (const accounting of processes) for (let round = 0; round < 3; round += 1) await recoverAll(accounting);
    const [open] = await books.sql<{ open: number }>(
      "SELECT count(*)::int AS open FROM hold WHERE state NOT IN ('settled', 'released')",
    );
    const booked = await books.sql<{ id: string; charged: bigint }>(
      "SELECT request_id AS id, charged FROM usage_event",
    );
    expect(await books.defects()).toEqual([]);
    expect(open).toEqual({ open: 0 });
    expect(booked.length).toBe(receipts.size);
    for (const { id, charged } of booked) expect(receipts.get(id)?.chargedNanoUsd).toBe(charged);
    expect(receipts.size).toBeGreaterThan(200);
    expect(refused).toBeLessThan(receipts.size);
    expect(await deadlocks()).toBe(0n);
  }, 60_000);

  test("a rate limit is exact across processes", async () => {
    const who = someParties(await fundedWallet(books, USD));
    const processes = [await books.start(), await books.start(), await books.start()];
    const verdicts = await Promise.all(
      Array.from({ length: 400 }, (_, index) => processes[index % 3]!.admit(aHold(who, 1n, { rateLimitRpm: 100 }))),
    );
    expect(verdicts.filter(({ kind }) => kind === "held")).toHaveLength(100);
    expect(await books.defects()).toEqual([]);
  });

  test("a budget that takes another's place is not overspent by who has waited for the other", async () => {
    const walletId = await fundedWallet(books, 0n, { organisationId: 7, exempt: true });
    const who = someParties(walletId, { keyId: 7, organisationId: 7, exempt: true });
    const [early, late] = [await books.start({ patienceMs: 0 }), await books.start({ patienceMs: 0 })];
    await putBudget(books, "key", who.keyId, 60n, "daily");
    const other = await newSqlClient();
    try {
      // The early call waits for the budget that is being deactivated. Both calls stop between their read and write.
      await books.sql("BEGIN");
      await books.sql("UPDATE budget SET active = false WHERE scope_kind = 'key' AND scope_id = $1", [who.keyId]);
      await books.sql(
        "INSERT INTO budget (organisation_id, scope_kind, scope_id, limit_amt, period) VALUES (7, 'key', $1, 60, 'monthly')",
        [who.keyId],
      );
      await other.query("BEGIN; LOCK TABLE budget_counter IN SHARE ROW EXCLUSIVE MODE");
      const first = early.admit(aHold(who, 40n));
      await pause(150);
      await books.sql("COMMIT");
      const second = late.admit(aHold(who, 40n));
      await pause(150);
      await other.query("COMMIT");
      const verdicts = await Promise.all([first, second]);
      expect(verdicts.map(({ kind }) => kind).toSorted()).toEqual(["held", "refused"]);
    } finally {
      await other.end();
    }
    expect(await books.defects()).toEqual([]);
  });

  test("a database that answers and does not get to the end of a statement is too busy after ten seconds, and what it holds later is freed", async () => {
    const who = someParties(await fundedWallet(books, USD, { organisationId: 8 }), { keyId: 8, organisationId: 8 });
    const accounting = await books.start({ recoveryMs: 200 });
    const other = await newSqlClient();
    const outcome = (admitted: Promise<HoldVerdict>) =>
      admitted.then(
        ({ kind }) => kind,
        (problem: AppError) => problem.code,
      );
    try {
      await other.query("BEGIN");
      await other.query("SELECT 1 FROM ledger_account WHERE id = $1 FOR UPDATE", [who.walletId]);
      // Each statement times out, which is an answer. Its call and a call that arrives meanwhile go into the next one.
      const early = outcome(accounting.admit(aHold(who, 40n)));
      await pause(300);
      const late = outcome(accounting.admit(aHold(who, 40n)));
      expect(await Promise.all([early, late])).toEqual(["capacity_exceeded", "capacity_exceeded"]);
    } finally {
      await other.query("COMMIT");
      await other.end();
    }
    // The second statement may have succeeded after the lock was released; its unused holds must be released.
    const held = async () =>
      (await books.sql<{ held: bigint }>("SELECT held FROM ledger_account WHERE id = $1", [who.walletId]))[0]!.held;
    expect(await accounting.admit(aHold(who, 1n))).toMatchObject({ kind: "held" });
    for (const until = Date.now() + 10_000; (await held()) !== 1n && Date.now() < until; ) await pause(20);
    expect(await held()).toBe(1n);
    expect(await books.defects()).toEqual([]);
  });

  test("budgets change and wallets fill while calls run, without a deadlock", async () => {
    const who = someParties(await fundedWallet(books, USD), { userId: 1, projectId: 1 });
    const processes = [await books.start(), await books.start()];
    const until = Date.now() + 2_000;
    let number = 0;
    const caller = async (accounting: Accounting) => {
      while (Date.now() < until) {
        const hold = aHold(who, 10_000n);
        if ((await accounting.admit(hold)).kind === "held") await accounting.settle(aSettlement(hold, 5_000n));
      }
    };
    const person = async () => {
      while (Date.now() < until) {
        number += 1;
        await putBudget(
          books,
          number % 2 === 0 ? "user" : "project",
          1,
          USD,
          ["daily", "monthly", "rolling"][number % 3],
        );
        await books.sql("SELECT wallet_post($1, 'adjustment', $2, 'adjustment', $3, 'ann', '')", [
          who.walletId,
          number % 2 === 0 ? 7 : -7,
          `n${number}`,
        ]);
        await books.sql("SELECT wallet_set_credit_limit($1, $2)", [who.walletId, number]);
      }
    };
    await Promise.all([...Array.from({ length: 16 }, (_, index) => caller(processes[index % 2]!)), person()]);
    expect(number).toBeGreaterThan(10);
    expect(await books.defects()).toEqual([]);
    expect(await deadlocks()).toBe(0n);
  });
});
