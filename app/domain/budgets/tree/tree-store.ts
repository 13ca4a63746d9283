import type { Db } from "~/connection/db.server";
import type { BudgetPeriod, BudgetScope } from "~/domain/accounting/shared";
import { type Actor, atLeast, type Role, scopeOf } from "~/domain/accounts/shared";
import { Prisma } from "~/generated/prisma/client";
import type { BudgetState } from "../forecast";
import type { BudgetSort, NodeRef } from "./node";

export type NodeRow = NodeRef & {
  name: string;
  organisationId: number;
  organisationName: string;
  departmentId: number | null;
  departmentName: string | null;
  projectId: number | null;
  projectName: string | null;
  ownerId: number | null;
  ownerName: string | null;
  /** Role of the person, or of the owner of the key. */
  role: Role | null;
  createdById: number | null;
  isMember: boolean;
  period: BudgetPeriod | null;
  limitNanoUsd: bigint | null;
  spentNanoUsd: bigint;
  heldNanoUsd: bigint;
  resetsAt: Date | null;
};

/** Restricts nodes; absent: all that the actor sees. */
export type NodeFilter = {
  q?: string;
  kind?: BudgetScope;
  state?: BudgetState;
  of?: NodeRef;
  only?: readonly NodeRef[];
  isLimited?: true;
};
export type NodePage = { sort: BudgetSort; skip: number; limit: number };

const PERSON = Prisma.sql`coalesce(nullif(u.name, ''), u.email)`;
const NOTHING = Prisma.sql`NULL::int, NULL::text`;
const MEMBER = (actor: Actor) =>
  Prisma.sql`EXISTS (SELECT FROM project_member m WHERE m.project_id = p.id AND m.user_id = ${actor.userId})`;

/** Columns and tables of each kind: kind, rank, id, name, searched text, organisation, department, project, owner, rights. */
const SOURCES: Record<BudgetScope, { columns: (actor: Actor) => Prisma.Sql; tables: Prisma.Sql; id: Prisma.Sql }> = {
  organisation: {
    id: Prisma.sql`o.id`,
    columns: () => Prisma.sql`'organisation' AS kind, 0 AS rank, o.id, o.name, o.name AS text, o.id AS "organisationId",
      o.name AS "organisationName", NULL::int AS "departmentId", NULL::text AS "departmentName", NULL::int AS "projectId",
      NULL::text AS "projectName", NULL::int AS "ownerId", NULL::text AS "ownerName", NULL::text AS role,
      NULL::int AS "createdById", false AS "isMember"`,
    tables: Prisma.sql`organisation o`,
  },
  department: {
    id: Prisma.sql`d.id`,
    columns: () => Prisma.sql`'department', 1, d.id, d.name, d.name, o.id, o.name, ${NOTHING}, ${NOTHING}, ${NOTHING},
      NULL, NULL::int, false`,
    tables: Prisma.sql`department d JOIN organisation o ON o.id = d.organisation_id`,
  },
  project: {
    id: Prisma.sql`p.id`,
    columns: (actor) => Prisma.sql`'project', 2, p.id, p.name, p.name, o.id, o.name, ${NOTHING}, ${NOTHING}, ${NOTHING},
      NULL, NULL::int, ${MEMBER(actor)}`,
    tables: Prisma.sql`project p JOIN organisation o ON o.id = p.organisation_id`,
  },
  user: {
    id: Prisma.sql`u.id`,
    columns:
      () => Prisma.sql`'user', 3, u.id, ${PERSON}, u.name || ' ' || u.email, o.id, o.name, d.id, d.name, ${NOTHING},
      ${NOTHING}, u.role, NULL::int, false`,
    tables: Prisma.sql`app_user u JOIN organisation o ON o.id = u.organisation_id LEFT JOIN department d ON d.id = u.department_id`,
  },
  key: {
    id: Prisma.sql`k.id`,
    columns:
      () => Prisma.sql`'key', 4, k.id, k.name, k.name || ' ' || k.public_id, o.id, o.name, d.id, d.name, p.id, p.name, u.id,
      ${PERSON}, u.role, k.created_by_id, false`,
    tables: Prisma.sql`api_key k JOIN organisation o ON o.id = k.organisation_id LEFT JOIN app_user u ON u.id = k.user_id
      LEFT JOIN department d ON d.id = k.department_id LEFT JOIN project p ON p.id = k.project_id`,
  },
};
const KINDS = Object.keys(SOURCES) as BudgetScope[];

/** Which owners are below which: `id` is that of the parent. A key of a project is below its person, too. */
const LINKS: readonly { parent: BudgetScope; child: BudgetScope; id: Prisma.Sql; when: Prisma.Sql }[] = [
  { parent: "organisation", child: "department", id: Prisma.sql`d.organisation_id`, when: Prisma.sql`true` },
  { parent: "organisation", child: "project", id: Prisma.sql`p.organisation_id`, when: Prisma.sql`true` },
  {
    parent: "organisation",
    child: "user",
    id: Prisma.sql`u.organisation_id`,
    when: Prisma.sql`u.department_id IS NULL`,
  },
  {
    parent: "organisation",
    child: "key",
    id: Prisma.sql`k.organisation_id`,
    when: Prisma.sql`k.user_id IS NULL AND k.department_id IS NULL`,
  },
  { parent: "department", child: "user", id: Prisma.sql`u.department_id`, when: Prisma.sql`true` },
  {
    parent: "department",
    child: "key",
    id: Prisma.sql`k.department_id`,
    when: Prisma.sql`u.department_id IS DISTINCT FROM k.department_id`,
  },
  { parent: "user", child: "key", id: Prisma.sql`k.user_id`, when: Prisma.sql`true` },
  { parent: "project", child: "key", id: Prisma.sql`k.project_id`, when: Prisma.sql`true` },
];

/** Restricts the nodes of a kind to those that the actor sees. */
function visible(actor: Actor, kind: BudgetScope): Prisma.Sql {
  const scope = scopeOf(actor);
  const { userId, organisationId, departmentId } = actor;
  const isWide = scope.kind === "everything" || scope.kind === "organisation";
  const inOrganisation =
    scope.kind === "everything" ? Prisma.sql`o.closed_at IS NULL` : Prisma.sql`o.id = ${scope.organisationId}`;
  const ownDepartment = Prisma.sql`d.id = ${departmentId}::int`;
  const narrow: Record<BudgetScope, Prisma.Sql> = {
    organisation: Prisma.sql`true`,
    department: ownDepartment,
    project: MEMBER(actor),
    user: scope.kind === "department" ? ownDepartment : Prisma.sql`u.id = ${userId}`,
    key:
      scope.kind === "department"
        ? Prisma.sql`(${ownDepartment} OR k.user_id = ${userId} AND k.organisation_id = ${organisationId})`
        : Prisma.sql`k.user_id = ${userId}`,
  };
  const exists: Partial<Record<BudgetScope, Prisma.Sql>> = {
    user: Prisma.sql`u.status <> 'deleted'`,
    key: Prisma.sql`k.kind = 'inference' AND k.status <> 'revoked'`,
  };
  return Prisma.join(
    [inOrganisation, isWide ? Prisma.sql`true` : narrow[kind], exists[kind] ?? Prisma.sql`true`],
    " AND ",
  );
}

/** The statement of the nodes of a kind under a condition. */
const selection = (actor: Actor, kind: BudgetScope, condition: Prisma.Sql) => {
  const { columns, tables } = SOURCES[kind];
  return Prisma.sql`SELECT ${columns(actor)} FROM ${tables} WHERE ${visible(actor, kind)} AND ${condition}`;
};

function nodes(actor: Actor, { of, only, kind: onlyKind }: NodeFilter): Prisma.Sql {
  const parts =
    of === undefined
      ? KINDS.map((kind) => ({ kind, condition: only === undefined ? Prisma.sql`true` : among(kind, only) }))
      : LINKS.filter(({ parent }) => parent === of.kind).map(({ child, id, when }) => ({
          kind: child,
          condition: Prisma.sql`${when} AND ${id} = ${of.id}::int`,
        }));
  const wanted = parts.filter(({ kind }) => onlyKind === undefined || kind === onlyKind);
  // The first part names the columns, and is empty if its kind is not wanted.
  const all = [selection(actor, "organisation", Prisma.sql`false`)];
  for (const { kind, condition } of wanted) all.push(selection(actor, kind, condition));
  return Prisma.join(all, " UNION ALL ");
}

const among = (kind: BudgetScope, refs: readonly NodeRef[]) =>
  Prisma.sql`${SOURCES[kind].id} = ANY (${refs.filter((ref) => ref.kind === kind).map(({ id }) => id)}::int[])`;

/** Nodes with their budgets in the current period. `outIn`: seconds until nothing is left; null: it lasts. */
const counted = (from: Prisma.Sql) => Prisma.sql`
  SELECT n.*, b.period::text AS period, b.limit_amt AS "limitNanoUsd", coalesce(c.spent, 0) AS "spentNanoUsd",
         coalesce(c.held, 0) AS "heldNanoUsd", t.ends AS "resetsAt", f.forecast, f.left,
         CASE WHEN f.left <= 0 THEN 0 WHEN f.left * t.age / nullif(c.spent, 0) < t.remaining AND t.age >= 900
              THEN f.left * t.age / c.spent END AS "outIn"
    FROM ${from} n
    LEFT JOIN budget b ON b.scope_kind = n.kind AND b.scope_id = n.id AND b.active
    LEFT JOIN LATERAL (SELECT budget_period_start(b.period, app_now()) AS start) s ON true
    LEFT JOIN LATERAL (
      SELECT sum(x.spent)::bigint AS spent, sum(x.held)::bigint AS held, min(x.period_start) FILTER (WHERE x.spent > 0) AS oldest
        FROM budget_counter x WHERE x.budget_id = b.id AND x.period_start BETWEEN budget_window_start(b.period, s.start) AND s.start
    ) c ON true
    LEFT JOIN LATERAL (
      SELECT r.began, r.ends, extract(epoch FROM app_now() - r.began)::float8 AS age, extract(epoch FROM r.ends - app_now())::float8 AS remaining
        FROM (SELECT CASE WHEN b.period = 'rolling' THEN coalesce(c.oldest, s.start) ELSE s.start END AS began,
                     CASE WHEN b.period = 'rolling' THEN coalesce(c.oldest, s.start) + interval '720 hours'
                          ELSE budget_period_end(b.period, s.start) END AS ends) r
    ) t ON true
    LEFT JOIN LATERAL (
      SELECT b.limit_amt - coalesce(c.spent, 0) - coalesce(c.held, 0) AS left,
             CASE WHEN t.age >= 900 THEN nullif(c.spent, 0) * (t.age + t.remaining) / t.age END AS forecast
    ) f ON true`;

const USED = Prisma.sql`(w."spentNanoUsd" + w."heldNanoUsd")`;
const STATES: Record<BudgetState, Prisma.Sql> = {
  out: Prisma.sql`w.left <= 0`,
  runs_out: Prisma.sql`w.left > 0 AND w."outIn" IS NOT NULL`,
  near: Prisma.sql`w.left > 0 AND w."outIn" IS NULL AND ${USED}::numeric * 100 >= w."limitNanoUsd"::numeric * 80`,
  ok: Prisma.sql`w.left > 0 AND w."outIn" IS NULL AND ${USED}::numeric * 100 < w."limitNanoUsd"::numeric * 80`,
  none: Prisma.sql`w."limitNanoUsd" IS NULL`,
};

const ORDERS: Record<BudgetSort["by"], Prisma.Sql> = {
  name: Prisma.sql`lower(w.name)`,
  limit: Prisma.sql`w."limitNanoUsd"`,
  spent: Prisma.sql`w."spentNanoUsd"`,
  left: Prisma.sql`w.left`,
  forecast: Prisma.sql`w.forecast`,
  risk: Prisma.sql`w."outIn"`,
};

/** The statement of `findNodes`; a test looks at its plan. */
export function nodesSql(actor: Actor, filter: NodeFilter, { sort, skip, limit }: NodePage): Prisma.Sql {
  const conditions = [Prisma.sql`true`];
  if (filter.q !== undefined) conditions.push(Prisma.sql`n.text ILIKE ${`%${filter.q.replace(/[\\%_]/g, "\\$&")}%`}`);
  if (filter.isLimited)
    conditions.push(Prisma.sql`EXISTS (SELECT FROM budget l WHERE l.scope_kind = n.kind AND l.scope_id = n.id AND l.active
      AND l.limit_amt IS NOT NULL)`);
  const from = Prisma.sql`(SELECT * FROM (${nodes(actor, filter)}) n WHERE ${Prisma.join(conditions, " AND ")})`;
  const direction = sort.descending ? Prisma.sql`DESC` : Prisma.sql`ASC`;
  const rank = sort.by === "name" ? Prisma.sql`w.rank, ` : Prisma.empty;
  const ties =
    sort.by === "risk"
      ? Prisma.sql`${USED}::float8 / nullif(w."limitNanoUsd", 0) DESC NULLS LAST, w.rank, w.id`
      : Prisma.sql`w.rank, w.id`;
  return Prisma.sql`
    SELECT w.kind, w.id, w.name, w."organisationId", w."organisationName", w."departmentId", w."departmentName", w."projectId",
           w."projectName", w."ownerId", w."ownerName", w.role, w."createdById", w."isMember", w.period, w."limitNanoUsd",
           w."spentNanoUsd", w."heldNanoUsd", w."resetsAt"
      FROM (${counted(from)}) w WHERE ${filter.state === undefined ? Prisma.sql`true` : STATES[filter.state]}
     ORDER BY ${rank}${ORDERS[sort.by]} ${direction} NULLS LAST, ${ties} LIMIT ${limit}::int OFFSET ${skip}::int`;
}

/** Returns nodes that the actor sees, in order. */
export const findNodes = (db: Db, actor: Actor, filter: NodeFilter, page: NodePage): Promise<NodeRow[]> =>
  db.$queryRaw<NodeRow[]>(nodesSql(actor, filter, page));

export type ChildRow = {
  kind: BudgetScope;
  id: number;
  period: BudgetPeriod | null;
  children: number;
  /** Sum of the limits; projects are not in it, because their requests count for departments and people, too. */
  limits: string;
};

/** Returns the number of nodes below each of these, and the sums of their limits by period. */
export function sumChildren(db: Db, actor: Actor, parents: readonly NodeRef[]): Promise<ChildRow[]> {
  const links = LINKS.filter(({ parent }) => parents.some(({ kind }) => kind === parent)).map(
    ({ parent, child, id, when }) => {
      const ids = parents.filter(({ kind }) => kind === parent).map((ref) => ref.id);
      return Prisma.sql`SELECT ${parent}::text AS kind, ${id} AS id, ${child}::text AS child, ${SOURCES[child].id} AS child_id
        FROM ${SOURCES[child].tables} WHERE ${visible(actor, child)} AND ${when} AND ${id} = ANY (${ids}::int[])`;
    },
  );
  if (links.length === 0) return Promise.resolve([]);
  return db.$queryRaw`
    SELECT c.kind, c.id, b.period::text AS period, count(*)::int AS children,
           coalesce(sum(b.limit_amt) FILTER (WHERE c.child <> 'project'), 0)::text AS limits
      FROM (${Prisma.join(links, " UNION ALL ")}) c
      LEFT JOIN budget b ON b.scope_kind = c.child AND b.scope_id = c.child_id AND b.active
     GROUP BY 1, 2, 3`;
}

/** Returns the organisation of a department; null: there is none. */
export async function organisationOfDepartment(db: Db, id: number): Promise<number | null> {
  return (await db.department.findUnique({ where: { id }, select: { organisationId: true } }))?.organisationId ?? null;
}

/** Returns the name of an owner, also of one that has been deleted. */
export async function findOwnerName(db: Db, { kind, id }: NodeRef): Promise<string> {
  const { tables, id: own } = SOURCES[kind];
  const name = kind === "user" ? PERSON : OWN_NAMES[kind];
  const [row] = await db.$queryRaw<{ name: string }[]>`SELECT ${name} AS name FROM ${tables} WHERE ${own} = ${id}::int`;
  return row?.name ?? "";
}

const OWN_NAMES = {
  organisation: Prisma.sql`o.name`,
  department: Prisma.sql`d.name`,
  project: Prisma.sql`p.name`,
  key: Prisma.sql`k.name`,
};

/** Whether the actor may see the amounts of a budget, and not only how full it is. */
export function mayReadAmounts(actor: Actor, node: Pick<NodeRow, "kind" | "id" | "isMember">): boolean {
  if (atLeast(actor.role, "org_admin")) return true;
  if (node.kind === "organisation") return false;
  if (node.kind === "department") return actor.role === "department_admin" && node.id === actor.departmentId;
  return node.kind !== "project" || node.isMember;
}
