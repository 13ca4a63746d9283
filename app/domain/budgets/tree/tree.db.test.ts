import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "~/connection/db.server";
import { readBudgets, setBudget } from "~/domain/accounting/index.server";
import { BUDGET_PERIODS, BUDGET_SCOPES, type BudgetPeriod, type BudgetScope } from "~/domain/accounting/shared";
import type { Actor } from "~/domain/accounts/shared";
import { Prisma } from "~/generated/prisma/client";
import { aDepartment, anActor, anOrganisation, aPerson, codeOf } from "../../../../tests/support/administered";
import { openFreshDatabase, type TestDatabase } from "../../../../tests/support/database";
import { changeBudget } from "./change-budget";
import type { BudgetNode, BudgetSort, NodeRef } from "./node";
import { budgetsAtRisk, eachBudget, listBudgets, opensAtFirst, readBudgetTree } from "./read-tree";
import { nodesSql } from "./tree-store";

let database: TestDatabase;
beforeAll(async () => {
  database = await openFreshDatabase();
});
afterAll(() => database.close());

let made = 0;
let organisation: { id: number };
let department: { id: number };
let boss: Actor;
let head: Actor;
let member: Actor;
beforeEach(async () => {
  organisation = await anOrganisation();
  department = await aDepartment(organisation.id);
  boss = await anActor(organisation.id, "org_admin");
  head = await anActor(organisation.id, "department_admin", { departmentId: department.id });
  member = await anActor(organisation.id, "member", { departmentId: department.id });
});

async function aKey(of: { userId?: number | null; departmentId?: number | null; projectId?: number | null }) {
  made += 1;
  const secret = Buffer.from(`tree secret ${made}`);
  return db().apiKey.create({
    data: {
      ...{ publicId: `key_tree_${made}`, organisationId: organisation.id, name: `Key ${made}`, secretHmac: secret },
      ...{ secretPrefix: "gw_", secretLast4: "abcd", ...of },
    },
    select: { id: true },
  });
}

const aProject = (name: string) =>
  db().project.create({ data: { organisationId: organisation.id, name }, select: { id: true } });

const limit = (kind: BudgetScope, id: number, limitNanoUsd: bigint | null, period: BudgetPeriod = "monthly") =>
  setBudget(db(), { kind, id, organisationId: organisation.id }, { limitNanoUsd, period });

/** Spending and holds of the current period of a budget, `hours` ago for a rolling one. */
const spend = (kind: BudgetScope, id: number, { spent = 0n, held = 0n, hours = 0 }) =>
  db().$executeRaw`
    INSERT INTO budget_counter (budget_id, period_start, organisation_id, spent, held)
    SELECT b.id, budget_period_start(b.period, app_now()) - CASE WHEN b.period = 'rolling' THEN ${hours}::int ELSE 0 END * interval '1 hour',
           b.organisation_id, ${spent}::bigint, ${held}::bigint
      FROM budget b WHERE b.scope_kind = ${kind} AND b.scope_id = ${id}::int AND b.active
    ON CONFLICT (budget_id, period_start) DO UPDATE SET spent = budget_counter.spent + excluded.spent, held = budget_counter.held + excluded.held`;

const page = (sort: BudgetSort = { by: "name", descending: false }) => ({ sort, skip: 0, limit: 500 });
const refsOf = (rows: readonly NodeRef[]) => rows.map(({ kind, id }) => `${kind}-${id}`);
const all = async (actor: Actor) => (await listBudgets(db(), actor, {}, page())).rows;

describe("the tree", () => {
  test("has everybody below their department, keys below their owner and their project, and the rest on top", async () => {
    const project = await aProject("Search");
    const alone = await aPerson(organisation.id, "member");
    const [own, shared, nobodys] = [
      await aKey({ userId: member.userId, departmentId: department.id }),
      await aKey({ userId: member.userId, departmentId: department.id, projectId: project.id }),
      await aKey({ departmentId: department.id }),
    ];
    await limit("organisation", organisation.id, 100n);
    const { at, open } = opensAtFirst(boss);
    const person = { kind: "user", id: member.userId } as const;
    const opened = [
      { kind: "department", id: department.id } as const,
      person,
      { kind: "project", id: project.id } as const,
    ];
    const tree = await readBudgetTree(db(), boss, { at, open: [...open, ...opened] }, page());
    expect(refsOf(tree.path)).toEqual([`organisation-${organisation.id}`]);
    const deep = tree.rows.map(({ kind, id, depth }) => `${kind}-${id}@${depth}`);
    expect(deep).toEqual([
      `department-${department.id}@1`,
      ...[
        `user-${head.userId}@2`,
        `user-${member.userId}@2`,
        `key-${own.id}@3`,
        `key-${shared.id}@3`,
        `key-${nobodys.id}@2`,
      ],
      ...[`project-${project.id}@1`, `key-${shared.id}@2`, `user-${boss.userId}@1`, `user-${alone.id}@1`],
    ]);
    expect(tree.path[0]).toMatchObject({ children: 4, isOpen: true, isEditable: true });
    const inside = await readBudgetTree(db(), boss, { at: person, open: [] }, page());
    expect(refsOf(inside.path)).toEqual([
      `organisation-${organisation.id}`,
      `department-${department.id}`,
      `user-${member.userId}`,
    ]);
    expect(refsOf(inside.rows)).toEqual([`key-${own.id}`, `key-${shared.id}`]);
  });

  test("has pages, and says where an open node has more", async () => {
    for (let n = 0; n < 22; n += 1) await aKey({ userId: member.userId, departmentId: department.id });
    const at = { kind: "department", id: department.id } as const;
    const first = await readBudgetTree(
      db(),
      boss,
      { at, open: [{ kind: "user", id: member.userId }] },
      { ...page(), limit: 1 },
    );
    expect(first.next).toBe(1);
    const next = await readBudgetTree(
      db(),
      boss,
      { at, open: [{ kind: "user", id: member.userId }] },
      { ...page(), skip: 1 },
    );
    expect(next.next).toBeNull();
    expect(next.rows[0]).toMatchObject({ id: member.userId, children: 22, more: true });
    expect(next.rows).toHaveLength(21);
  });
});

describe("amounts", () => {
  test("are those of the counters, in every period, and a sum of limits below counts its own period only", async () => {
    const keys = [];
    for (const period of BUDGET_PERIODS) {
      const key = await aKey({ userId: member.userId, departmentId: department.id });
      await limit("key", key.id, 1_000n, period);
      await spend("key", key.id, { spent: 10n, held: 5n, hours: 700 });
      await spend("key", key.id, { spent: 7n, hours: 720 });
      await spend("key", key.id, { spent: 3n, hours: 2 });
      keys.push(key.id);
    }
    await limit("user", member.userId, 900n);
    const rows = await all(boss);
    const counters = new Map<string, unknown>();
    for (const kind of BUDGET_SCOPES) {
      const ids = rows.filter((row) => row.kind === kind).map(({ id }) => id);
      for (const [id, budget] of await readBudgets(db(), kind, ids)) counters.set(`${kind}-${id}`, budget);
    }
    expect(counters.size).toBe(4);
    for (const row of rows) expect(row.budget).toEqual(counters.get(`${row.kind}-${row.id}`) ?? null);
    expect(rows.find(({ kind, id }) => kind === "user" && id === member.userId)?.below).toEqual({
      sumNanoUsd: 1_000n,
      overNanoUsd: 100n,
    });
  });

  test("are found by state and ordered by what rejects next, as the forecast says", async () => {
    for (let n = 0; n < 40; n += 1) {
      const key = await aKey({ userId: member.userId, departmentId: department.id });
      const period = BUDGET_PERIODS[n % 3] ?? "monthly";
      await limit("key", key.id, n % 7 === 0 ? null : BigInt(n * 20), period);
      await spend("key", key.id, { spent: BigInt((n * 37) % 600), held: BigInt((n * 11) % 50), hours: (n * 29) % 719 });
    }
    const { rows } = await listBudgets(db(), boss, { kind: "key" }, page({ by: "risk", descending: false }));
    expect(rows).toHaveLength(40);
    const when = (node: BudgetNode) =>
      node.state === "out" ? 0 : (node.forecast?.runsOutAt?.getTime() ?? Number.POSITIVE_INFINITY);
    const moments = rows.map(when);
    for (const [index, moment] of moments.entries())
      expect(moment).toBeGreaterThanOrEqual((moments[index - 1] ?? 0) - 1_000);
    for (const state of ["out", "runs_out", "near", "ok", "none"] as const) {
      const found = await listBudgets(db(), boss, { kind: "key", state }, page());
      const expected = rows.filter((row) => row.state === state).map(({ id }) => id);
      expect(found.rows.map(({ id }) => id).toSorted()).toEqual(expected.toSorted());
    }
    const risk = await budgetsAtRisk(db(), boss, 3);
    expect(refsOf(risk.rows)).toEqual(refsOf(rows.slice(0, 3)));
    const files: NodeRef[] = [];
    for await (const part of eachBudget(db(), boss, { kind: "key" })) files.push(...part);
    expect(refsOf(files).toSorted()).toEqual(refsOf(rows).toSorted());
  });
});

describe("what somebody sees", () => {
  test("is their own keys and projects, and how full the budgets above are", async () => {
    const project = await aProject("Mine");
    await db().projectMember.create({ data: { projectId: project.id, userId: member.userId } });
    await aProject("Not mine");
    const own = await aKey({ userId: member.userId, departmentId: department.id });
    await aKey({ userId: head.userId, departmentId: department.id });
    for (const [kind, id] of [
      ...[["organisation", organisation.id] as const, ["department", department.id] as const],
      ...[["project", project.id] as const, ["user", member.userId] as const, ["key", own.id] as const],
    ]) {
      await limit(kind, id, 100n);
      await spend(kind, id, { spent: 25n });
    }
    const seen = (rows: readonly BudgetNode[]) =>
      rows.map(({ kind, id, budget, share, isEditable }) => [
        kind,
        id,
        budget?.spentNanoUsd ?? null,
        share?.spent,
        isEditable,
      ]);
    expect(seen(await all(member))).toEqual([
      ["organisation", organisation.id, null, 0.25, false],
      ["department", department.id, null, 0.25, false],
      ["project", project.id, 25n, 0.25, false],
      ["user", member.userId, 25n, 0.25, false],
      ["key", own.id, 25n, 0.25, false],
    ]);
    const atHead = await all(head);
    expect(seen(atHead).slice(0, 2)).toEqual([
      ["organisation", organisation.id, null, 0.25, false],
      ["department", department.id, 25n, 0.25, false],
    ]);
    expect(atHead.filter(({ kind }) => kind === "user").map(({ id }) => id)).toEqual([head.userId, member.userId]);
    expect(atHead.find(({ kind, id }) => kind === "key" && id === own.id)?.isEditable).toBe(true);
    const other = await anActor((await anOrganisation()).id, "org_admin");
    expect((await all(other)).map(({ organisation: of }) => of.id)).not.toContain(organisation.id);
    const at = { kind: "department", id: department.id } as const;
    expect(await codeOf(readBudgetTree(db(), other, { at, open: [] }, page()))).toBe("not_found");
    const inside = await readBudgetTree(db(), other, { at: null, open: [at] }, page());
    expect(inside.rows.filter(({ kind }) => kind !== "organisation")).toEqual([]);
  });
});

describe("a change", () => {
  const owners = async (): Promise<NodeRef[]> => [
    { kind: "organisation", id: organisation.id },
    { kind: "department", id: department.id },
    { kind: "project", id: (await aProject("Changed")).id },
    { kind: "user", id: member.userId },
    { kind: "key", id: (await aKey({ userId: member.userId, departmentId: department.id })).id },
  ];

  test("is undone by its opposite, unless somebody has changed it since", async () => {
    for (const owner of await owners()) {
      await limit(owner.kind, owner.id, 5n);
      const { before, after } = await changeBudget(db(), boss, owner, { limitNanoUsd: 7n });
      expect([before, after]).toEqual([
        { limitNanoUsd: 5n, period: "monthly" },
        { limitNanoUsd: 7n, period: "monthly" },
      ]);
      await changeBudget(db(), boss, owner, { ...before, expected: after });
      expect((await readBudgets(db(), owner.kind, [owner.id])).get(owner.id)?.limitNanoUsd).toBe(5n);
      await limit(owner.kind, owner.id, 9n);
      expect(await codeOf(changeBudget(db(), boss, owner, { ...before, expected: after }))).toBe("conflict");
      expect((await readBudgets(db(), owner.kind, [owner.id])).get(owner.id)?.limitNanoUsd).toBe(9n);
    }
  });

  test("at the same time as another that expects the same budget happens once", async () => {
    for (const owner of await owners()) {
      await limit(owner.kind, owner.id, 5n);
      const expected = { limitNanoUsd: 5n, period: "monthly" } as const;
      const codes = await Promise.all(
        [11n, 12n, 13n].map((limitNanoUsd) => codeOf(changeBudget(db(), boss, owner, { limitNanoUsd, expected }))),
      );
      expect(codes.toSorted()).toEqual(["conflict", "conflict", "ok"]);
    }
  });

  test("is for those who may make it; others' owners are like missing ones", async () => {
    const other = await anActor((await anOrganisation()).id, "org_admin");
    const codes = async (actor: Actor) => {
      const result: Record<string, string> = {};
      for (const owner of await owners().catch(() => []))
        result[owner.kind] = await codeOf(changeBudget(db(), actor, owner, { limitNanoUsd: 1n }));
      return result;
    };
    const refused = { organisation: "forbidden", department: "forbidden", project: "forbidden", user: "forbidden" };
    expect(await codes(head)).toEqual({ ...refused, key: "ok" });
    await db().project.deleteMany({ where: { organisationId: organisation.id } });
    expect(await codes(member)).toEqual({ ...refused, key: "forbidden" });
    await db().project.deleteMany({ where: { organisationId: organisation.id } });
    const missing = { organisation: "not_found", department: "not_found", project: "not_found", user: "not_found" };
    expect(await codes(other)).toEqual({ ...missing, key: "not_found" });
    expect(
      await codeOf(changeBudget(db(), boss, { kind: "department", id: 1_999_999_999 }, { limitNanoUsd: 1n })),
    ).toBe("not_found");
  });
});

test("a thousand people with three keys each are read without looking at the usage", async () => {
  await db().$executeRaw`
    INSERT INTO app_user (email, name, organisation_id, department_id, role)
    SELECT 'tree-' || n || '@example.com', 'Person ' || n, ${organisation.id}, ${department.id}, 'member' FROM generate_series(1, 1000) n`;
  await db().$executeRaw`
    INSERT INTO api_key (public_id, organisation_id, user_id, department_id, name, secret_hmac, secret_prefix, secret_last4)
    SELECT 'key_many_' || u.id || '_' || n, u.organisation_id, u.id, u.department_id, 'Key ' || n, convert_to('many ' || u.id || ' ' || n, 'UTF8'), 'gw_', 'abcd'
      FROM app_user u, generate_series(1, 3) n WHERE u.email LIKE 'tree-%'`;
  await db().$executeRaw`
    INSERT INTO budget (organisation_id, scope_kind, scope_id, limit_amt, period)
    SELECT organisation_id, 'key', id, 1000, 'monthly' FROM api_key WHERE public_id LIKE 'key_many_%'`;
  await db().$executeRaw`
    INSERT INTO budget_counter (budget_id, period_start, organisation_id, spent)
    SELECT b.id, budget_period_start('monthly', app_now()) - n * interval '31 days', b.organisation_id, 1
      FROM budget b, generate_series(0, 9) n WHERE b.organisation_id = ${organisation.id}`;
  await db().$executeRaw`ANALYZE`;
  const at = { kind: "department", id: department.id } as const;
  const tree = await readBudgetTree(db(), boss, { at, open: [] }, { ...page(), limit: 50 });
  expect([tree.rows.length, tree.next]).toEqual([50, 50]);
  const statement = nodesSql(boss, { isLimited: true }, { sort: { by: "risk", descending: false }, skip: 0, limit: 5 });
  const plan = await db().$queryRaw<{ "QUERY PLAN": string }[]>(Prisma.sql`EXPLAIN ${statement}`);
  const text = plan.map((row) => row["QUERY PLAN"]).join("\n");
  expect(text).not.toMatch(/usage/);
  expect(text).toMatch(/budget_counter_pkey/);
  expect((await budgetsAtRisk(db(), boss, 3)).isAnyLimited).toBe(true);
});
