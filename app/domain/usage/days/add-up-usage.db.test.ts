import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, inject, onTestFinished, test, vi } from "vitest";
import { db, type Reads } from "~/connection/db.server";
import type { Parties } from "~/domain/accounting/shared";
import { aSettlement, type Books, fundedWallet, openBooks, someParties } from "../../../../tests/support/accounting";
import { addUpUsage, usageTotals } from "../index.server";
import { usageReady } from "../usage";

const onServer = inject("testDatabases").kind === "postgres";
const DAY = 86_400_000;
const FROM = Date.UTC(2026, 2, 25);
const ALL = { from: new Date(FROM), to: new Date(FROM + 20 * DAY) };

let books: Books;
let exempt: Parties;
beforeEach(async () => {
  books = await openBooks();
  exempt = someParties(await fundedWallet(books, 0n, { exempt: true }), { exempt: true });
});
afterEach(() => books.close());

const aCall = (days: number, costNanoUsd = 7n) =>
  aSettlement({ ...exempt, callId: randomUUID() }, costNanoUsd, {
    held: false,
    startedAt: new Date(FROM + days * DAY),
  });
const now = () => new AbortController().signal;
const charged = async () => (await usageTotals(db(), { organisationId: 1 }, ALL))[0]?.chargedNanoUsd ?? 0n;

test("where there was never any usage no day is complete, and days without any are no work", async () => {
  expect(await addUpUsage(db(), now())).toBe(0);
  expect(await usageReady(db())).toEqual({ completeBefore: null });
  const accounting = await books.start();
  for (const days of [0, 5]) await accounting.settle(aCall(days));
  expect(await addUpUsage(db(), now())).toBe(2);
  const { completeBefore } = await usageReady(db());
  expect(Date.now() - completeBefore!.getTime()).toBeLessThan(2 * DAY + 3_600_000);
  expect(await charged()).toBe(14n);
});

test("a day is closed an hour after its end, and today never", async () => {
  const accounting = await books.start();
  await accounting.settle(aCall(0));
  await accounting.settle({ ...aCall(0), startedAt: new Date() });
  await addUpUsage(db(), now());
  const [row] = await books.sql<{ open: boolean }>(
    "SELECT complete_before = date_trunc('day', now() - interval '1 hour', 'UTC') AS open FROM usage_days",
  );
  expect(row).toEqual({ open: true });
  expect(await books.sql("SELECT FROM usage_day WHERE day >= date_trunc('day', now(), 'UTC')")).toEqual([]);
});

test("a run that is told to stop ends behind the day that it is at, and the next one goes on", async () => {
  const accounting = await books.start();
  for (const days of [0, 1, 2]) await accounting.settle(aCall(days));
  const stop = new AbortController();
  stop.abort();
  expect(await addUpUsage(db(), stop.signal)).toBe(0);
  expect(await addUpUsage(db(), now())).toBe(3);
});

test("two runs at once add every day up once", async () => {
  const accounting = await books.start();
  for (const days of [0, 1, 2, 3]) await accounting.settle(aCall(days));
  const runs = await Promise.all([addUpUsage(db(), now()), addUpUsage(db(), now())]);
  expect(runs.reduce((sum, days) => sum + days, 0)).toBe(4);
  expect(await charged()).toBe(28n);
});

test.skipIf(!onServer)("a posting that began before its day was closed is waited for", async () => {
  const accounting = await books.start();
  await accounting.settle(aCall(0));
  await books.sql(`CREATE FUNCTION take_long() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_sleep(0.7); RETURN NULL; END $$`);
  await books.sql("CREATE TRIGGER take_long AFTER INSERT ON usage_hour EXECUTE FUNCTION take_long()");
  const posting = accounting.settle(aCall(0, 100n));
  const sleeping = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`;
  await expect.poll(async () => (await books.sql(sleeping)).length, { interval: 10 }).toBe(1);
  const begun = performance.now();
  await addUpUsage(db(), now());
  expect(performance.now() - begun).toBeGreaterThan(300);
  expect(await posting).toMatchObject({ durable: "database" });
  // The row need not be reported as late, because adding up has waited for it.
  expect(await books.sql("SELECT * FROM usage_late")).toEqual([]);
  expect(await charged()).toBe(107n);
});

test("a call that is posted into a closed day is in every answer from then on, and in the sum of its day with the next run", async () => {
  const accounting = await books.start();
  await accounting.settle(aCall(0));
  await addUpUsage(db(), now());
  await accounting.settle(aCall(0, 100n));
  await accounting.settle(aCall(-3, 1_000n));
  expect(await charged()).toBe(107n);
  expect(await addUpUsage(db(), now())).toBe(2);
  expect(await charged()).toBe(107n);
  expect(await books.sql("SELECT charged::int FROM usage_day ORDER BY day")).toEqual([
    { charged: 1_000 },
    { charged: 107 },
  ]);
});

test("how far days are complete is remembered until the next one can be, and by each snapshot for itself", async () => {
  const accounting = await books.start();
  await accounting.settle(aCall(0));
  await addUpUsage(db(), now());
  let asked = 0;
  const counting = (): Reads => ({
    $queryRaw: (...sql: Parameters<Reads["$queryRaw"]>) => {
      asked += 1;
      return db().$queryRaw(...sql);
    },
  });
  const [first, second] = [counting(), counting()];
  const { completeBefore } = await usageReady(first);
  expect(await usageReady(first)).toEqual({ completeBefore });
  expect(asked).toBe(1);
  expect(await usageReady(second)).toEqual({ completeBefore });
  expect(asked).toBe(2);
  vi.setSystemTime(completeBefore!.getTime() + DAY + 3_600_000);
  onTestFinished(() => void vi.useRealTimers());
  await usageReady(first);
  expect(asked).toBe(3);
});
