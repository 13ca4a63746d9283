import { afterEach, beforeEach, expect, inject, test } from "vitest";
import {
  aHold,
  aSettlement,
  type Books,
  fundedWallet,
  openBooks,
  someParties,
} from "../../../../tests/support/accounting";
import type { Accounting } from "../accounting";

// The database becomes unavailable while turns are being posted.
const onServer = inject("testDatabases").kind === "postgres";
const CALLS = 10;

let books: Books;
beforeEach(async () => {
  books = await openBooks();
});
afterEach(async () => {
  books.mend();
  await books.close();
});

const counts = async () => {
  const [row] = await books.sql(
    `SELECT (SELECT count(*)::int FROM unposted_turn) AS turns, (SELECT count(*)::int FROM usage_event) AS rows,
            (SELECT coalesce(sum(requests), 0)::int FROM usage_hour) AS requests, posted, held
       FROM ledger_account WHERE kind = 'wallet'`,
  );
  return row;
};

/** Delays the end of every posting by this time. */
async function slowPosting(seconds: number): Promise<() => Promise<unknown>> {
  await books.sql(`CREATE FUNCTION take_long() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_sleep(${seconds}); RETURN NULL; END $$`);
  await books.sql("CREATE TRIGGER take_long AFTER DELETE ON unposted_turn EXECUTE FUNCTION take_long()");
  return () => books.sql("DROP TRIGGER take_long ON unposted_turn");
}

/** Returns the process id of the session that is posting. */
async function postingSession(): Promise<number> {
  const sql = `SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event = 'PgSleep' AND query LIKE '%accounting_post_later%'`;
  await expect.poll(async () => (await books.sql(sql)).length, { timeout: 10_000, interval: 10 }).toBe(1);
  return (await books.sql<{ pid: number }>(sql))[0]!.pid;
}

async function settled(): Promise<Accounting> {
  const accounting = await books.start({ leanFromItems: 0, patienceMs: 100, recoveryMs: 300 });
  const who = someParties(await fundedWallet(books, 1_000n));
  for (let each = 0; each < CALLS; each += 1) {
    const call = aHold(who, 20n);
    expect(await accounting.admit(call)).toEqual({ kind: "held" });
    await accounting.settle(aSettlement(call, 7n));
  }
  return accounting;
}

const POSTED = { turns: 0, rows: CALLS, requests: CALLS, posted: 930n, held: 0n };

test.skipIf(!onServer).each(["dies", "is cut off"] as const)(
  "a posting whose session %s in the middle is done once",
  async (how) => {
    const fast = await slowPosting(0.5);
    await settled();
    const pid = await postingSession();
    // The unfinished posting is not visible: the charges are still held, and the books are consistent.
    expect(await books.defects()).toEqual([]);
    if (how === "dies") await books.sql("SELECT pg_terminate_backend($1)", [pid]);
    else books.cut("broken");
    expect(await books.defects()).toEqual([]);
    await fast();
    books.mend();
    await expect.poll(counts, { timeout: 20_000 }).toEqual(POSTED);
    expect(await books.defects()).toEqual([]);
  },
  40_000,
);

test("postings that are carried out and never answered are not repeated", async () => {
  const unheard = books.loseAnswersTo("accounting_post_later");
  const accounting = await settled();
  await expect.poll(counts, { timeout: 20_000 }).toEqual(POSTED);
  // The posting is requested again, for all turns and for each, because its answer was lost.
  await expect.poll(unheard, { timeout: 20_000 }).toBeGreaterThan(1);
  books.mend();
  await expect.poll(() => accounting.postingLagMs, { timeout: 20_000 }).toBe(0);
  expect(await counts()).toEqual(POSTED);
  expect(await books.defects()).toEqual([]);
}, 70_000);

test.runIf(onServer)(
  "a turn does not wait for a posting of the same wallet that is under way",
  async () => {
    const fast = await slowPosting(2);
    const accounting = await settled();
    const pid = await postingSession();
    const [wallet] = await books.sql<{ id: number }>("SELECT id::int FROM ledger_account WHERE kind = 'wallet'");
    const call = aHold(someParties(wallet!.id), 20n);
    expect(await accounting.admit(call)).toEqual({ kind: "held" });
    // The turn is finished while the same posting is still running.
    expect(await postingSession()).toBe(pid);
    await accounting.settle(aSettlement(call, 7n));
    await fast();
    await expect.poll(counts, { timeout: 20_000 }).toEqual({ ...POSTED, rows: 11, requests: 11, posted: 923n });
    expect(await books.defects()).toEqual([]);
  },
  40_000,
);
