import type { Db } from "~/connection/db.server";
import { type Cursor, keysetOf, type SortColumn } from "~/connection/keyset-store";
import { ROLES } from "~/domain/accounts/shared";
import { Prisma } from "~/generated/prisma/client";
import type { AccessScope } from "./rules";
import { PEOPLE_SORTS, type PeopleFilter, type PeopleSort } from "./shared";

export type PersonRow = {
  id: number;
  email: string;
  name: string;
  organisation_id: number;
  organisation: string;
  department_id: number | null;
  department: string | null;
  role: string;
  status: string;
  billing_exempt: boolean;
  billing_mode: string;
  payer_email: string | null;
  payer_id: number | null;
  payer_status: string | null;
  payer_exempt: boolean | null;
  delegate_id: number | null;
  delegate_email: string | null;
  delegate_status: string | null;
  delegate_mode: string | null;
  delegate_exempt: boolean | null;
  organisation_exempt: boolean;
  providers: string[];
  terms_version: string | null;
  email_verified_at: Date | null;
  last_seen_at: Date | null;
  created_at: Date;
  keys: number;
  spent_nano: bigint;
  sort_value: string;
};

export type PeopleQuery = {
  accessScope: AccessScope;
  filter: PeopleFilter;
  sort: PeopleSort;
  after: Cursor | null;
  limit: number;
  monthStart: Date;
  now: Date;
};

/** Returns a page of people within an access scope. */
export const findPeople = (db: Db, page: PeopleQuery): Promise<PersonRow[]> =>
  db.$queryRaw<PersonRow[]>(peopleSql(page));

/** The statement of `findPeople`; a test looks at its plan. */
export function peopleSql(page: PeopleQuery): Prisma.Sql {
  const { accessScope, filter, sort, after, limit, monthStart } = page;
  const type = PEOPLE_SORTS[sort.by];
  const { join, value, order, place } = keysetOf(
    ORDERS[sort.by](page),
    { descending: sort.descending, type, after },
    Prisma.sql`u.id`,
  );
  const direction = sort.descending ? Prisma.sql`DESC` : Prisma.sql`ASC`;
  return Prisma.sql`
    WITH page AS (
      SELECT u.*, ${value} AS sort_value FROM app_user u ${join}
       WHERE ${accessibleBy(accessScope)} AND ${Prisma.join(conditionsOf(filter, page), " AND ")} AND ${place}
       ORDER BY ${order} LIMIT ${limit})
    SELECT u.id, u.email, u.name, u.organisation_id, o.name AS organisation, u.department_id, d.name AS department, u.role, u.status,
           u.billing_exempt, u.billing_mode, o.billing_user_id AS payer_id, p.email AS payer_email, p.status AS payer_status,
           p.billing_exempt AS payer_exempt, y.id AS delegate_id, y.email AS delegate_email, y.status AS delegate_status,
           y.billing_mode AS delegate_mode, y.billing_exempt AS delegate_exempt,
           o.billing_exempt AS organisation_exempt, u.terms_version, u.email_verified_at, u.last_seen_at, u.created_at, u.sort_value,
           ARRAY(SELECT x.provider FROM external_identity x WHERE x.user_id = u.id ORDER BY 1) AS providers,
           (SELECT count(*)::int FROM api_key k WHERE k.user_id = u.id AND k.status <> 'revoked') AS keys,
           (SELECT coalesce(sum(h.charged), 0)::bigint FROM usage_sum h WHERE h.user_id = u.id AND h.user_id <> 0 AND h.at >= ${monthStart}) AS spent_nano
      FROM page u
      JOIN organisation o ON o.id = u.organisation_id
      LEFT JOIN department d ON d.id = u.department_id
      LEFT JOIN app_user p ON p.id = o.billing_user_id
      LEFT JOIN payer_delegation a ON a.user_id = u.id AND a.accepted_at IS NOT NULL AND a.ended_at IS NULL
      LEFT JOIN app_user y ON y.id = a.payer_id AND y.organisation_id = u.organisation_id
     ORDER BY u.sort_value::${Prisma.raw(type)} ${direction}, u.id ${direction}`;
}

const named = (table: Prisma.Sql, id: Prisma.Sql): SortColumn => ({
  by: Prisma.sql`coalesce(lower(n.name), '')`,
  join: Prisma.sql`LEFT JOIN ${table} n ON n.id = ${id}`,
});

const ORDERS: Record<PeopleSort["by"], (page: { monthStart: Date }) => SortColumn> = {
  created: () => ({ by: Prisma.sql`u.id`, unique: true }),
  email: () => ({ by: Prisma.sql`u.email`, unique: true }),
  person: () => ({ by: Prisma.sql`lower(coalesce(nullif(u.name, ''), u.email))` }),
  role: () => ({ by: Prisma.sql`array_position(${[...ROLES]}::text[], u.role)` }),
  status: () => ({ by: Prisma.sql`u.status` }),
  seen: () => ({ by: Prisma.sql`coalesce(u.last_seen_at, '-infinity'::timestamptz)` }),
  department: () => named(Prisma.sql`department`, Prisma.sql`u.department_id`),
  organisation: () => named(Prisma.sql`organisation`, Prisma.sql`u.organisation_id`),
  keys: () => ({
    by: Prisma.sql`k.count`,
    join: Prisma.sql`CROSS JOIN LATERAL (
      SELECT count(*)::int AS count FROM api_key WHERE user_id = u.id AND status <> 'revoked') k`,
  }),
  spent: ({ monthStart }) => ({
    by: Prisma.sql`coalesce(s.spent, 0)`,
    join: Prisma.sql`LEFT JOIN (
      SELECT user_id, sum(charged)::bigint AS spent FROM usage_sum
       WHERE user_id <> 0 AND at >= ${monthStart} GROUP BY user_id) s ON s.user_id = u.id`,
  }),
};

function accessibleBy(accessScope: AccessScope): Prisma.Sql {
  if (accessScope.kind === "everything") return Prisma.sql`true`;
  const organisation = Prisma.sql`u.organisation_id = ${accessScope.organisationId}`;
  return accessScope.kind === "organisation"
    ? organisation
    : Prisma.sql`${organisation} AND u.department_id = ${accessScope.departmentId}`;
}

function conditionsOf(filter: PeopleFilter, { monthStart, now }: { monthStart: Date; now: Date }): Prisma.Sql[] {
  const { q, organisationId, departmentId, role, status, billing, budget, credit, keys, linked, terms, seen } = filter;
  const all: Prisma.Sql[] = [
    status === undefined ? Prisma.sql`u.status <> 'deleted'` : Prisma.sql`u.status = ${status}`,
  ];
  if (filter.ids !== undefined) all.push(Prisma.sql`u.id = ANY (${[...filter.ids]}::int[])`);
  if (q !== undefined) {
    const like = `%${q.replace(/[\\%_]/g, "\\$&")}%`;
    all.push(Prisma.sql`(u.email ILIKE ${like} OR u.name ILIKE ${like})`);
  }
  if (organisationId !== undefined) all.push(Prisma.sql`u.organisation_id = ${organisationId}`);
  if (departmentId !== undefined) {
    all.push(departmentId === 0 ? Prisma.sql`u.department_id IS NULL` : Prisma.sql`u.department_id = ${departmentId}`);
  }
  if (role !== undefined) all.push(Prisma.sql`u.role = ${role}`);
  if (billing === "exempt") all.push(Prisma.sql`u.billing_exempt`);
  if (billing === "own" || billing === "inherit") all.push(Prisma.sql`u.billing_mode = ${billing}`);
  if (budget !== undefined) {
    const limited = Prisma.sql`EXISTS (SELECT FROM budget b WHERE b.scope_kind = 'user' AND b.scope_id = u.id AND b.active AND b.limit_amt IS NOT NULL)`;
    all.push(budget === "set" ? limited : Prisma.sql`NOT ${limited}`);
  }
  if (credit !== undefined) {
    const given = Prisma.sql`EXISTS (SELECT FROM ledger_account a WHERE a.payer_kind = 'user' AND a.payer_id = u.id AND a.kind = 'wallet' AND a.credit_limit > 0)`;
    all.push(credit === "set" ? given : Prisma.sql`NOT ${given}`);
  }
  if (keys !== undefined) {
    const some = Prisma.sql`EXISTS (SELECT FROM api_key k WHERE k.user_id = u.id AND k.status <> 'revoked')`;
    all.push(keys === "some" ? some : Prisma.sql`NOT ${some}`);
  }
  if (linked !== undefined) {
    const some = Prisma.sql`EXISTS (SELECT FROM external_identity x WHERE x.user_id = u.id)`;
    all.push(
      linked === "none"
        ? Prisma.sql`NOT ${some}`
        : Prisma.sql`EXISTS (SELECT FROM external_identity x WHERE x.user_id = u.id AND x.provider = ${linked})`,
    );
  }
  if (terms === "none") all.push(Prisma.sql`u.terms_version IS NULL`);
  else if (terms !== undefined) all.push(Prisma.sql`u.terms_version = ${terms}`);
  if (seen === "never") all.push(Prisma.sql`u.last_seen_at IS NULL`);
  else if (seen !== undefined) {
    all.push(Prisma.sql`u.last_seen_at >= ${new Date(now.getTime() - SEEN_DAYS[seen] * 86_400_000)}`);
  }
  if (filter.spentNanoUsd !== undefined) {
    all.push(
      Prisma.sql`u.id IN (SELECT h.user_id FROM usage_sum h WHERE h.at >= ${monthStart} GROUP BY h.user_id HAVING sum(h.charged) >= ${filter.spentNanoUsd})`,
    );
  }
  return all;
}

const SEEN_DAYS = { "1d": 1, "7d": 7, "30d": 30 } as const;

/** Returns the organisations and departments that a list can be filtered by. */
export async function findChoices(db: Db, accessScope: AccessScope, organisationId: number | null) {
  const organisations =
    accessScope.kind === "everything"
      ? await db.organisation.findMany({
          where: { closedAt: null },
          select: { id: true, name: true },
          orderBy: { name: "asc" },
          take: 500,
        })
      : [];
  const organisation = accessScope.kind === "everything" ? organisationId : accessScope.organisationId;
  const departments =
    organisation === null
      ? []
      : await db.department.findMany({
          where: {
            organisationId: organisation,
            ...(accessScope.kind === "department" ? { id: accessScope.departmentId } : {}),
          },
          select: { id: true, name: true },
          orderBy: { name: "asc" },
          take: 500,
        });
  return { organisations, departments };
}
