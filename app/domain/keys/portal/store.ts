import type { Db } from "~/connection/db.server";
import { type Cursor, keysetOf, type SortColumn } from "~/connection/keyset-store";
import { type Actor, atLeast, type Role, scopeOf } from "~/domain/accounts/shared";
import { Prisma } from "~/generated/prisma/client";
import type { AutorouterSetting } from "../autorouter";
import { type KeySettings, NO_SETTINGS } from "../settings";
import type { KeyStatus } from "../shared";
import { KEY_FIELDS, type KeyRow } from "../store";
import { KEY_SORTS, type KeyFilter, type KeySort } from "./shared";

/** A key with the names of its owner, organisation, department and project. */
export type NamedKeyRow = KeyRow & {
  organisationName: string;
  ownerName: string | null;
  ownerEmail: string | null;
  ownerRole: Role | null;
  ownerStatus: string | null;
  departmentName: string | null;
  projectName: string | null;
  creatorName: string | null;
};

/** A null list is read as an empty one, as the database client does. */
const COLUMNS = Prisma.raw(
  KEY_FIELDS.map((name) => {
    const column = `k.${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
    const isList = Array.isArray(NO_SETTINGS[name as keyof KeySettings]);
    return `${isList ? `coalesce(${column}, '{}')` : column} AS "${name}"`;
  }).join(", "),
);

const NAMED = Prisma.sql`
  SELECT ${COLUMNS}, o.name AS "organisationName", u.name AS "ownerName", u.email AS "ownerEmail",
         u.role AS "ownerRole", u.status AS "ownerStatus", d.name AS "departmentName", p.name AS "projectName",
         coalesce(nullif(c.name, ''), c.email) AS "creatorName"`;

const TABLES = Prisma.sql`
  FROM api_key k
  JOIN organisation o ON o.id = k.organisation_id
  LEFT JOIN app_user u ON u.id = k.user_id
  LEFT JOIN app_user c ON c.id = k.created_by_id
  LEFT JOIN department d ON d.id = k.department_id
  LEFT JOIN project p ON p.id = k.project_id`;

/**
 * Restricts a statement to the keys that an actor sees: those in their scope and their own; admin keys require
 * org_admin.
 */
function visibleTo(actor: Actor): Prisma.Sql {
  const kinds = atLeast(actor.role, "org_admin") ? Prisma.sql`TRUE` : Prisma.sql`k.kind = 'inference'`;
  const own = Prisma.sql`(k.organisation_id = ${actor.organisationId} AND k.user_id = ${actor.userId})`;
  const scope = scopeOf(actor);
  switch (scope.kind) {
    case "everything":
      return kinds;
    case "organisation":
      return Prisma.sql`k.organisation_id = ${scope.organisationId} AND ${kinds}`;
    case "department":
      return Prisma.sql`((k.organisation_id = ${scope.organisationId} AND k.department_id = ${scope.departmentId}) OR ${own})
        AND ${kinds}`;
    case "own":
      return Prisma.sql`${own} AND ${kinds}`;
  }
}

/** Returns one key that the actor sees. */
export async function findVisibleKey(db: Db, actor: Actor, id: number): Promise<NamedKeyRow | null> {
  const [row] = await db.$queryRaw<NamedKeyRow[]>`${NAMED} ${TABLES} WHERE k.id = ${id}::int AND ${visibleTo(actor)}`;
  return row ?? null;
}

export type KeyPage = { sort: KeySort; after: Cursor | null; limit: number };

/**
 * Returns keys that the actor sees after the cursor `after`, in the requested order. `sortValue` is a key's value of
 * the sort column.
 */
export function listVisibleKeys(
  db: Db,
  actor: Actor,
  filter: KeyFilter,
  page: KeyPage,
  now: Date,
): Promise<(NamedKeyRow & { sortValue: string })[]> {
  const { by, descending } = page.sort;
  const column = ORDERS[by](now);
  const { join, value, order, place } = keysetOf(
    column,
    { descending, type: KEY_SORTS[by], after: page.after },
    Prisma.sql`k.id`,
  );
  const conditions = [visibleTo(actor), ...conditionsOf(filter, now), place];
  return db.$queryRaw`${NAMED}, ${value} AS "sortValue" ${TABLES} ${join}
    WHERE ${Prisma.join(conditions, " AND ")} ORDER BY ${order} LIMIT ${page.limit}`;
}

/** A key with the autorouter settings of itself, its owner and its organisation. */
export type AutorouterRow = Pick<KeyRow, "id" | "name" | "userId" | "metadata"> & {
  owner: string | null;
  ofUser: AutorouterSetting | null;
  ofOrganisation: AutorouterSetting;
};

/** Returns the active inference keys that the actor sees, newest first. */
export function listAutorouterRows(db: Db, actor: Actor, limit: number, now: Date): Promise<AutorouterRow[]> {
  const setting = (of: Prisma.Sql) =>
    Prisma.sql`json_build_object('autorouter', ${of}.autorouter, 'autorouterDefault', ${of}.autorouter_default)`;
  return db.$queryRaw`
    SELECT k.id, k.name, k.user_id AS "userId", k.metadata, coalesce(nullif(u.name, ''), u.email) AS owner,
           CASE WHEN u.id IS NOT NULL THEN ${setting(Prisma.sql`u`)} END AS "ofUser", ${setting(Prisma.sql`o`)} AS "ofOrganisation"
      FROM api_key k JOIN organisation o ON o.id = k.organisation_id LEFT JOIN app_user u ON u.id = k.user_id
     WHERE ${visibleTo(actor)} AND k.kind = 'inference' AND ${hasStatus("active", now)} ORDER BY k.id DESC LIMIT ${limit}`;
}

const MONTH_MS = 30 * 86_400_000;

/** The columns of the orders. What is read for each key is an index lookup, because keys are few beside requests. */
const ORDERS: Record<KeySort["by"], (now: Date) => SortColumn> = {
  created: () => ({ by: Prisma.sql`k.id`, unique: true }),
  name: () => ({ by: Prisma.sql`lower(k.name)` }),
  status: (now) => ({ by: Prisma.sql`CASE WHEN ${hasStatus("expired", now)} THEN 'expired' ELSE k.status END` }),
  owner: () => ({ by: Prisma.sql`lower(coalesce(nullif(u.name, ''), u.email, ''))` }),
  organisation: () => ({ by: Prisma.sql`lower(o.name)` }),
  expires: () => ({ by: Prisma.sql`coalesce(k.expires_at, 'infinity'::timestamptz)` }),
  rpm: () => ({ by: Prisma.sql`coalesce(k.rate_limit_rpm, 2147483647)` }),
  spent: () => ({
    by: Prisma.sql`coalesce(b.spent, 0)`,
    join: Prisma.sql`LEFT JOIN LATERAL budget_read('key', ARRAY[k.id]) b ON true`,
  }),
  used: () => ({
    by: Prisma.sql`coalesce(greatest(use.started_at, rejected.last_at), '-infinity'::timestamptz)`,
    join: Prisma.sql`
      LEFT JOIN LATERAL (SELECT started_at FROM usage_event WHERE key_id = k.id ORDER BY id DESC LIMIT 1) use ON true
      LEFT JOIN LATERAL (SELECT max(last_at) AS last_at FROM refusal_hour WHERE key_id = k.id) rejected ON true`,
  }),
  month: (now) => ({
    by: Prisma.sql`month.charged`,
    join: Prisma.sql`CROSS JOIN LATERAL (
      SELECT coalesce(sum(h.charged), 0)::bigint AS charged FROM usage_sum h
       WHERE h.key_id = k.id AND h.at >= date_trunc('hour', ${now}::timestamptz - ${MONTH_MS} * interval '1 ms')) month`,
  }),
};

function conditionsOf(filter: KeyFilter, now: Date): Prisma.Sql[] {
  const conditions: Prisma.Sql[] = [];
  if (filter.ids) conditions.push(Prisma.sql`k.id = ANY (${[...filter.ids]}::int[])`);
  if (filter.status) conditions.push(hasStatus(filter.status, now));
  if (filter.ownerId) conditions.push(Prisma.sql`k.user_id = ${filter.ownerId}::int`);
  if (filter.projectId) conditions.push(Prisma.sql`k.project_id = ${filter.projectId}::int`);
  if (filter.departmentId) conditions.push(Prisma.sql`k.department_id = ${filter.departmentId}::int`);
  if (filter.model)
    conditions.push(
      Prisma.sql`(coalesce(k.allowed_models, '{}') = '{}' OR ${filter.model}::text = ANY (k.allowed_models))`,
    );
  if (filter.name) conditions.push(Prisma.sql`lower(k.name) = lower(${filter.name}::text)`);
  if (filter.search) {
    const like = `%${filter.search.replace(/[\\%_]/g, "\\$&")}%`;
    conditions.push(Prisma.sql`(k.name ILIKE ${like} OR k.public_id ILIKE ${like} OR u.name ILIKE ${like}
      OR u.email ILIKE ${like} OR k.secret_prefix || '…' || k.secret_last4 ILIKE ${like}
      OR k.secret_last4 = right(${filter.search}::text, 4) AND ${filter.search}::text LIKE 'gw\\_%')`);
  }
  return conditions;
}

function hasStatus(status: KeyStatus, now: Date): Prisma.Sql {
  if (status === "revoked" || status === "suspended") return Prisma.sql`k.status = ${status}`;
  const expired = Prisma.sql`coalesce(k.expires_at <= ${now}, false)`;
  return status === "expired"
    ? Prisma.sql`(k.status = 'active' AND ${expired})`
    : Prisma.sql`(k.status = 'active' AND NOT ${expired})`;
}

/** Returns the number of keys that the actor sees, by status. */
export async function countVisibleKeys(db: Db, actor: Actor, now: Date): Promise<Record<KeyStatus, number>> {
  const rows = await db.$queryRaw<{ status: KeyStatus; n: number }[]>`
    SELECT CASE WHEN k.status = 'active' AND k.expires_at <= ${now} THEN 'expired' ELSE k.status END AS status,
           count(*)::int AS n
      FROM api_key k WHERE ${visibleTo(actor)} GROUP BY 1`;
  const counts: Record<KeyStatus, number> = { active: 0, suspended: 0, expired: 0, revoked: 0 };
  for (const { status, n } of rows) counts[status] = n;
  return counts;
}

export type OwnerRow = {
  id: number;
  name: string;
  email: string;
  role: Role;
  organisationId: number;
  departmentId: number | null;
};

const ownerFields = {
  id: true,
  name: true,
  email: true,
  role: true,
  organisationId: true,
  departmentId: true,
} as const;

/** Returns possible owners of a key in the actor's scope: active people, by name, at most 500. */
export function listOwners(db: Db, actor: Actor): Promise<OwnerRow[]> {
  return db.user.findMany({
    where: { status: "active", ...peopleOf(actor) },
    orderBy: [{ name: "asc" }, { id: "asc" }],
    take: 500,
    select: ownerFields,
  }) as Promise<OwnerRow[]>;
}

export function findOwner(db: Db, actor: Actor, id: number): Promise<OwnerRow | null> {
  return db.user.findFirst({
    where: { id, status: "active", ...peopleOf(actor) },
    select: ownerFields,
  }) as Promise<OwnerRow | null>;
}

function peopleOf(actor: Actor): Prisma.UserWhereInput {
  const scope = scopeOf(actor);
  switch (scope.kind) {
    case "everything":
      return {};
    case "organisation":
      return { organisationId: scope.organisationId };
    case "department":
      return {
        organisationId: scope.organisationId,
        OR: [{ departmentId: scope.departmentId }, { id: actor.userId }],
      };
    case "own":
      return { id: actor.userId };
  }
}

export type NamedRow = { id: number; name: string };

/**
 * Returns projects of an organisation that a key of an actor can belong to: all for org_admin and above, those that
 * they created or belong to for department admins, and those that they belong to for others. Archived projects take no
 * new keys.
 */
export function listProjectsForKeys(db: Db, actor: Actor, organisationId: number): Promise<NamedRow[]> {
  const all = atLeast(actor.role, "org_admin") && scopeOf(actor).kind !== "own";
  const creatorFilter = atLeast(actor.role, "department_admin") ? [{ createdById: actor.userId }] : [];
  return db.project.findMany({
    where: {
      organisationId,
      archivedAt: null,
      ...(all ? {} : { OR: [...creatorFilter, { members: { some: { userId: actor.userId } } }] }),
    },
    orderBy: [{ name: "asc" }, { id: "asc" }],
    take: 500,
    select: { id: true, name: true },
  });
}

/** Locks a project against archiving and removal of members until the transaction ends. */
export async function lockProjectForKey(db: Db, organisationId: number, id: number): Promise<void> {
  await db.$executeRaw`SELECT 1 FROM project WHERE id = ${id} AND organisation_id = ${organisationId} FOR SHARE`;
}

/** Returns departments for which an actor can create a key without an owner. */
export function listDepartmentsForKeys(db: Db, actor: Actor, organisationId: number): Promise<NamedRow[]> {
  const scope = scopeOf(actor);
  if (scope.kind === "own") return Promise.resolve([]);
  return db.department.findMany({
    where: { organisationId, ...(scope.kind === "department" ? { id: scope.departmentId } : {}) },
    orderBy: [{ name: "asc" }, { id: "asc" }],
    take: 500,
    select: { id: true, name: true },
  });
}

/** Returns whether a person is a member of a project. */
export async function isProjectMember(db: Db, projectId: number, userId: number): Promise<boolean> {
  return (await db.projectMember.count({ where: { projectId, userId } })) > 0;
}

export type KeyMention = { id: number; name: string; expiresAt: Date | null };

/** Returns short forms of the usable keys that the actor sees, newest first. */
export function mentionActiveKeys(db: Db, actor: Actor, limit: number, now: Date): Promise<KeyMention[]> {
  return db.$queryRaw`SELECT k.id, k.name, k.expires_at AS "expiresAt" FROM api_key k
    WHERE ${visibleTo(actor)} AND ${hasStatus("active", now)} ORDER BY k.id DESC LIMIT ${limit}`;
}

/** Returns short forms of those of the given keys that the actor sees. */
export function mentionKeys(db: Db, actor: Actor, ids: readonly number[]): Promise<KeyMention[]> {
  return db.$queryRaw`SELECT k.id, k.name, k.expires_at AS "expiresAt" FROM api_key k
    WHERE k.id = ANY (${[...ids]}::int[]) AND ${visibleTo(actor)}`;
}
