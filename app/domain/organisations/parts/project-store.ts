import type { Db } from "~/connection/db.server";
import { Prisma } from "~/generated/prisma/client";

/** The projects that an actor sees. */
export type ProjectScope =
  | { kind: "everything" }
  | { kind: "organisation"; organisationId: number }
  | { kind: "involved"; organisationId: number; userId: number };

export type ProjectRow = {
  id: number;
  name: string;
  description: string;
  organisationId: number;
  organisation: string;
  createdBy: string | null;
  archivedAt: Date | null;
  createdAt: Date;
  members: number;
  keys: number;
  spent: bigint;
};

/** Returns projects, newest first. */
export function findProjects(
  db: Db,
  page: {
    accessScope: ProjectScope;
    q: string | null;
    state: "active" | "archived" | "all";
    beforeId: number | null;
    onlyId: number | null;
    limit: number;
    monthStart: Date;
  },
): Promise<ProjectRow[]> {
  const { accessScope, q, state, beforeId, onlyId, limit, monthStart } = page;
  const like = q === null ? null : `%${q.replace(/[\\%_]/g, "\\$&")}%`;
  return db.$queryRaw<ProjectRow[]>`
    WITH page AS (
      SELECT p.* FROM project p JOIN organisation o ON o.id = p.organisation_id AND o.closed_at IS NULL
       WHERE ${accessibleBy(accessScope)}
         AND (${beforeId}::int IS NULL OR p.id < ${beforeId}::int) AND (${onlyId}::int IS NULL OR p.id = ${onlyId}::int)
         AND (${state} = 'all' OR (p.archived_at IS NOT NULL) = (${state} = 'archived'))
         AND (${like}::text IS NULL OR p.name ILIKE ${like}::text OR p.description ILIKE ${like}::text)
       ORDER BY p.id DESC LIMIT ${limit})
    SELECT p.id, p.name, p.description, p.organisation_id AS "organisationId", o.name AS organisation,
           coalesce(nullif(c.name, ''), c.email) AS "createdBy", p.archived_at AS "archivedAt", p.created_at AS "createdAt",
           (SELECT count(*)::int FROM project_member m WHERE m.project_id = p.id) AS members,
           (SELECT count(*)::int FROM api_key k WHERE k.project_id = p.id AND k.status <> 'revoked') AS keys,
           (SELECT coalesce(sum(h.charged), 0)::bigint FROM usage_sum h
             WHERE h.project_id = p.id AND h.project_id <> 0 AND h.at >= ${monthStart}) AS spent
      FROM page p
      JOIN organisation o ON o.id = p.organisation_id
      LEFT JOIN app_user c ON c.id = p.created_by_id
     ORDER BY p.id DESC`;
}

function accessibleBy(accessScope: ProjectScope): Prisma.Sql {
  if (accessScope.kind === "everything") return Prisma.sql`true`;
  if (accessScope.kind === "organisation") return Prisma.sql`p.organisation_id = ${accessScope.organisationId}`;
  return Prisma.sql`p.organisation_id = ${accessScope.organisationId} AND (p.created_by_id = ${accessScope.userId}
    OR EXISTS (SELECT FROM project_member m WHERE m.project_id = p.id AND m.user_id = ${accessScope.userId}))`;
}

export async function lockProject(db: Db, id: number): Promise<void> {
  await db.$executeRaw`SELECT 1 FROM project WHERE id = ${id} FOR NO KEY UPDATE`;
}

export const isProjectNamed = async (db: Db, organisationId: number, name: string, exceptId = 0): Promise<boolean> =>
  (await db.project.findFirst({ where: { organisationId, name, id: { not: exceptId } }, select: { id: true } })) !==
  null;

export const insertProject = (
  db: Db,
  project: { organisationId: number; name: string; description: string; createdById: number },
): Promise<{ id: number }> => db.project.create({ data: project, select: { id: true } });

export async function changeProject(
  db: Db,
  id: number,
  change: { name?: string; description?: string; archivedAt?: Date | null },
): Promise<void> {
  await db.project.update({ where: { id }, data: change, select: { id: true } });
}

/** `keys`: number of the member's usable keys in the project. */
export type MemberRow = {
  userId: number;
  email: string;
  name: string;
  role: string;
  status: string;
  addedAt: Date;
  keys: number;
};

export async function findMembers(db: Db, projectId: number): Promise<MemberRow[]> {
  const rows = await db.projectMember.findMany({
    where: { projectId },
    select: { userId: true, addedAt: true, user: { select: { email: true, name: true, role: true, status: true } } },
    orderBy: { user: { email: "asc" } },
    take: 500,
  });
  const counted = await db.apiKey.groupBy({
    by: ["userId"],
    where: { projectId, status: { not: "revoked" }, userId: { in: rows.map(({ userId }) => userId) } },
    _count: true,
  });
  const keysOf = new Map(counted.map(({ userId, _count }) => [userId, _count]));
  return rows.map(({ userId, addedAt, user }) => ({ userId, addedAt, ...user, keys: keysOf.get(userId) ?? 0 }));
}

/** Finds an active person of the organisation by address or id, optionally within one department. */
export const findJoinable = (
  db: Db,
  organisationId: number,
  person: { email: string } | { id: number },
  departmentId: number | null,
) =>
  db.user.findFirst({
    where: { organisationId, status: "active", ...person, ...(departmentId === null ? {} : { departmentId }) },
    select: { id: true, email: true },
  });

/** Returns false when they were already a member. */
export async function insertMember(db: Db, projectId: number, userId: number): Promise<boolean> {
  const { count } = await db.projectMember.createMany({ data: [{ projectId, userId }], skipDuplicates: true });
  return count > 0;
}

export async function deleteMember(db: Db, projectId: number, userId: number): Promise<boolean> {
  const { count } = await db.projectMember.deleteMany({ where: { projectId, userId } });
  return count > 0;
}
