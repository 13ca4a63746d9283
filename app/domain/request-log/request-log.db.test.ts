import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db, plainReads } from "~/connection/db.server";
import type { UsageScope } from "~/domain/usage/shared";
import { Prisma } from "~/generated/prisma/client";
import { aSettlement, type Books, fundedWallet, openBooks, someParties } from "../../../tests/support/accounting";
import { plansWithIndex } from "../../../tests/support/plans";
import { countRequests, exportRequests, type RequestPlace, readRequests, readSortedRequests } from "./index.server";
import { newestRequests } from "./request-source-store";
import type { RequestFilter, RequestSort } from "./shared";

type Row = {
  id: bigint;
  request_id: string;
  organisation_id: number;
  key_id: number;
  user_id: number | null;
  department_id: number | null;
  project_id: number | null;
  model: string;
  supplier: string;
  region: string;
  outcome: string;
  error_code: string | null;
  session_id: string | null;
  charged: bigint;
  latency_ms: number;
  started_at: Date;
  routing: { guardrails?: { action: string }[] } | null;
};

const DAY_MS = 86_400_000;
const FROM = Date.UTC(2026, 2, 1);
const CALLS = 400;

let books: Books;
let rows: Row[];
let seed = 11;
const random = (below: number) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((seed / 2_147_483_648) * below);
};
const oneOf = <Value>(values: readonly Value[]): Value => values[random(values.length)] as Value;

beforeAll(async () => {
  books = await openBooks();
  const accounting = await books.start();
  await books.sql("INSERT INTO organisation (id, name, slug) VALUES (1, 'One', 'one'), (2, 'Two', 'two')");
  const wallets = [
    await fundedWallet(books, 0n, { exempt: true }),
    await fundedWallet(books, 0n, { exempt: true, organisationId: 2 }),
  ];
  for (let from = 0; from < CALLS; from += 50)
    await Promise.all(Array.from({ length: 50 }, (_, at) => aCall(from + at)));

  // Most calls end soon after their start; every fifth began at a random time and is settled now.
  function aCall(place: number) {
    const organisationId = oneOf([1, 1, 2]);
    const keyId = organisationId * 10 + random(3);
    const parties = someParties(wallets[organisationId - 1] as number, {
      exempt: true,
      organisationId,
      keyId,
      userId: oneOf([null, keyId, keyId + 100]),
      departmentId: oneOf([null, organisationId * 10 + 1, organisationId * 10 + 2]),
      projectId: oneOf([null, organisationId * 10 + 5]),
    });
    const outcome = oneOf(["complete", "complete", "complete", "error", "upstream_abort", "client_abort"] as const);
    const days = place % 5 === 0 ? random(1_000) / 100 : (place / CALLS) * 10;
    return accounting.settle(
      aSettlement({ ...parties, callId: randomUUID() }, BigInt(random(1_000)), {
        held: false,
        model: oneOf(["model-a", "model-a", "model-a", "model-b", "model-c"]),
        supplier: oneOf(["first", "second"]),
        region: oneOf(["eu", "us"]),
        outcome,
        errorCode: outcome === "error" ? oneOf(["upstream_error", "upstream_timeout"]) : null,
        sessionId: oneOf([null, null, "session-1", "session-2"]),
        latencyMs: random(1_000),
        startedAt: new Date(FROM + Math.round(days * DAY_MS)),
        routing: random(10) === 0 ? { guardrails: [{ action: oneOf(["flag", "redact"]) }] } : null,
      } as never),
    );
  }
  rows = await books.sql<Row>("SELECT * FROM usage_event ORDER BY id DESC");
});
afterAll(() => books.close());

const OUTCOMES: Record<string, readonly string[]> = {
  complete: ["complete"],
  error: ["error", "not_executed", "upstream_abort"],
  failed: ["error", "not_executed"],
  interrupted: ["upstream_abort", "client_abort", "recovered"],
};

/** Returns the expected result by a check of every row. */
function expected(scope: UsageScope, filter: RequestFilter): bigint[] {
  const has = <Value>(list: readonly Value[] | undefined, value: Value | null) =>
    list === undefined || (value !== null && list.includes(value));
  const matches = (row: Row) =>
    (scope.organisationId === null || row.organisation_id === scope.organisationId) &&
    has(scope.organisationIds, row.organisation_id) &&
    has(scope.keyIds, row.key_id) &&
    has(scope.userIds, row.user_id) &&
    has(scope.departmentIds, row.department_id) &&
    has(scope.projectIds, row.project_id) &&
    has(scope.models, row.model) &&
    has(scope.suppliers, row.supplier) &&
    has(scope.regions, row.region) &&
    (filter.outcome === undefined || OUTCOMES[filter.outcome]?.includes(row.outcome)) &&
    (filter.code === undefined || row.error_code === filter.code) &&
    (filter.session === undefined || row.session_id === filter.session) &&
    (filter.requestId === undefined || row.request_id === filter.requestId) &&
    (filter.since === undefined || row.started_at >= filter.since) &&
    (filter.until === undefined || row.started_at < filter.until) &&
    (filter.minNanoUsd === undefined || BigInt(row.charged) >= filter.minNanoUsd) &&
    (filter.maxNanoUsd === undefined || BigInt(row.charged) <= filter.maxNanoUsd) &&
    (filter.minMs === undefined || row.latency_ms >= filter.minMs) &&
    (filter.maxMs === undefined || row.latency_ms <= filter.maxMs) &&
    (filter.guardrail === undefined || row.routing?.guardrails?.some(({ action }) => action === filter.guardrail));
  return rows.filter(matches).map(({ id }) => BigInt(id));
}

/** Reads all pages in order. */
async function listed(scope: UsageScope, filter: RequestFilter, limit: number): Promise<bigint[]> {
  const ids: bigint[] = [];
  let beforeId: bigint | null = null;
  do {
    const page: Awaited<ReturnType<typeof readRequests>> = await readRequests(db(), scope, { filter, beforeId, limit });
    expect(page.requests.length).toBeLessThanOrEqual(limit);
    ids.push(...page.requests.map(({ id }) => id));
    beforeId = page.nextBeforeId;
  } while (beforeId !== null);
  return ids;
}

const SCOPES: (() => Partial<UsageScope>)[] = [
  () => ({ models: [oneOf(["model-a", "model-b", "model-none"])] }),
  () => ({ suppliers: [oneOf(["first", "nobody"])] }),
  () => ({ regions: ["eu"] }),
  () => ({ keyIds: oneOf([[10], [11, 20], [], [99]]) }),
  () => ({ userIds: [oneOf([10, 111, 20, 99])] }),
  () => ({ departmentIds: [oneOf([11, 12, 21, 99])] }),
  () => ({ projectIds: [oneOf([15, 25, 99])] }),
  () => ({ organisationIds: [2] }),
];
const FILTERS: (() => RequestFilter)[] = [
  () => ({ outcome: oneOf(["complete", "error", "failed", "interrupted"] as const) }),
  () => ({ code: oneOf(["upstream_error", "upstream_timeout", "none"]) }),
  () => ({ session: oneOf(["session-1", "none"]) }),
  () => ({ requestId: oneOf([oneOf(rows).request_id, randomUUID()]) }),
  () => ({ since: new Date(FROM + random(10 * DAY_MS)) }),
  () => ({ until: new Date(FROM + random(10 * DAY_MS)) }),
  () => ({ since: new Date(FROM + random(5 * DAY_MS)), until: new Date(FROM + (5 + random(5)) * DAY_MS) }),
  () => ({ minNanoUsd: BigInt(random(1_100)) }),
  () => ({ maxNanoUsd: BigInt(random(1_000)), ...(random(2) === 0 && { minNanoUsd: BigInt(random(500)) }) }),
  () => ({ minMs: random(1_100) }),
  () => ({ maxMs: random(1_000) }),
  () => ({ guardrail: oneOf(["flag", "redact", "refuse"] as const) }),
];
const some = <Part extends object>(parts: readonly (() => Part)[], odds: number): Part =>
  Object.assign({}, ...parts.map((part) => (random(odds) === 0 ? part() : {})));

const asText = (value: unknown) => JSON.stringify(value, (_, each) => (typeof each === "bigint" ? `${each}n` : each));

test("every single filter, in every scope, lists what looking at every row finds, page by page", async () => {
  for (const organisationId of [null, 1, 2])
    for (const scope of [() => ({}), ...SCOPES])
      for (const filter of [() => ({}), ...FILTERS]) {
        const [where, which] = [{ organisationId, ...scope() }, filter()];
        const ids = await listed(where, which, 40);
        expect([asText({ where, which }), ids]).toEqual([asText({ where, which }), expected(where, which)]);
      }
});

test("and so do several filters at once", async () => {
  for (let round = 0; round < 200; round += 1) {
    const where = { organisationId: oneOf([null, 1, 2]), ...some(SCOPES, 5) };
    const which = some(FILTERS, 5);
    const ids = await listed(where, which, 1 + random(30));
    expect([asText({ where, which }), ids]).toEqual([asText({ where, which }), expected(where, which)]);
  }
});

test("a file has what the pages show, to the kind of each value, though it is not read through Prisma", async () => {
  for (const organisationId of [null, 1])
    for (const scope of [() => ({}), ...SCOPES])
      for (const filter of [() => ({}), ...FILTERS]) {
        const [where, which] = [{ organisationId, ...scope() }, filter()];
        const { requests } = await readRequests(db(), where, { filter: which, beforeId: null, limit: CALLS });
        const file: typeof requests = [];
        for await (const page of exportRequests(plainReads(), where, which)) file.push(...page);
        expect(file).toEqual(requests);
      }
});

test("counts by bucket are those of the rows that the log lists in that span, in every time zone, or are not given", async () => {
  let refused = 0;
  for (let round = 0; round < 250; round += 1) {
    const where = { organisationId: oneOf([null, 1, 2]), ...some(SCOPES, 4) };
    const which = some(FILTERS, 3);
    const from = new Date(FROM + random(8 * 24) * 3_600_000 + random(2) * 1_800_000);
    const to = new Date(from.getTime() + (1 + random(72)) * 3_600_000);
    const span = { from, to, bucket: oneOf(["hour", "day"] as const), timeZone: oneOf(["UTC", "Asia/Kathmandu"]) };
    const most = oneOf([20, 1_000]);
    const counts = await countRequests(db(), where, { filter: which, span, limit: most });
    const wanted = new Set(expected(where, { ...which, since: from, until: to }));
    if (counts === null) {
      refused += 1;
      expect(most).toBe(20);
      continue;
    }
    const list = rows.filter(({ id }) => wanted.has(BigInt(id)));
    const sums = new Map<string, number[]>();
    for (const { started_at, outcome } of list) {
      const at = bucketOf(started_at, span);
      const [requests = 0, errors = 0] = sums.get(at) ?? [];
      sums.set(at, [requests + 1, errors + (OUTCOMES.error?.includes(outcome) ? 1 : 0)]);
    }
    const asked = asText({ where, which, span, most });
    expect([asked, counts.map(({ bucket, ...count }) => [bucket.toISOString(), Object.values(count)])]).toEqual([
      asked,
      [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ]);
  }
  expect(refused).toBeGreaterThan(5);
});

test("a span leads to its calls by their numbers, never by their moments and everything else of an organisation", async () => {
  const filter = { since: new Date(FROM + DAY_MS), until: new Date(FROM + 2 * DAY_MS) };
  const source = await newestRequests(db(), { organisationId: null }, { filter, beforeId: null, limit: 10 });
  const [plan = "", byMoments = ""] = await plansWithIndex("usage_event_started", [
    Prisma.sql`SELECT * FROM (${source}) found`,
    Prisma.sql`SELECT * FROM usage_event WHERE started_at >= ${filter.since} AND started_at < ${filter.until}`,
  ]);
  const conditions = (text: string) => text.match(/Index Cond: .*/g)?.join() ?? "";
  expect(conditions(byMoments)).toContain("started_at");
  // The index on timestamps also contains ids, so conditions on both are allowed there.
  expect(conditions(plan)).toContain("id >=");
  expect(conditions(plan)).not.toContain("started_at");
});

/** Returns the start of a timestamp's bucket; Kathmandu has no daylight saving time. */
function bucketOf(at: Date, { bucket, timeZone }: { bucket: "hour" | "day"; timeZone: string }): string {
  const size = bucket === "hour" ? 3_600_000 : DAY_MS;
  const offset = bucket === "hour" || timeZone === "UTC" ? 0 : 5.75 * 3_600_000;
  return new Date(Math.floor((at.getTime() + offset) / size) * size - offset).toISOString();
}

const FIGURES: Partial<Record<RequestSort["by"], (row: Row) => number>> = {
  time: ({ id }) => Number(id),
  cost: ({ charged }) => Number(charged),
  latency: ({ latency_ms }) => latency_ms,
};

test.each<[string, UsageScope, RequestFilter]>([
  ["all organisations", { organisationId: null }, {}],
  ["an organisation, some days", { organisationId: 1 }, { since: new Date(FROM), until: new Date(FROM + 4 * DAY_MS) }],
  ["a key", { organisationId: 1, keyIds: [11] }, {}],
  ["failed requests", { organisationId: 1 }, { outcome: "failed" }],
])("the pages of a sorted list are all of its requests in order: %s", async (_, scope, filter) => {
  for (const [by, figure] of Object.entries(FIGURES))
    for (const descending of [true, false]) {
      const sort = { by: by as RequestSort["by"], descending };
      const ids: bigint[] = [];
      let after: RequestPlace | null = null;
      do {
        const page: Awaited<ReturnType<typeof readSortedRequests>> = await readSortedRequests(db(), scope, {
          filter,
          sort,
          after,
          limit: 37,
        });
        expect(page.among).toBeNull();
        ids.push(...page.requests.map(({ id }) => id));
        after = page.next;
      } while (after !== null);
      const sign = descending ? -1 : 1;
      const matching = new Set(expected(scope, filter));
      const inOrder = rows
        .filter(({ id }) => matching.has(BigInt(id)))
        .toSorted((a, b) => sign * (figure(a) - figure(b) || Number(a.id) - Number(b.id)))
        .map(({ id }) => BigInt(id));
      expect(ids, `${by} ${descending}`).toEqual(inOrder);
    }
});
