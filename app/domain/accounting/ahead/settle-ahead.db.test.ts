import { cp, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { log } from "~/observe/log.server";
import {
  aHold,
  aSettlement,
  type Books,
  fundedWallet,
  openBooks,
  recoverAll,
  someParties,
} from "../../../../tests/support/accounting";
import type { Accounting } from "../accounting";
import type { HoldRequest } from "../shared";

// Answers that do not wait for the turn that records them.
let books: Books;
beforeEach(async () => {
  books = await openBooks();
});
afterEach(async () => {
  vi.restoreAllMocks();
  books.mend();
  expect(await books.defects()).toEqual([]);
  await books.close();
});

const journal = () => join(books.dataDir, "journal");
const filesIn = async (folder: string) => (await readdir(folder)).filter((name) => !name.startsWith("."));
const wallet = async () =>
  (await books.sql("SELECT posted, held FROM ledger_account WHERE kind = 'wallet'"))[0] as { posted: bigint };
const charges = async () =>
  (await books.sql<{ charged: bigint }>("SELECT charged FROM usage_event ORDER BY charged")).map((row) => row.charged);

async function heldCalls(accounting: Accounting, count: number): Promise<HoldRequest[]> {
  const who = someParties(await fundedWallet(books, 10_000n));
  const calls = Array.from({ length: count }, () => aHold(who, 100n));
  for (const call of calls) expect(await accounting.admit(call)).toEqual({ kind: "held" });
  return calls;
}

test("what a process had answered when it died is booked by the next one, once", async () => {
  const dying = await books.start();
  const calls = await heldCalls(dying, 5);
  // From now on the process cannot reach the database, as if it were killed before it sends its turn.
  books.cut("silent");
  const receipts = await Promise.all(
    calls.map((call, n) => dying.settleAhead(aSettlement(call, n === 0 ? 120n : BigInt(10 + n)))),
  );
  expect(receipts.map(({ durable }) => durable)).toEqual(new Array(5).fill("write_ahead"));
  // A charge never exceeds the hold, and equals the charge that the client received.
  expect(receipts.map(({ chargedNanoUsd }) => chargedNanoUsd)).toEqual([100n, 11n, 12n, 13n, 14n]);
  const left = join(books.dataDir, "left");
  await cp(journal(), join(left, "journal"), { recursive: true });
  books.mend();
  const next = await books.start({ dataDir: left, leaseMs: 600 });
  await expect
    .poll(async () => {
      await recoverAll(next);
      return charges();
    })
    .toEqual([11n, 12n, 13n, 14n, 100n]);
  expect(await wallet()).toEqual({ posted: 9_850n, held: 0n });
  expect(await filesIn(join(left, "journal"))).toEqual([]);
  // The first process is alive after all: its late settlements change nothing.
  await expect
    .poll(
      async () => {
        await recoverAll(dying);
        return dying.callsInFlight;
      },
      { timeout: 10_000 },
    )
    .toBe(0);
  expect(await charges()).toHaveLength(5);
  expect(await wallet()).toEqual({ posted: 9_850n, held: 0n });
}, 30_000);

test("a quiet gateway books before it answers", async () => {
  const accounting = await books.start();
  const calls = await heldCalls(accounting, 3);
  for (const call of calls) {
    expect(await accounting.settleAhead(aSettlement(call, 7n))).toMatchObject({ durable: "database" });
    expect((await books.sql("SELECT state FROM hold WHERE id = $1", [call.callId]))[0]?.state).toBe("settled");
  }
  expect(await filesIn(journal())).toEqual([]);
});

test("whoever reads usage waits for what has been answered", async () => {
  const accounting = await books.start();
  const calls = await heldCalls(accounting, 8);
  const receipts = await Promise.all(calls.map((call) => accounting.settleAhead(aSettlement(call, 7n))));
  expect(receipts.filter(({ durable }) => durable === "write_ahead").length).toBeGreaterThan(4);
  await accounting.settledCallsPosted();
  expect(await charges()).toEqual(new Array(8).fill(7n));
});

test("as long as what has been answered is on its way, readers of usage wait", async () => {
  const accounting = await books.start();
  const calls = await heldCalls(accounting, 5);
  books.cut("silent");
  await Promise.all(calls.map((call) => accounting.settleAhead(aSettlement(call, 7n))));
  let isOver = false;
  const reading = accounting.settledCallsPosted().then(() => {
    isOver = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(isOver).toBe(false);
  // The wait ends when the journal has the settlement; it does not depend on the database.
  await reading;
  books.mend();
  await expect
    .poll(
      async () => {
        await recoverAll(accounting);
        return charges();
      },
      { timeout: 10_000 },
    )
    .toEqual(new Array(5).fill(7n));
}, 30_000);

test("where nothing can be written ahead, the client waits for the database", async () => {
  const accounting = await books.start();
  const calls = await heldCalls(accounting, 6);
  await rm(journal(), { recursive: true, force: true });
  await writeFile(journal(), "not a folder");
  const receipts = await Promise.all(calls.map((call) => accounting.settleAhead(aSettlement(call, 7n))));
  expect(receipts.map(({ durable }) => durable)).toEqual(new Array(6).fill("database"));
  await rm(journal());
  await mkdir(journal());
});

test("a call that was answered and that the database refuses for good is told in the log, and in review", async () => {
  const accounting = await books.start();
  const [call, ...others] = await heldCalls(accounting, 6);
  const said = vi.spyOn(log, "error");
  const settlement = aSettlement(call!, 7n, { priceVersion: 1e30 });
  expect(await accounting.settleAhead(settlement)).toMatchObject({ durable: "write_ahead" });
  await expect
    .poll(() => said.mock.calls.map(([about]) => about))
    .toContainEqual(expect.objectContaining({ call: call!.callId }));
  for (const other of others) await accounting.settle(aSettlement(other, 7n));
  await accounting.settledCallsPosted();
  await expect
    .poll(() => books.sql("SELECT state, amount FROM hold WHERE id = $1", [call!.callId]))
    .toEqual([{ state: "review", amount: 100n }]);
  expect(await charges()).toEqual(new Array(5).fill(7n));
});
