import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { type Db, db } from "~/connection/db.server";
import type { Accounting } from "~/domain/accounting/accounting";
import { Prisma } from "~/generated/prisma/client";
import { aSettlement, type Books, fundedWallet, openBooks, someParties } from "../../../../tests/support/accounting";
import { plansWithIndex } from "../../../../tests/support/plans";
import { readAutorouterReport } from "../autorouter";
import { sumRouted } from "../autorouter-store";
import { addUpUsage, sumOfUsage, sumsByBucket, sumsByGroup, usageSeries, usageTotals } from "../index.server";
import type { UsageCounters, UsageGroup, UsageScope } from "../shared";

const ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Asia/Kathmandu", "Australia/Lord_Howe"];
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
// Fourteen days with the clock changes in Berlin and on Lord Howe Island, three weeks after New York's.
const FROM = Date.UTC(2026, 2, 25);
const DAYS = 14;
const CALLS = 360;

type Call = ReturnType<typeof aSettlement>;
type Question = {
  scope: UsageScope;
  from: number;
  to: number;
  timeZone: string;
  bucket: "hour" | "day";
  groupBy: UsageGroup | null;
};

let books: Books;
let accounting: Accounting;
let calls: Call[];
let seed = 11;
const random = (below: number) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((seed / 2_147_483_648) * below);
};
const oneOf = <T>(list: readonly T[]): T => list[random(list.length)]!;
const now = () => new AbortController().signal;

beforeAll(async () => {
  books = await openBooks();
  accounting = await books.start({ recoveryMs: 200 });
  const payers = await Promise.all(
    [1, 2].map(async (organisationId) =>
      someParties(await fundedWallet(books, 0n, { exempt: true, organisationId }), { exempt: true, organisationId }),
    ),
  );
  calls = Array.from({ length: CALLS }, () => {
    const party = oneOf(payers);
    const routed = random(3) === 0;
    return aSettlement(
      {
        ...{ ...party, callId: randomUUID(), keyId: party.organisationId * 10 + random(3) },
        ...{ userId: oneOf([null, 5, 6]), departmentId: oneOf([null, 7]), projectId: oneOf([null, 8, 9]) },
      },
      BigInt(random(1_000_000)),
      {
        held: false,
        ...{ model: `model-${random(3)}`, supplier: `supplier-${random(2)}`, region: oneOf(["eu", "us"]) },
        // Many calls are near midnight of one of the zones, the boundary of days.
        startedAt: new Date(
          FROM + random(DAYS) * DAY + (random(2) === 0 ? random(DAY) : random(48) * (HOUR / 2) + random(3) - 1),
        ),
        outcome: oneOf(["error", "complete", "complete", "upstream_abort"]),
        firstByteMs: random(5) === 0 ? null : random(900),
        latencyMs: random(9_000),
        ...{ inputTokens: random(5_000), outputTokens: random(5_000) },
        counterfactualNanoUsd: routed ? BigInt(random(2_000_000)) : null,
        routing: routed
          ? { auto: { algorithm: oneOf(["balanced", "cheapest"]), default: { model: "model-2" } } }
          : null,
      } as never,
    );
  });
}, 60_000);
afterAll(() => books.close());

async function settle(some: readonly Call[]): Promise<void> {
  const wanted = (await numberOf("usage_event")) + some.length;
  await Promise.all(some.map((call) => accounting.settle(call)));
  // On a busy machine some settlements go to the journal first.
  await expect.poll(() => numberOf("usage_event"), { timeout: 30_000 }).toBe(wanted);
}

const FIELDS: Record<UsageGroup, keyof Call> = {
  organisation: "organisationId",
  key: "keyId",
  user: "userId",
  department: "departmentId",
  project: "projectId",
  model: "model",
  supplier: "supplier",
  region: "region",
};
const GROUPS = Object.keys(FIELDS) as UsageGroup[];
const LISTS = {
  keyIds: "keyId",
  userIds: "userId",
  projectIds: "projectId",
  models: "model",
  regions: "region",
} as const;

function anything(): Question {
  const scope: UsageScope = { organisationId: oneOf([null, 1, 2]) };
  for (const [list, field] of Object.entries(LISTS) as [keyof typeof LISTS, keyof Call][])
    if (random(5) === 0) Object.assign(scope, { [list]: [oneOf(calls.filter((call) => call[field] !== null))[field]] });
  const [a, b] = [0, 0].map(() => FROM - DAY + random((DAYS + 2) * 24) * HOUR + oneOf([0, 0, 1_800_000, 123_456])) as [
    number,
    number,
  ];
  const groupBy = random(3) === 0 ? null : oneOf(GROUPS);
  return {
    scope,
    from: Math.min(a, b),
    to: Math.max(a, b),
    timeZone: oneOf(ZONES),
    bucket: oneOf(["day", "day", "hour"]),
    groupBy,
  };
}

function matching({ scope, from, to }: Question, some: readonly Call[]): Call[] {
  return some.filter(
    (call) =>
      call.startedAt.getTime() >= from &&
      call.startedAt.getTime() < to &&
      (scope.organisationId === null || call.organisationId === scope.organisationId) &&
      Object.entries(LISTS).every(([list, field]) => {
        const wanted = scope[list as keyof typeof LISTS] as readonly unknown[] | undefined;
        return wanted === undefined || wanted.includes(call[field]);
      }),
  );
}

const countersOf = (call: Call): UsageCounters => ({
  requests: 1,
  errors: call.outcome === "complete" ? 0 : 1,
  failovers: 0,
  routed: call.counterfactualNanoUsd == null ? 0 : 1,
  inputTokens: BigInt(call.inputTokens),
  cachedInputTokens: 0n,
  cacheWriteTokens: 0n,
  outputTokens: BigInt(call.outputTokens),
  reasoningTokens: 0n,
  costNanoUsd: call.costNanoUsd,
  chargedNanoUsd: call.costNanoUsd,
  savedNanoUsd: call.counterfactualNanoUsd == null ? 0n : call.counterfactualNanoUsd - call.costNanoUsd,
  latencyMs: BigInt(call.latencyMs),
  firstByteMs: BigInt(call.firstByteMs ?? 0),
  firstBytes: call.firstByteMs === null ? 0 : 1,
});

/** Sums the calls themselves, by group and by the label of their timestamp. */
function summed(
  some: readonly Call[],
  groupBy: UsageGroup | null,
  labelOf: (at: Date) => string,
): Map<string, UsageCounters> {
  const lists = new Map<string, Call[]>();
  for (const call of some) {
    const name = `${labelOf(call.startedAt)} ${groupBy === null ? null : call[FIELDS[groupBy]]}`;
    lists.set(name, [...(lists.get(name) ?? []), call]);
  }
  return new Map([...lists].map(([name, list]) => [name, sumOfUsage(list.map(countersOf))]));
}

const inOrder = (sums: Map<string, UsageCounters>) => [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1));

async function agrees(question: Question, some: readonly Call[]): Promise<void> {
  const { scope, timeZone, bucket, groupBy } = question;
  const span = { from: new Date(question.from), to: new Date(question.to) };
  const own = matching(question, some);
  const format = new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short" });
  const labelOf = (at: Date) => (bucket === "day" ? format.format(at) : String(Math.floor(at.getTime() / HOUR)));
  const { points } = await usageSeries(db(), scope, { ...span, timeZone, bucket, groupBy });
  const found = new Map(points.map(({ bucket: at, group, ...sums }) => [`${labelOf(at)} ${group}`, sums]));
  expect({ question, sums: inOrder(found) }).toEqual({ question, sums: inOrder(summed(own, groupBy, labelOf)) });
  const totals = await usageTotals(db(), scope, { ...span, groupBy });
  // Sums of the points are the same, in the same order.
  expect({ question, sums: sumsByGroup(points) }).toEqual({ question, sums: totals });
  const { points: all } = await usageSeries(db(), scope, { ...span, timeZone, bucket });
  expect({ question, sums: sumsByBucket(points) }).toEqual({ question, sums: all });
  const totalled = new Map(totals.map(({ group, ...sums }) => [` ${group}`, sums]));
  expect({ question, sums: inOrder(totalled) }).toEqual({ question, sums: inOrder(summed(own, groupBy, () => "")) });
}

const MODELS = ["model-0", "model-1", "model-2"];
const reportOf = (from: number, to: number, client: Db = db()) =>
  readAutorouterReport(client, { organisationId: 1, models: MODELS }, { from: new Date(from), to: new Date(to) });

function expectedReport(some: readonly Call[], from: number, to: number) {
  const own = matching({ scope: { organisationId: 1 }, from, to } as Question, some);
  const routed = own.filter((call) => call.counterfactualNanoUsd != null);
  const keys = new Set(routed.map(({ keyId }) => keyId));
  const eligible = own.filter(({ keyId }) => keys.has(keyId)).length;
  const saved = (calls: readonly Call[]) =>
    calls.reduce((sum, call) => sum + call.counterfactualNanoUsd! - call.costNanoUsd, 0n);
  return {
    requests: routed.length,
    eligible,
    overridden: eligible - routed.length,
    saved: saved(routed),
    days: Array.from({ length: Math.ceil(to / DAY) - Math.floor(from / DAY) }, (_, n) => {
      const day = Math.floor(from / DAY) + n;
      const calls = routed.filter(({ startedAt }) => Math.floor(startedAt.getTime() / DAY) === day);
      return { requests: calls.length, savedNanoUsd: saved(calls) };
    }),
  };
}

async function autorouterAgrees(some: readonly Call[], from: number, to: number): Promise<void> {
  const report = await reportOf(from, to);
  const { requests, eligible, overridden, sums, days, chargedNanoUsd, defaultNanoUsd } = report;
  const saved = defaultNanoUsd - chargedNanoUsd;
  const found = { requests, eligible, overridden, saved, days: days.map(({ day: _, ...sum }) => sum) };
  expect(found).toEqual(expectedReport(some, from, to));
  expect(sums.reduce((sum, { requests }) => sum + requests, 0)).toBe(requests);
  const order = sums.map(({ requests }) => requests);
  expect(order).toEqual(order.toSorted((a, b) => b - a));
  expect(new Set(sums.map(({ model, algorithm, defaultModel }) => `${model} ${algorithm} ${defaultModel}`)).size).toBe(
    sums.length,
  );
}

/** Checks the charges since a midnight in UTC, read as lists of people, projects and organisations read them. */
async function chargedSince(from: number, some: readonly Call[]): Promise<void> {
  const rows = await books.sql<{ user: number; charged: bigint }>(
    `SELECT user_id AS "user", sum(charged)::bigint AS charged FROM usage_sum WHERE at >= $1 AND user_id <> 0 GROUP BY 1 ORDER BY 1`,
    [new Date(from)],
  );
  const own = some.filter(({ startedAt, userId }) => userId !== null && startedAt.getTime() >= from);
  const sums = [5, 6].map((user) => ({
    user,
    charged: own.reduce((sum, call) => (call.userId === user ? sum + call.costNanoUsd : sum), 0n),
  }));
  expect(rows).toEqual(sums);
  const models = await books.sql<{ model: string; charged: bigint }>(
    "SELECT model, sum(charged)::bigint AS charged FROM usage_model_sum WHERE at >= $1 GROUP BY 1",
    [new Date(from)],
  );
  const since = some.filter(({ startedAt }) => startedAt.getTime() >= from);
  const ofModels = [...summed(since, "model", () => "")].map(([model, { chargedNanoUsd }]) => [model, chargedNanoUsd]);
  expect(new Map(models.map(({ model, charged }) => [` ${model}`, charged]))).toEqual(new Map(ofModels as never));
}

async function allAgree(some: readonly Call[]): Promise<void> {
  for (const days of [0, 4, 9]) await chargedSince(FROM + days * DAY, some);
  for (let round = 0; round < 60; round += 1) await agrees(anything(), some);
  // The second report uses cached complete days.
  for (const [from, to] of [
    [FROM, FROM + DAYS * DAY],
    [FROM + 7 * HOUR, FROM + 9 * DAY + 1],
    [FROM + HOUR, FROM + 2 * HOUR],
    [FROM + 2 * DAY - 1, FROM + 4 * DAY + 1],
  ] as const)
    for (let time = 0; time < 2; time += 1) await autorouterAgrees(some, from, to);
}

const numberOf = async (table: string) =>
  (await books.sql<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`))[0]!.n;

test("sums are those of the calls before days are added up, behind it, and with calls that come late", async () => {
  const [early, late] = [calls.slice(0, CALLS / 2), calls.slice(CALLS / 2, CALLS - 10)];
  await settle(early);
  await allAgree(early);
  expect(await addUpUsage(db(), now())).toBe(
    new Set(early.map((call) => Math.floor(call.startedAt.getTime() / DAY))).size,
  );
  expect(await numberOf("usage_day")).toBeGreaterThan(0);
  await allAgree(early);
  await settle(late);
  expect(await numberOf("usage_late")).toBeGreaterThan(0);
  await allAgree([...early, ...late]);
  expect(await addUpUsage(db(), now())).toBeGreaterThan(0);
  expect(await numberOf("usage_late")).toBe(0);
  await allAgree([...early, ...late]);
  expect(await addUpUsage(db(), now())).toBe(0);
  const [same] = await books.sql<{ same: boolean }>(
    "SELECT (SELECT sum(charged) FROM usage_day) = (SELECT sum(charged) FROM usage_event) AS same",
  );
  expect(same).toEqual({ same: true });
}, 60_000);

test("a day of which only some is complete is read by the hour from there on", async () => {
  const some = calls.slice(0, CALLS - 10);
  const middle = new Date(FROM + 6 * DAY);
  // The range of complete days shrinks only in this test, so move the clock by two days to have it read again.
  vi.setSystemTime(Date.now() + 2 * DAY);
  onTestFinished(() => void vi.useRealTimers());
  await books.sql("UPDATE usage_days SET closed_before = $1, complete_before = $1", [middle]);
  for (const table of ["usage_day", "usage_model_day"])
    await books.sql(`UPDATE ${table} SET charged = charged + 1 WHERE day >= $1`, [middle]);
  await allAgree(some);
  expect(await addUpUsage(db(), now())).toBeGreaterThan(0);
  await allAgree(some);
});

test("sums of complete days are read once, until somebody posts into one of them or it is added up anew", async () => {
  const asked: string[] = [];
  const noting = {
    $queryRaw: (strings: TemplateStringsArray, ...values: unknown[]) => {
      const query = Prisma.sql(strings, ...values);
      asked.push(query.sql);
      return db().$queryRaw(query);
    },
  } as unknown as Db;
  /** Returns the number of statements about days: two for complete days, and one for the days after them. */
  const statements = async (some: readonly Call[]) => {
    asked.length = 0;
    const [from, to] = [FROM, FROM + DAYS * DAY + HOUR];
    const { requests, eligible, overridden } = await reportOf(from, to, noting);
    expect(expectedReport(some, from, to)).toMatchObject({ requests, eligible, overridden });
    return asked.filter((sql) => /\busage_(routed_)?day\b/.test(sql)).length;
  };
  const some = calls.slice(0, CALLS - 10);
  expect([await statements(some), await statements(some), await statements(some)]).toEqual([3, 1, 1]);
  const late = calls.slice(CALLS - 10);
  await settle(late);
  expect([await statements(calls), await statements(calls)]).toEqual([3, 3]);
  expect(await addUpUsage(db(), now())).toBeGreaterThan(0);
  expect([await statements(calls), await statements(calls)]).toEqual([3, 1]);
});

test("what the autorouter chose is found by its moments, never in an index of all that it has ever chosen", async () => {
  let asked = Prisma.empty;
  const noting = {
    $queryRaw: async (strings: TemplateStringsArray, ...values: unknown[]) => {
      asked = Prisma.sql(strings, ...values);
      return [];
    },
  } as unknown as Db;
  const span = { from: new Date(FROM), to: new Date(FROM + DAYS * DAY), completeBefore: null };
  await sumRouted(noting, { organisationId: 1 }, span);
  const [plan, byChoice] = await plansWithIndex("usage_event_routed", [
    asked,
    Prisma.sql`SELECT 1 FROM usage_event WHERE organisation_id = 1 AND counterfactual IS NOT NULL`,
  ]);
  expect(byChoice).toContain("usage_event_routed");
  expect(plan).toContain("on usage_event");
  expect(plan).not.toContain("usage_event_routed");
});
