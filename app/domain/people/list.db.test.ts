import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "~/connection/db.server";
import { Prisma } from "~/generated/prisma/client";
import { aDepartment, anOrganisation } from "../../../tests/support/administered";
import { openFreshDatabase, type TestDatabase } from "../../../tests/support/database";
import { type PeopleQuery, peopleSql } from "./list-store";
import { NEWEST_PEOPLE, PEOPLE_BY_EMAIL } from "./shared";

const PEOPLE = 100_000;

let database: TestDatabase;
let big: { id: number };
let department: { id: number };
beforeAll(async () => {
  database = await openFreshDatabase();
  big = await anOrganisation();
  department = await aDepartment(big.id);
  await db().$executeRaw`
    INSERT INTO app_user (email, name, organisation_id, department_id, role)
    SELECT 'person-' || md5(n::text) || '@example.com', 'Person ' || n, ${big.id}, CASE WHEN n % 10 = 0 THEN ${department.id}::int END, 'member'
      FROM generate_series(1, ${PEOPLE}::int) n`;
  await db().$executeRaw`ANALYZE app_user`;
}, 120_000);
afterAll(() => database.close());

const now = new Date();
const page = (more: Partial<PeopleQuery>): PeopleQuery => ({
  accessScope: { kind: "everything" },
  filter: {},
  sort: NEWEST_PEOPLE,
  after: null,
  limit: 51,
  monthStart: now,
  now,
  ...more,
});

async function planOf(query: PeopleQuery): Promise<{ text: string; milliseconds: number }> {
  const rows = await db().$queryRaw<{ "QUERY PLAN": string }[]>(
    Prisma.sql`EXPLAIN (ANALYZE, COSTS OFF, SUMMARY ON) ${peopleSql(query)}`,
  );
  const text = rows.map((row) => row["QUERY PLAN"]).join("\n");
  return { text, milliseconds: Number(/Execution Time: ([\d.]+)/.exec(text)?.[1]) };
}

const MIDDLE = { id: PEOPLE / 2, value: String(PEOPLE / 2) };

test.each([
  ["everybody, newest first", {}],
  ["everybody, in the middle", { after: MIDDLE }],
  ["everybody by address, in the middle", { sort: PEOPLE_BY_EMAIL, after: { ...MIDDLE, value: "person-8" } }],
  ["an organisation, in the middle", { accessScope: "organisation", after: MIDDLE }],
  ["a department, in the middle", { accessScope: "department", after: MIDDLE }],
])(
  "among 100,000 people a page is read by an index, wherever it begins: %s",
  async (_, { accessScope, ...more }: Record<string, unknown>) => {
    const organisationId = big.id;
    const query = page(more as Partial<PeopleQuery>);
    if (accessScope === "organisation") query.accessScope = { kind: "organisation", organisationId };
    if (accessScope === "department")
      query.accessScope = { kind: "department", organisationId, departmentId: department.id };
    const { text, milliseconds } = await planOf(query);
    expect(text).not.toMatch(/Seq Scan on app_user u\b/);
    expect(text).toMatch(/Index Scan (?:Backward )?using app_user_\w+ on app_user u/);
    expect(milliseconds).toBeLessThan(500);
  },
);

test("a search that finds nobody looks at all of them once", async () => {
  const { milliseconds } = await planOf(page({ filter: { q: "no such person" } }));
  expect(milliseconds).toBeLessThan(5_000);
});
