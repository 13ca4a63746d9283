import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { db } from "~/connection/db.server";
import { listHolds, readRateWindow, sumUnderWay } from "~/domain/accounting/index.server";
import { purgeOldRejections, recentRejections, recordRejections } from "~/domain/request-log/index.server";
import {
  aHold,
  aSettlement,
  type Books,
  fundedWallet,
  openBooks,
  someParties,
} from "../../../tests/support/accounting";
import { steps } from "./calendar";
import { localHours } from "./calendar-store";
import { usageSeries, usageTotals } from "./index.server";
import type { UsageCounters, UsageGroup } from "./shared";

let books: Books;
let calls: ReturnType<typeof aSettlement>[];

// Five days that include Europe's clock change on 29 March 2026.
const FROM = Date.UTC(2026, 2, 27);
const DAYS = 5;

beforeAll(async () => {
  books = await openBooks();
  const accounting = await books.start({ recoveryMs: 200 });
  const exempt = someParties(await fundedWallet(books, 0n, { exempt: true }), { exempt: true });
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  calls = Array.from({ length: 400 }, () => {
    const call = { ...exempt, callId: randomUUID(), keyId: 1 + random(3), userId: random(2) === 0 ? null : 5 };
    const routed = random(4) === 0;
    return aSettlement(call, BigInt(random(1_000_000)), {
      held: false,
      model: `model-${random(3)}`,
      startedAt: new Date(FROM + random(DAYS * 86_400_000)),
      outcome: random(9) === 0 ? "error" : "complete",
      firstByteMs: random(5) === 0 ? null : random(900),
      latencyMs: random(9_000),
      inputTokens: random(5_000),
      outputTokens: random(5_000),
      counterfactualNanoUsd: routed ? BigInt(random(2_000_000)) : null,
    });
  });
  await Promise.all(calls.map((call) => accounting.settle(call)));
  // On a busy machine some settlements go to the journal first.
  const posted = async () => expect(await books.sql("SELECT FROM usage_event")).toHaveLength(calls.length);
  await vi.waitFor(posted, 30_000);
}, 60_000);
afterAll(() => books.close());

const ALL = { organisationId: 1 };
const money = (points: readonly UsageCounters[]) => points.reduce((sum, point) => sum + point.chargedNanoUsd, 0n);

function summed(some: typeof calls): UsageCounters {
  const sum = (of: (call: (typeof calls)[number]) => number) => some.reduce((total, call) => total + of(call), 0);
  const routed = some.filter(({ counterfactualNanoUsd }) => counterfactualNanoUsd);
  const cost = some.reduce((total, { costNanoUsd }) => total + costNanoUsd, 0n);
  return {
    requests: some.length,
    errors: some.filter(({ outcome }) => outcome === "error").length,
    failovers: 0,
    routed: routed.length,
    inputTokens: BigInt(sum(({ inputTokens }) => inputTokens)),
    cachedInputTokens: 0n,
    cacheWriteTokens: 0n,
    outputTokens: BigInt(sum(({ outputTokens }) => outputTokens)),
    reasoningTokens: 0n,
    costNanoUsd: cost,
    chargedNanoUsd: cost,
    savedNanoUsd: routed.reduce((total, call) => total + call.counterfactualNanoUsd! - call.costNanoUsd, 0n),
    latencyMs: BigInt(sum(({ latencyMs }) => latencyMs)),
    firstByteMs: BigInt(sum(({ firstByteMs }) => firstByteMs ?? 0)),
    firstBytes: some.filter(({ firstByteMs }) => firstByteMs !== null).length,
  };
}

test.each(["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Asia/Kathmandu", "Australia/Lord_Howe"])(
  "%s: the bars of a chart add up to the calls of the span, wherever it begins and ends",
  async (timeZone) => {
    for (const [from, to] of [
      [FROM, FROM + DAYS * 86_400_000],
      [FROM + 3_456_789, FROM + 3 * 86_400_000 + 1],
      [FROM + 60_000, FROM + 120_000],
      [FROM, FROM],
    ] as const) {
      const span = { from: new Date(from), to: new Date(to), timeZone };
      const inside = calls.filter(({ startedAt }) => startedAt.getTime() >= from && startedAt.getTime() < to);
      const expected = inside.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0n);
      for (const bucket of ["day", "hour"] as const) {
        const { points, buckets } = await usageSeries(db(), ALL, { ...span, bucket });
        expect(money(points)).toBe(expected);
        const starts = new Set(buckets.map((at) => at.getTime()));
        for (const point of points) expect(starts.has(point.bucket.getTime())).toBe(true);
      }
      const [total] = await usageTotals(db(), ALL, span);
      expect(total).toEqual(inside.length === 0 ? undefined : { group: null, ...summed(inside) });
    }
  },
);

test("days are the local ones, also those of 23 hours and of zones between the hours", async () => {
  const local = (timeZone: string) => {
    const format = new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short" });
    return (at: Date) => format.format(at);
  };
  for (const timeZone of ["Europe/Berlin", "Asia/Kathmandu"]) {
    const dayOf = local(timeZone);
    const span = { from: new Date(FROM), to: new Date(FROM + DAYS * 86_400_000), bucket: "day" as const, timeZone };
    const { points } = await usageSeries(db(), ALL, span);
    for (const point of points) {
      const own = calls.filter(({ startedAt }) => dayOf(startedAt) === dayOf(point.bucket));
      expect(point).toEqual({ bucket: point.bucket, group: null, ...summed(own) });
    }
    expect(points.reduce((sum, { requests }) => sum + requests, 0)).toBe(calls.length);
  }
});

test.each([
  ["key", "keyId"],
  ["user", "userId"],
  ["model", "model"],
] as [UsageGroup, "keyId" | "userId" | "model"][])("sums by %s tell the calls apart", async (groupBy, field) => {
  const span = { from: new Date(FROM + 999), to: new Date(FROM + DAYS * 86_400_000) };
  const totals = await usageTotals(db(), ALL, { ...span, groupBy });
  const inside = calls.filter(({ startedAt }) => startedAt >= span.from);
  for (const { group, ...sums } of totals) expect(sums).toEqual(summed(inside.filter((call) => call[field] === group)));
  expect(totals.map(({ group }) => group).toSorted()).toEqual(
    [...new Set(inside.map((call) => call[field]))].toSorted(),
  );
});

test("a scope restricts: foreign organisations, keys and models are not in it", async () => {
  const span = { from: new Date(FROM), to: new Date(FROM + DAYS * 86_400_000) };
  expect(await usageTotals(db(), { organisationId: 2 }, span)).toEqual([]);
  expect(await usageTotals(db(), { organisationId: 1, keyIds: [] }, span)).toEqual([]);
  const [total] = await usageTotals(db(), { organisationId: null, keyIds: [1, 2], models: ["model-1"] }, span);
  const own = calls.filter(({ keyId, model }) => keyId < 3 && model === "model-1");
  expect(total).toEqual({ group: null, ...summed(own) });
});

test.each(["UTC", "Europe/Berlin", "Asia/Kathmandu", "America/Havana", "Pacific/Apia", "Australia/Lord_Howe"])(
  "%s: hours begin and end in the days that the database says, and it is asked once",
  async (timeZone) => {
    // This span includes the day that Apia skipped.
    const span = { low: Date.UTC(2011, 8, 1, 5), high: Date.UTC(2012, 4, 1, 7) };
    const hours = (await localHours(db(), span, timeZone)).flatMap(({ low, high, first, last }) =>
      steps({ low, high }, 3_600_000).map((hour) => ({ hour, first, last })),
    );
    const expected = await books.sql<{ hour: Date; first: Date; last: Date }>(
      `SELECT hour, date_trunc('day', hour, $3) AS first, date_trunc('day', hour + interval '59 minutes 59.999999 seconds', $3) AS last
         FROM generate_series($1::timestamptz, $2::timestamptz - interval '1 hour', interval '1 hour') hour`,
      [new Date(span.low), new Date(span.high), timeZone],
    );
    expect(hours.filter(({ hour }) => hour >= span.low && hour < span.high)).toEqual(
      expected.map(({ hour, first, last }) => ({
        ...{ hour: hour.getTime(), first: first.getTime(), last: last.getTime() },
      })),
    );
    const asked = vi.fn();
    await localHours({ $queryRaw: asked }, { low: span.low + 1, high: span.high + 3_600_000 }, timeZone);
    expect(asked).not.toHaveBeenCalled();
  },
);

test("a time zone that does not exist is refused before the database is asked", async () => {
  const span = { from: new Date(FROM), to: new Date(FROM + 1), bucket: "day" as const, timeZone: "Mars/Olympus" };
  await expect(usageSeries(db(), ALL, span)).rejects.toThrow(RangeError);
});

test("the limiter's state is what admission goes by, and open holds are listed until they end", async () => {
  const accounting = await books.start();
  const who = someParties(await fundedWallet(books, 10_000n, { organisationId: 7 }), { keyId: 77, organisationId: 7 });
  expect(await readRateWindow(db(), 77, 3)).toMatchObject({ usedInLast60s: 0, nextFreeAt: null, seconds: [] });
  const held = [1, 2, 3].map(() => aHold(who, 100n, { rateLimitRpm: 3 }));
  for (const call of held) expect(await accounting.admit(call)).toEqual({ kind: "held" });
  const refused = await accounting.admit(aHold(who, 100n, { rateLimitRpm: 3 }));
  const state = await readRateWindow(db(), 77, 3);
  expect(state.usedInLast60s).toBe(3);
  expect(state.seconds.reduce((sum, { requests }) => sum + requests, 0)).toBe(3);
  const freeInMs = state.nextFreeAt!.getTime() - state.at.getTime();
  expect(refused).toMatchObject({ code: "rate_limit_exceeded" });
  expect(Math.ceil(freeInMs / 1000)).toBeLessThanOrEqual((refused as { retryAfterSeconds: number }).retryAfterSeconds);
  const open = await listHolds(db(), { keyId: 77 });
  expect(open).toMatchObject({ count: 3, heldNanoUsd: 300n });
  expect(open.holds.map(({ callId }) => callId)).toEqual(held.map(({ callId }) => callId));
  await accounting.markForReview(held[0]!.callId, "timeout");
  await accounting.settle(aSettlement(held[1]!, 5n));
  expect((await listHolds(db(), { walletId: who.walletId })).holds.map(({ state }) => state)).toEqual([
    "review",
    "dispatched",
  ]);
  expect(await listHolds(db(), { organisationId: 8 })).toEqual({ holds: [], count: 0, heldNanoUsd: 0n });
  // A call in review still has its hold, but is no longer in flight.
  const { heldNanoUsd } = await listHolds(db(), { walletId: who.walletId });
  expect(await sumUnderWay(db(), { organisationId: 7 })).toEqual({ count: 1, heldNanoUsd });
  for (const scope of [
    { organisationId: 8 },
    { organisationId: 7, departmentId: 999 },
    { organisationId: 7, userId: 999 },
  ])
    expect(await sumUnderWay(db(), scope)).toEqual({ count: 0, heldNanoUsd: 0n });
});

test("a request whose slot ends in the next second has come in this one", async () => {
  await books.sql("INSERT INTO rate_window (key_id, used) VALUES (78, 2)");
  await books.sql("INSERT INTO rate_stamp (key_id, at, n) VALUES (78, app_now() + interval '0.9 seconds', 2)");
  const { at, seconds } = await readRateWindow(db(), 78, 3);
  expect(seconds.reduce((sum, { requests }) => sum + requests, 0)).toBe(2);
  expect(seconds.every(({ second }) => second <= at)).toBe(true);
});

test("refusals are remembered for their key, newest first, and forgotten after a week", async () => {
  const rejection = (minute: number, keyId: number) => ({
    at: new Date(Date.now() - minute * 60_000),
    keyId,
    organisationId: 1,
    requestId: randomUUID(),
    endpoint: "chat/completions",
    model: 'a "model"\u0000',
    code: "budget_exceeded",
    status: 429,
    param: null,
    humanMessage: "The budget of this API key is used up.",
    retryAfterSeconds: 60,
    scope: "key",
    walletId: null,
    details: { scope: "key", limit: 0.5, max_tokens_that_fits: null },
  });
  await recordRejections(db(), [rejection(20_000, 50), rejection(3, 50), rejection(2, 51), rejection(1, 50)]);
  const found = await recentRejections(db(), 50, 5);
  expect(found).toHaveLength(2);
  expect(found[0]).toMatchObject({ code: "budget_exceeded", model: 'a "model"', retryAfterSeconds: 60 });
  expect(found[0]!.details).toEqual({ scope: "key", limit: 0.5, max_tokens_that_fits: null });
  expect(found[0]!.at > found[1]!.at).toBe(true);
  expect(await purgeOldRejections(db())).toBe(1);
  expect(await purgeOldRejections(db())).toBe(0);
});
