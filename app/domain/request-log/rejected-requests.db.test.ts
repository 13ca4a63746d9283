import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db, plainReads } from "~/connection/db.server";
import { countRejections, rejectionReasons, rejectionsByGroup } from "~/domain/usage/index.server";
import type { RejectionPoint } from "~/domain/usage/shared";
import { type Books, openBooks } from "../../../tests/support/accounting";
import { exportRejectedRequests, keysOutOfMoney, readRejectedRequests, recordRejections } from "./index.server";
import type { NewRejection } from "./shared";

let books: Books;
/** Ids of two keys of two people, and of one key in another organisation. */
let keys: number[];
beforeAll(async () => {
  books = await openBooks();
  await books.sql(
    "INSERT INTO organisation (id, name, slug) VALUES (801, 'Home', 'home-801'), (802, 'Away', 'away-802')",
  );
  await books.sql(
    "INSERT INTO app_user (id, email, organisation_id) VALUES (811, 'a@x.example', 801), (812, 'b@x.example', 801), (813, 'c@x.example', 802)",
  );
  const rows = await books.sql<{ id: number }>(
    `INSERT INTO api_key (public_id, organisation_id, user_id, name, secret_hmac, secret_prefix, secret_last4, allowed_models, allowed_regions)
       SELECT 'rejected_' || id, organisation_id, id, 'Key of ' || id, decode(md5(id::text), 'hex'), 'gw', '0000', '{}', '{}'
         FROM app_user WHERE id BETWEEN 811 AND 813 ORDER BY id RETURNING id`,
  );
  keys = rows.map(({ id }) => id);
});
afterAll(() => books.close());

const HOUR_MS = 3_600_000;
/** Returns a UUID of version 7, the version of request ids. */
function idAt(ms: number): string {
  const time = ms.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
const burst = (key: number, at: Date, more: Partial<NewRejection> & { times?: number; lastAt?: Date } = {}) => ({
  ...{ at, lastAt: at, times: 1, isFirst: true, keyId: keys[key]!, organisationId: key === 2 ? 802 : 801 },
  ...{ requestId: idAt(at.getTime()), endpoint: "chat.completions", model: "m", code: "rate_limit_exceeded" },
  ...{ status: 429, param: null, humanMessage: "Slow down.", retryAfterSeconds: 1, scope: null, walletId: null },
  ...{ details: null, ...more },
});
const sum = (points: readonly RejectionPoint[] | null) =>
  (points ?? []).reduce((total, { rejections }) => total + rejections, 0);

test("they are counted by bucket and reason within a scope, on days of 23 and 25 hours too, and days add up to hours", async () => {
  for (const [first, timeZone] of [
    ["2026-03-28T23:00Z", "Europe/Berlin"],
    ["2026-10-24T22:00Z", "Europe/Berlin"],
    ["2026-03-07T05:00Z", "America/New_York"],
    ["2026-10-03T14:00Z", "Australia/Sydney"],
    ["2026-10-03T18:30Z", "Asia/Kolkata"],
    ["2026-10-04T00:00Z", "UTC"],
  ] as const) {
    const from = new Date(first);
    const to = new Date(from.getTime() + 72 * HOUR_MS);
    const hours = Array.from({ length: 72 }, (_, hour) => new Date(from.getTime() + hour * HOUR_MS));
    await books.sql("DELETE FROM refusal_hour");
    await recordRejections(
      db(),
      hours.map((at, hour) => burst(hour % 2, at, { times: 1 + hour })),
    );
    await recordRejections(db(), [burst(2, from, { times: 5_000 })]);
    // An hour that begins before the span counts at its start. In India, half of an hour then belongs to another day.
    const wanted = hours.filter((at) => Math.floor(at.getTime() / HOUR_MS) * HOUR_MS >= from.getTime());
    const total = wanted.reduce((all, at) => all + 1 + (at.getTime() - from.getTime()) / HOUR_MS, 0);
    for (const bucket of ["hour", "day"] as const) {
      const points = await countRejections(db(), { organisationId: 801 }, { from, to, bucket, timeZone });
      expect(sum(points), `${timeZone} ${bucket}`).toBe(total);
    }
    const labels = new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short" });
    const byDay = new Map<string, number>();
    for (const [hour, at] of hours.entries()) {
      const label = labels.format(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS);
      if (wanted.includes(at)) byDay.set(label, (byDay.get(label) ?? 0) + 1 + hour);
    }
    const days = await countRejections(db(), { organisationId: 801 }, { from, to, bucket: "day", timeZone });
    expect(new Map(days?.map((day) => [labels.format(day.bucket), day.rejections]))).toEqual(byDay);
    expect(sum(await countRejections(db(), { organisationId: null }, { from, to, bucket: "day", timeZone }))).toBe(
      total + (wanted.includes(hours[0]!) ? 5_000 : 0),
    );
    const groups = { from, to, timeZone, groupBy: "user" as const };
    for (const bucket of [null, "hour", "day"] as const) {
      const byUser = (await rejectionsByGroup(db(), { organisationId: 801 }, { ...groups, bucket })) ?? [];
      expect(sum(byUser.map(({ rejections }) => ({ bucket: from, code: "", scope: "", rejections })))).toBe(total);
      expect(new Set(byUser.map(({ group }) => group))).toEqual(new Set([811, 812]));
    }
    expect(
      await rejectionsByGroup(db(), { organisationId: null }, { ...groups, bucket: null, groupBy: "model" }),
    ).toBeNull();
    const reasons = await rejectionReasons(db(), { organisationId: 801 }, { from, to });
    expect(sum((reasons ?? []).map((reason) => ({ bucket: from, ...reason })))).toBe(total);
    expect(reasons).toMatchObject([{ code: "rate_limit_exceeded", scope: "", keys: 2, keyId: keys[1] }]);
  }
});

test("days have what their hours have, whatever is added, goes on, or is deleted for its age", async () => {
  const differences = `SELECT day, key_id, code FROM (
      SELECT date_trunc('day', hour, 'UTC') AS day, key_id, code, scope, sum(refusals) AS refusals FROM refusal_hour GROUP BY 1, 2, 3, 4) h
    FULL JOIN refusal_day d USING (day, key_id, code, scope) WHERE h.refusals IS DISTINCT FROM d.refusals`;
  const start = new Date("2026-05-01T22:10Z").getTime();
  for (let round = 0; round < 6; round += 1) {
    const at = new Date(start + round * HOUR_MS);
    await recordRejections(db(), [
      burst(0, at, { times: 3 }),
      burst(1, at),
      burst(1, at, { code: "model_not_allowed" }),
    ]);
    await recordRejections(db(), [burst(0, at, { times: 4 })]);
  }
  expect(await books.sql(differences)).toEqual([]);
  await books.sql("UPDATE refusal_hour SET refusals = refusals + 2 WHERE hour = '2026-05-01T23:00Z'");
  await books.sql("DELETE FROM refusal_hour WHERE hour < '2026-05-01T23:00Z'");
  expect(await books.sql(differences)).toEqual([]);
  await books.sql("DELETE FROM refusal_hour WHERE hour < '2026-05-02T00:00Z'");
  expect(await books.sql(differences)).toEqual([]);
  expect(await books.sql("SELECT DISTINCT day FROM refusal_day WHERE day < '2026-05-03'")).toHaveLength(1);
});

test("counts know nothing of models, suppliers and regions, and say so", async () => {
  const span = { from: new Date(0), to: new Date(), bucket: "day" as const, timeZone: "UTC" };
  expect(await countRejections(db(), { organisationId: 801, models: ["m"] }, span)).toBeNull();
  expect(await rejectionReasons(db(), { organisationId: 801, regions: ["eu"] }, span)).toBeNull();
});

test("bursts are listed within a scope, newest first, page by page, and found by the id of any request in them", async () => {
  const at = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  await recordRejections(db(), [
    burst(0, at(50), { times: 9, lastAt: at(45) }),
    burst(1, at(40), { code: "model_not_allowed", model: "other" }),
    burst(0, at(30)),
    burst(2, at(48), { times: 3, lastAt: at(46) }),
  ]);
  const since = at(60);
  const read = (scope: object, filter = {}, beforeId: bigint | null = null, limit = 9) =>
    readRejectedRequests(db(), { organisationId: 801, ...scope }, { filter: { since, ...filter }, beforeId, limit });
  const codes = async (...ask: Parameters<typeof read>) => (await read(...ask)).rejected.map(({ code }) => code);

  const first = await read({}, {}, null, 2);
  expect(first.rejected.map(({ keyId, times }) => [keyId, times])).toEqual([
    [keys[0], 1],
    [keys[1], 1],
  ]);
  const rest = await read({}, {}, first.nextBeforeId);
  expect(rest.rejected.map(({ keyName, times }) => [keyName, times])).toEqual([["Key of 811", 9]]);
  expect(rest.nextBeforeId).toBeNull();
  expect(await codes({ userIds: [812] })).toEqual(["model_not_allowed"]);
  expect(await codes({ models: ["other"] })).toEqual(["model_not_allowed"]);
  expect(await codes({ regions: ["eu"] })).toEqual([]);
  expect(await codes({}, { code: "model_not_allowed" })).toEqual(["model_not_allowed"]);
  expect(await codes({ organisationId: 802 }, { until: at(49) })).toEqual([]);

  const inFile = [];
  for await (const page of exportRejectedRequests(plainReads(), { organisationId: 801 }, { since }))
    inFile.push(...page);
  expect(inFile).toEqual((await read({})).rejected);

  const within = idAt(at(47).getTime());
  const found = (scope: object) => read(scope, { requestId: within });
  expect((await found({})).rejected.map(({ times }) => times)).toEqual([9]);
  expect((await found({ organisationId: 802 })).rejected.map(({ times }) => times)).toEqual([3]);
  expect((await found({})).isExact).toBe(false);
  expect(await codes({}, { requestId: idAt(at(20).getTime()) })).toEqual([]);
  expect(await codes({}, { requestId: rest.rejected[0]!.requestId })).toEqual(["rate_limit_exceeded"]);
});

test("a request is found exactly by its id, the first of its burst or a later one, within a scope", async () => {
  const start = new Date(Date.now() - 60_000);
  const later = [1_000, 2_000].map((ms) => idAt(start.getTime() + ms));
  const lastAt = new Date(start.getTime() + 3_000);
  const mine = burst(0, start, { times: 3, lastAt, code: "model_not_found" });
  await recordRejections(db(), [
    { ...mine, laterIds: later },
    burst(1, start, { times: 5, lastAt }),
    burst(2, start, { times: 5, lastAt }),
  ]);
  const find = (requestId: string, scope: object = {}) =>
    readRejectedRequests(
      plainReads(),
      { organisationId: 801, ...scope },
      { filter: { requestId }, beforeId: null, limit: 9 },
    );
  for (const id of [mine.requestId, ...later]) {
    const { rejected, isExact } = await find(id);
    expect([isExact, rejected.map(({ requestId }) => requestId)]).toEqual([true, [mine.requestId]]);
  }
  const unknown = await find(idAt(start.getTime() + 1_500));
  expect([unknown.isExact, unknown.rejected.length]).toEqual([false, 2]);
  expect((await find(later[0]!, { organisationId: 802 })).isExact).toBe(false);
});

test("the keys of a scope that are out of money are found, with how many of their requests were rejected for it in a day", async () => {
  await books.sql("DELETE FROM refusal_hour");
  await books.sql("DELETE FROM gateway_refusal");
  const now = Date.now();
  const [before, since] = [new Date(now - 30 * HOUR_MS), new Date(now - 2 * HOUR_MS)];
  await recordRejections(db(), [
    burst(0, before, { code: "budget_exceeded", scope: "key", times: 100 }),
    burst(0, since, { code: "budget_exceeded", scope: "key", times: 86 }),
    burst(1, since, { code: "budget_exceeded", scope: "key", times: 5 }),
    burst(1, new Date(now), { code: "rate_limit_exceeded", times: 1 }),
    burst(2, since, { code: "billing_limit_reached", scope: "wallet", times: 7 }),
  ]);
  const found = async (organisationId: number | null, limit = 5) =>
    (await keysOutOfMoney(db(), { organisationId }, limit)).map(({ keyId, rejections, code }) => [
      keyId,
      rejections,
      code,
    ]);
  // The last rejection of the second key was about its rate limit.
  expect(await found(801)).toEqual([[keys[0], 86, "budget_exceeded"]]);
  expect(await found(802)).toEqual([[keys[2], 7, "billing_limit_reached"]]);
  expect(await found(null, 1)).toEqual([[keys[0], 86, "budget_exceeded"]]);
});
