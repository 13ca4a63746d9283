import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { db } from "~/connection/db.server";
import { lastUses, recentRejections, rejectionsSince } from "~/domain/request-log/index.server";
import { apiError } from "~/errors/app-error";
import { type Books, openBooks } from "../../../tests/support/accounting";
import { aCaller } from "../__fixtures__/fake-suppliers";
import { Call } from "../call-record";
import { flushRejections, recordRejection } from "./rejection-log";

const HOUR_MS = 3_600_000;
/** Yesterday, shortly before the end of an hour. */
const START = new Date(Math.floor(Date.now() / HOUR_MS - 24) * HOUR_MS + 58 * 60_000);
let books: Books;
beforeAll(async () => {
  books = await openBooks();
});
afterAll(() => books.close());
beforeEach(() => vi.useFakeTimers({ toFake: ["Date"], now: START }));
afterEach(() => vi.useRealTimers());

const newCall = () => new Call(new Request("http://gw/v1/chat/completions", { method: "POST" }));
const call = newCall();
const tooFast = apiError("rate_limit_exceeded");
const noBudget = apiError("budget_exceeded", { details: { scope: "key", limit: 0.5 } });

const refuse = (keyId: number, refused = tooFast, requestedModel = "m") => {
  const inference = { requestedModel } as Parameters<typeof recordRejection>[0]["inference"];
  recordRejection({ call, caller: aCaller({ keyId, organisationId: 1 }), inference }, refused);
};
const countOf = async (keyId: number) => (await rejectionsSince(db(), [keyId], START)).get(keyId) ?? 0;
const rowsOf = (keyId: number) =>
  books.sql<{ code: string; scope: string | null; times: number; seconds: number }>(
    "SELECT code, scope, times, extract(epoch FROM last_at - at)::int AS seconds FROM gateway_refusal WHERE key_id = $1 ORDER BY id",
    [keyId],
  );
const after = (ms: number) => vi.setSystemTime(Date.now() + ms);

test("10,000 refusals in ten seconds are counted exactly and are one row, beside those of other keys", async () => {
  for (let second = 0; second < 10; second += 1) {
    for (let number = 0; number < 1_000; number += 1) refuse(61);
    refuse(62);
    await flushRejections();
    after(1_000);
  }
  expect(await countOf(61)).toBe(10_000);
  expect(await rowsOf(61)).toEqual([{ code: "rate_limit_exceeded", scope: null, times: 10_000, seconds: 9 }]);
  expect(await rowsOf(62)).toEqual([{ code: "rate_limit_exceeded", scope: null, times: 10, seconds: 9 }]);
  expect((await lastUses(db(), [61])).get(61)).toEqual(new Date(START.getTime() + 9_000));
});

test("a burst ends when it has been quiet for a minute, and with its hour", async () => {
  for (const pause of [30_000, 61_000, 40_000, 0]) {
    refuse(63);
    await flushRejections();
    after(pause);
  }
  await flushRejections();
  expect((await rowsOf(63)).map(({ times }) => times)).toEqual([2, 1, 1]);
  expect((await recentRejections(db(), 63)).map(({ times }) => times)).toEqual([1, 1, 2]);
  expect(await countOf(63)).toBe(4);
});

test("reasons have bursts of their own; so have the first twenty models, and the others share", async () => {
  refuse(64, noBudget);
  for (let model = 0; model < 500; model += 1) refuse(64, tooFast, `model-${model}`);
  await flushRejections();
  const rows = await rowsOf(64);
  expect(rows[0]).toMatchObject({ code: "budget_exceeded", scope: "key", times: 1 });
  expect(rows).toHaveLength(21);
  expect(rows.at(-1)).toMatchObject({ times: 481 });
  expect(await countOf(64)).toBe(501);
});

test("a burst stores the id of its first request and those of the latest twenty", async () => {
  const calls = Array.from({ length: 50 }, newCall);
  const ids = async () => {
    const [row] = await books.sql<{ first: string; later: string[] }>(
      "SELECT request_id::text AS first, later_ids::text[] AS later FROM gateway_refusal WHERE key_id = 66",
    );
    return row;
  };
  for (const [index, each] of calls.entries()) {
    recordRejection({ call: each, caller: aCaller({ keyId: 66, organisationId: 1 }), inference: null }, tooFast);
    if (index === 2 || index === 9) await flushRejections();
    if (index === 9) expect((await ids())?.later).toEqual(calls.slice(1, 10).map(({ id }) => id));
  }
  await flushRejections();
  expect(await ids()).toEqual({ first: calls[0]?.id, later: calls.slice(-20).map(({ id }) => id) });
});

test("what the database does not take waits, and is counted once", async () => {
  refuse(65);
  await books.sql("ALTER TABLE refusal_hour RENAME TO refusal_away");
  await flushRejections();
  refuse(65);
  await books.sql("ALTER TABLE refusal_away RENAME TO refusal_hour");
  refuse(65);
  await Promise.all([flushRejections(), flushRejections()]);
  expect(await countOf(65)).toBe(3);
  expect((await rowsOf(65)).map(({ times }) => times)).toEqual([3]);
});
