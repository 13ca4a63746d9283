import { randomUUID } from "node:crypto";
import { cp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { db } from "~/connection/db.server";
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
import type { Accounting } from "../accounting";
import { listHolds } from "../books/open-holds";
import { sumUnderWay } from "../books/view-store";
import type { Parties } from "../shared";

// Holds that are placed before their calls arrive.
let books: Books;
beforeEach(async () => {
  books = await openBooks();
});
afterEach(async () => {
  books.mend();
  expect(await books.defects()).toEqual([]);
  await books.close();
});

type Made = { kind: "spare" | "own"; callId: string } | { kind: "refused" };
const start = () => books.start({ leanFromItems: 0, patienceMs: 2_000 });

/** Admits a call as the gateway does. */
async function admitted(
  accounting: Accounting,
  who: Parties,
  amountNanoUsd: bigint,
  rateLimitRpm: number | null = null,
): Promise<Made> {
  const request = { ...who, amountNanoUsd, rateLimitRpm, priceVersion: 1 };
  const taken = accounting.takeSpareHold(request);
  if (taken !== null) {
    await taken.written;
    return { kind: "spare", callId: taken.callId };
  }
  const callId = randomUUID();
  const verdict = await accounting.admit({ ...request, callId });
  return verdict.kind === "held" ? { kind: "own", callId } : { kind: "refused" };
}

/** Runs concurrent clients, each of which sends `each` calls one after the other. */
async function load(
  clients: number,
  each: number,
  call: () => Promise<Made>,
): Promise<Record<"spare" | "own" | "refused", number>> {
  const made = { spare: 0, own: 0, refused: 0 };
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let n = 0; n < each; n += 1) made[(await call()).kind] += 1;
    }),
  );
  return made;
}

const settled = async (accounting: Accounting, who: Parties, made: Made, cost: bigint): Promise<Made> => {
  if (made.kind !== "refused") await accounting.settleAhead(aSettlement({ ...who, callId: made.callId }, cost));
  return made;
};

/** Calls until one has taken a spare hold, which stays open; the others cost their hold. Returns the call count. */
async function untilTaken(accounting: Accounting, who: Parties, amount: bigint, rate: number | null = null) {
  let callId: string | null = null;
  let calls = 0;
  for (let tries = 0; callId === null; tries += 1) {
    if (tries > 50) throw new Error("no call finds a spare hold");
    await load(4, 10, async () => {
      calls += 1;
      const made = await admitted(accounting, who, amount, rate);
      if (made.kind !== "spare" || callId !== null) return settled(accounting, who, made, amount);
      callId = made.callId;
      return made;
    });
  }
  return { callId: callId as string, calls };
}

const wallet = async () =>
  (await books.sql("SELECT posted, held FROM ledger_account WHERE kind = 'wallet'"))[0] as {
    posted: bigint;
    held: bigint;
  };
const open = async () =>
  Number(
    (await books.sql<{ n: string }>("SELECT count(*) AS n FROM hold WHERE state IN ('dispatched', 'review')"))[0]!.n,
  );
const used = async () => (await books.sql<{ used: number }>("SELECT used FROM rate_window"))[0]!.used;
const spareFiles = async (folder = join(books.dataDir, "journal")) =>
  (await readdir(folder)).filter((name) => name.endsWith(".spare"));

test("a budget and a wallet are used up to the last cent, and not beyond", async () => {
  const who = someParties(await fundedWallet(books, 40_000n), { userId: 7 });
  await putBudget(books, "key", 1, 30_000n);
  const processes = await Promise.all([start(), start()]);
  let turn = 0;
  const made = await load(16, 60, async () => {
    turn += 1;
    const accounting = processes[turn % 2]!;
    return settled(accounting, who, await admitted(accounting, who, 50n), 50n);
  });
  expect(made.spare + made.own).toBe(600);
  expect(made.refused).toBe(360);
  expect(made.spare).toBeGreaterThan(100);
  await Promise.all(processes.map((accounting) => accounting.settledCallsPosted()));
  await expect.poll(wallet).toEqual({ posted: 10_000n, held: 0n });
  expect(
    await books.sql(
      "SELECT spent, held FROM budget_counter WHERE budget_id = (SELECT id FROM budget WHERE scope_kind = 'key')",
    ),
  ).toEqual([{ spent: 30_000n, held: 0n }]);
}, 60_000);

test("a rate window is used up to the last request, and what no call took does not count", async () => {
  const who = someParties(await fundedWallet(books, 1_000_000_000n));
  const accounting = await start();
  const made = await load(16, 150, async () =>
    settled(accounting, who, await admitted(accounting, who, 10n, 2_000), 1n),
  );
  expect(made.spare + made.own).toBe(2_000);
  expect(made.spare).toBeGreaterThan(200);
  await expect.poll(open).toBe(0);
  expect(await used()).toBe(2_000);
}, 60_000);

test("what no call takes is given back, its stamps too, and the file goes", async () => {
  const who = someParties(await fundedWallet(books, 1_000_000n));
  const accounting = await start();
  const { callId, calls } = await untilTaken(accounting, who, 100n, 6_000);
  await accounting.settle(aSettlement({ ...who, callId }, 100n));
  await expect.poll(open).toBe(0);
  await accounting.settledCallsPosted();
  expect(await wallet()).toMatchObject({ held: 0n });
  expect(await used()).toBe(calls);
  expect(accounting.callsInFlight).toBe(0);
  await expect.poll(spareFiles).toEqual([]);
  // The unused holds are released without a charge.
  const freed = await books.sql("SELECT DISTINCT state, captured FROM hold WHERE reason = 'spare'");
  expect(freed).toEqual([{ state: "released", captured: 0n }]);
}, 30_000);

test("a spare hold is in nobody's way", async () => {
  const who = someParties(await fundedWallet(books, 20_000n));
  const accounting = await start();
  const { callId, calls } = await untilTaken(accounting, who, 100n);
  await accounting.settle(aSettlement({ ...who, callId }, 100n));
  // The whole balance of the wallet. It fits only after the release of the spare holds, and the call does not wait.
  const all = aHold({ ...who, keyId: 2 }, 20_000n - 100n * BigInt(calls), { isPatient: false });
  expect(await accounting.admit(all)).toEqual({ kind: "held" });
  await accounting.settle(aSettlement(all, 0n));
}, 30_000);

test("nor while more of them are on their way", async () => {
  const clients = 12;
  const who = someParties(await fundedWallet(books, 1_000_000n));
  const accounting = await start();
  let made = 0;
  let isOver = false;
  const running = load(clients, 100_000, async () => {
    if (isOver) return { kind: "refused" };
    made += 1;
    return settled(accounting, who, await admitted(accounting, who, 100n), 1n);
  });
  for (let attempt = 0; attempt < 4; attempt += 1) {
    // Wait until new spare holds are placed.
    await new Promise((resolve) => setTimeout(resolve, 1_300));
    // Leave room for charges and holds of running and new calls, but for less than the spare holds.
    const rest = 1_000_000n - BigInt(made + 300 + clients * 112);
    const large = aHold({ ...who, keyId: 2 }, rest, { isPatient: false });
    expect(await accounting.admit(large)).toEqual({ kind: "held" });
    await accounting.settle(aSettlement(large, 0n));
  }
  isOver = true;
  await running;
}, 60_000);

test("a process that died leaves none behind, and the call that has taken one is looked at", async () => {
  const who = someParties(await fundedWallet(books, 1_000_000n));
  const dying = await start();
  const { callId, calls } = await untilTaken(dying, who, 100n, 6_000);
  books.cut("silent");
  const left = join(books.dataDir, "left");
  await cp(join(books.dataDir, "journal"), join(left, "journal"), { recursive: true });
  books.mend();
  // By then the leases of some holds have expired, including the call's.
  await books.sql(
    "UPDATE hold SET state = 'review', reason = 'lease_expired' WHERE id IN (SELECT id FROM hold WHERE state = 'dispatched' ORDER BY id LIMIT 3)",
  );
  const next = await books.start({ dataDir: left, leaseMs: 600 });
  await expect
    .poll(async () => {
      await recoverAll(next);
      return open();
    })
    .toBe(1);
  expect(await spareFiles(join(left, "journal"))).toEqual([]);
  expect(await books.sql("SELECT id FROM hold WHERE state IN ('dispatched', 'review')")).toEqual([{ id: callId }]);
  expect(await used()).toBe(calls);
  // The first process is alive after all.
  await dying.settleAhead(aSettlement({ ...who, callId }, 30n));
  await expect
    .poll(
      async () => {
        await recoverAll(dying);
        return open();
      },
      { timeout: 10_000 },
    )
    .toBe(0);
  await dying.settledCallsPosted();
  await expect.poll(wallet).toEqual({ posted: 1_000_000n - 100n * BigInt(calls - 1) - 30n, held: 0n });
}, 30_000);

test("nobody pays more than the call itself could cost, whatever its hold is", async () => {
  const who = someParties(await fundedWallet(books, 1_000_000n));
  const accounting = await start();
  const { callId } = await untilTaken(accounting, who, 101n);
  expect(await books.sql("SELECT amount FROM hold WHERE id = $1", [callId])).toEqual([{ amount: 112n }]);
  const receipt = await accounting.settle(aSettlement({ ...who, callId }, 110n));
  expect(receipt.chargedNanoUsd).toBe(101n);
}, 30_000);

test("a call takes none that is too small, much too large, or of other parties", async () => {
  const who = someParties(await fundedWallet(books, 1_000_000n));
  const accounting = await start();
  const { callId } = await untilTaken(accounting, who, 100n);
  await accounting.settle(aSettlement({ ...who, callId }, 100n));
  const request = { ...who, amountNanoUsd: 100n, rateLimitRpm: null, priceVersion: 1 };
  for (const other of [
    { amountNanoUsd: 113n },
    { amountNanoUsd: 70n },
    { keyId: 2 },
    { priceVersion: 2 },
    { userId: 9 },
  ])
    expect(accounting.takeSpareHold({ ...request, ...other })).toBeNull();
}, 30_000);

test("requests in progress are those of calls, and a spare hold of the last moment is none", async () => {
  const who = someParties(await fundedWallet(books, 1_000_000n));
  const accounting = await start();
  const now = Date.now();
  await books.setClock(new Date(now + 60_000));
  const young = await untilTaken(accounting, who, 100n);
  const own = aHold(who, 30n);
  expect(await accounting.admit(own)).toEqual({ kind: "held" });
  await books.setClock(new Date(now));
  await expect.poll(() => sumUnderWay(db(), { keyId: 1 })).toEqual({ count: 1, heldNanoUsd: 30n });
  await expect.poll(open).toBe(2);
  await books.setClock(new Date(now - 60_000));
  const old = await untilTaken(accounting, who, 100n);
  await books.setClock(new Date(now));
  await expect.poll(() => sumUnderWay(db(), { keyId: 1 })).toEqual({ count: 2, heldNanoUsd: 142n });
  const { holds } = await listHolds(db(), { keyId: 1 });
  expect(holds.map(({ callId }) => callId).sort()).toEqual([old.callId, own.callId].sort());
  for (const callId of [young.callId, old.callId]) await accounting.settle(aSettlement({ ...who, callId }, 1n));
  await accounting.settle(aSettlement(own, 1n));
}, 30_000);
