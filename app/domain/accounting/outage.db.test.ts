import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
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
import { writeSettlement } from "./ahead/settlement-line";

let books: Books;
beforeEach(async () => {
  books = await openBooks();
});
afterEach(async () => {
  books.mend();
  expect(await books.defects()).toEqual([]);
  await books.close();
});

const journal = () => join(books.dataDir, "journal");
const journalFiles = async () => (await readdir(journal())).filter((name) => !name.startsWith("."));
const usageCount = async () => (await books.sql<{ n: number }>("SELECT count(*)::int AS n FROM usage_event"))[0]!.n;

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let attempts = 0; attempts < 200 && !(await isSo()); attempts += 1)
    await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await isSo()).toBe(true);
}

test.each(["broken", "silent"] as const)(
  "a %s database: admission refuses within two seconds, settlements go to the journal, and both recover",
  async (how) => {
    const accounting = await books.start({ recoveryMs: 500 });
    const who = someParties(await fundedWallet(books, 10_000n));
    const calls = Array.from({ length: 20 }, () => aHold(who, 100n));
    for (const call of calls) expect(await accounting.admit(call)).toEqual({ kind: "held" });
    books.cut(how);
    const began = Date.now();
    const refusals = await Promise.allSettled(Array.from({ length: 10 }, () => accounting.admit(aHold(who, 1n))));
    expect(Date.now() - began).toBeLessThan(2_100);
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({
        status: "rejected",
        reason: { code: "billing_unavailable", status: 503, retryAfterSeconds: 2 },
      });
    }
    const receipts = await Promise.all(calls.map((call) => accounting.settle(aSettlement(call, 120n))));
    for (const receipt of receipts)
      expect(receipt).toEqual({ chargedNanoUsd: 100n, repeated: false, durable: "journal" });
    expect(await usageCount()).toBe(0);
    books.mend();
    await until(async () => (await usageCount()) === 20);
    await until(async () => (await journalFiles()).length === 0);
    expect(await accounting.settle(aSettlement(calls[0]!, 1n))).toMatchObject({
      chargedNanoUsd: 100n,
      repeated: true,
      durable: "database",
    });
    await until(async () => (await accounting.admit(aHold(who, 1n)).catch(() => null))?.kind === "held");
  },
  30_000,
);

/** Makes both the database and the journal unavailable. */
async function cutEverything(): Promise<void> {
  books.cut("broken");
  await rm(journal(), { recursive: true });
  await writeFile(journal(), "not a folder");
}

test("a hold that was committed without its answer arriving is freed, because nothing was dispatched", async () => {
  const accounting = await books.start({ recoveryMs: 200 });
  const who = someParties(await fundedWallet(books, 10_000n));
  expect(await accounting.admit(aHold(who, 1n))).toEqual({ kind: "held" });
  books.cut("deaf");
  const call = aHold(who, 500n);
  await expect(accounting.admit(call)).rejects.toMatchObject({ code: "billing_unavailable" });
  const stateOf = async () => (await books.sql("SELECT state FROM hold WHERE id = $1", [call.callId]))[0]?.state;
  expect(await stateOf()).toBe("dispatched");
  books.mend();
  await until(async () => (await stateOf()) === "released");
}, 30_000);

test("the journal of a process that died is replayed by the next one, torn last line and all", async () => {
  const first = await books.start();
  const who = someParties(await fundedWallet(books, 10_000n));
  await putBudget(books, "key", 1, 10_000n);
  const calls = [aHold(who, 100n), aHold(who, 100n), aHold(who, 100n)];
  for (const call of calls) await first.admit(call);
  await first.stop();
  const lines = calls.map((call) => writeSettlement(aSettlement(call, 40n)));
  await mkdir(journal(), { recursive: true });
  await writeFile(join(journal(), "dead-1.jsonl"), lines[0]! + lines[1]!.slice(0, 150));
  await writeFile(join(journal(), `dead-2.jsonl.${Date.now() - 120_000}.4c1f.replay`), lines[0]! + lines[2]!);
  await books.start({ recoveryMs: 300 });
  await until(async () => (await usageCount()) === 2);
  await until(async () => (await journalFiles()).join() === "dead-1.unreadable");
  expect(await readFile(join(journal(), "dead-1.unreadable"), "utf8")).toBe(`${lines[1]!.slice(0, 150)}\n`);
  const [wallet] = await books.sql("SELECT posted, held FROM ledger_account WHERE kind = 'wallet'");
  expect(wallet).toEqual({ posted: 9_920n, held: 100n });
});

test("what the database refuses for good is kept for a person", async () => {
  const who = someParties(await fundedWallet(books, 10_000n));
  await mkdir(journal(), { recursive: true });
  const stranger = writeSettlement(aSettlement(aHold(who, 100n), 40n));
  await writeFile(join(journal(), "dead-3.jsonl"), stranger);
  await books.start();
  await until(async () => (await journalFiles()).join() === "dead-3.refused");
  expect(await readFile(join(journal(), "dead-3.refused"), "utf8")).toBe(stranger);
});

test("a journal that cannot be written: no settlement is acknowledged, nothing is admitted until it works", async () => {
  const accounting = await books.start();
  const who = someParties(await fundedWallet(books, 10_000n));
  const call = aHold(who, 100n);
  await accounting.admit(call);
  await cutEverything();
  await expect(accounting.settle(aSettlement(call, 50n))).rejects.toMatchObject({ code: "supplier_settlement_failed" });
  books.mend();
  await recoverAll(accounting);
  await expect(accounting.admit(aHold(who, 1n))).rejects.toMatchObject({ code: "billing_unavailable" });
  await rm(journal());
  await recoverAll(accounting);
  await until(async () => (await accounting.admit(aHold(who, 1n)).catch(() => null))?.kind === "held");
  expect(await accounting.settle(aSettlement(call, 50n))).toMatchObject({ chargedNanoUsd: 50n, durable: "database" });
});

test("stopping while the database is away leaves everything in the journal", async () => {
  const accounting = await books.start();
  const who = someParties(await fundedWallet(books, 10_000n));
  const call = aHold(who, 100n);
  await accounting.admit(call);
  books.cut("broken");
  const receipt = accounting.settle(aSettlement(call, 50n));
  await accounting.stop();
  expect(await receipt).toMatchObject({ durable: "journal" });
  books.mend();
  await books.start();
  await until(async () => (await usageCount()) === 1);
});

test("leases: a live call keeps its hold, a dead one's goes to review and is settled at its checkpoint", async () => {
  await books.sql(`INSERT INTO supplier (name, kind, region) VALUES ('primary', 'chat', 'eu')`);
  await books.sql(
    `INSERT INTO model (id, owned_by, capability, context_tokens, max_output_tokens) VALUES ('fast-chat', 'x', 'chat', 1000, 1000)`,
  );
  await books.sql(
    `INSERT INTO model_route (model_id, supplier_id, upstream_model) SELECT 'fast-chat', id, 'gpt-x' FROM supplier`,
  );
  const [price] = await books.sql<{
    id: number;
  }>(`INSERT INTO price (route_id, input_per_mtok, output_per_mtok, per_request)
    SELECT id, 1500000, 3000001, 7 FROM model_route RETURNING id::int`);
  const leaseMs = 600;
  const dead = await books.start({ leaseMs: 300 });
  const alive = await books.start({ leaseMs, recoveryMs: 100, reviewMs: 1_000 });
  const who = someParties(await fundedWallet(books, 10_000n));
  const [running, known, unknown] = [aHold(who, 1_000n), aHold(who, 1_000n), aHold(who, 1_000n)];
  await alive.admit(running);
  await dead.admit(known);
  await dead.admit(unknown);
  dead.checkpoint(known.callId, { inputTokens: 100, outputTokens: 50, priceVersion: price!.id });
  await new Promise((resolve) => setTimeout(resolve, 120));
  await dead.touchHolds();
  // The process ends, so its leases are no longer extended.
  await dead.stop();
  await until(
    async () =>
      (await books.sql("SELECT 1 FROM hold WHERE id = $1 AND state = 'settled'", [known.callId])).length === 1,
  );
  const [row] = await books.sql(
    "SELECT charged, input_tokens, output_tokens, model, supplier, token_source, outcome FROM usage_event",
  );
  // 100 × 1.5 + 50 × 3.000001, rounded up, + 7
  expect(row).toEqual({
    charged: 308n,
    input_tokens: 100,
    output_tokens: 50,
    model: "fast-chat",
    supplier: "primary",
    token_source: "checkpoint",
    outcome: "recovered",
  });
  const states = await books.sql("SELECT id, state FROM hold WHERE state <> 'settled'");
  expect(states).toContainEqual({ id: running.callId, state: "dispatched" });
  expect(states).toContainEqual({ id: unknown.callId, state: "review" });
}, 20_000);

const stateOf = async (callId: string) => (await books.sql("SELECT state FROM hold WHERE id = $1", [callId]))[0]?.state;

test("what neither the database nor the journal took is booked as soon as either does, and nothing goes to review", async () => {
  const accounting = await books.start({ leanFromItems: 4, recoveryMs: 200 });
  const who = someParties(await fundedWallet(books, 10_000n));
  const calls = Array.from({ length: 6 }, () => aHold(who, 100n));
  for (const call of calls) await accounting.admit(call);
  await cutEverything();
  const told = await Promise.allSettled(calls.map((call) => accounting.settleAhead(aSettlement(call, 50n))));
  for (const each of told) expect(each).toMatchObject({ reason: { code: "supplier_settlement_failed" } });
  // The gateway's request for a review has no effect, because the cost is known.
  await Promise.all(calls.map(({ callId }) => accounting.markForReview(callId, "settlement_failed")));
  await expect(accounting.settle(aSettlement(calls[0]!, 50n))).rejects.toMatchObject({
    code: "supplier_settlement_failed",
  });
  await accounting.settledCallsPosted();
  expect(accounting.callsInFlight).toBe(6);
  books.mend();
  await until(async () => (await usageCount()) === 6);
  expect(await Promise.all(calls.map(({ callId }) => stateOf(callId)))).toEqual(new Array(6).fill("settled"));
  expect(accounting.callsInFlight).toBe(0);
  expect(await books.sql("SELECT posted, held FROM ledger_account WHERE kind = 'wallet'")).toEqual([
    { posted: 9_700n, held: 0n },
  ]);
  await rm(journal());
}, 20_000);

test("what was answered ahead and could be written nowhere else is booked when the disk comes back, database or not", async () => {
  const accounting = await books.start({ leanFromItems: 0 });
  const who = someParties(await fundedWallet(books, 10_000n));
  const calls = Array.from({ length: 3 }, () => aHold(who, 100n));
  for (const call of calls) await accounting.admit(call);
  await mkdir(journal(), { recursive: true });
  books.cut("silent");
  const receipts = await Promise.all(calls.map((call) => accounting.settleAhead(aSettlement(call, 50n))));
  expect(receipts.map(({ durable }) => durable)).toEqual(new Array(3).fill("write_ahead"));
  await rm(journal(), { recursive: true });
  await writeFile(journal(), "not a folder");
  // Admission closes with the first settlement that the journal cannot store.
  await until(async () => accounting.closedBecause !== null);
  expect(accounting.callsInFlight).toBe(3);
  await rm(journal());
  // The database is still unavailable, so the journal stores the settlements.
  await until(async () => accounting.callsInFlight === 0);
  expect((await journalFiles()).filter((name) => name.endsWith(".jsonl"))).toHaveLength(1);
  books.mend();
  await until(async () => {
    await recoverAll(accounting);
    return (await usageCount()) === 3;
  });
  expect(await books.sql("SELECT posted, held FROM ledger_account WHERE kind = 'wallet'")).toEqual([
    { posted: 9_850n, held: 0n },
  ]);
}, 60_000);

test("a call whose settlement nothing took before its process ended goes to review when its lease runs out", async () => {
  const dying = await books.start({ leaseMs: 600 });
  const who = someParties(await fundedWallet(books, 10_000n));
  const call = aHold(who, 100n);
  await dying.admit(call);
  await cutEverything();
  await expect(dying.settle(aSettlement(call, 50n))).rejects.toMatchObject({ code: "supplier_settlement_failed" });
  await dying.stop();
  books.mend();
  await rm(journal());
  const accounting = await books.start();
  await until(async () => {
    await recoverAll(accounting);
    return (await books.sql("SELECT 1 FROM hold WHERE state = 'review'")).length === 1;
  });
}, 30_000);

test("a supplier's impossible count keeps nobody's lease from being extended", async () => {
  const accounting = await books.start({ leaseMs: 300 });
  const who = someParties(await fundedWallet(books, 10_000n));
  const [lying, honest] = [aHold(who, 100n), aHold(who, 100n)];
  await accounting.admit(lying);
  await accounting.admit(honest);
  accounting.checkpoint(lying.callId, { inputTokens: Number.MAX_SAFE_INTEGER, outputTokens: 1, priceVersion: 1 });
  await new Promise((resolve) => setTimeout(resolve, 120));
  expect(await accounting.touchHolds()).toBe(2);
});
