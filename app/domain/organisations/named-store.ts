import type { Db } from "~/connection/db.server";
import { scopeOf, type Viewpoint } from "~/domain/accounts/shared";
import { Prisma } from "~/generated/prisma/client";

/** Objects with a name that requests belong to, besides keys and people. */
type NamedKind = "department" | "project" | "organisation";
/** `organisation`: the name of its organisation. */
export type Named = { id: number; name: string; organisation: string };

/**
 * Returns departments, projects or organisations of a reader's scope by name: those whose name contains `q`, exact
 * matches first, or those with the given `ids`. Members and department admins see only projects that they created or
 * belong to. Objects outside the scope are missing, like those that do not exist.
 */
export function listNamed(
  db: Db,
  reader: Viewpoint,
  kind: NamedKind,
  { q, ids, limit }: { q?: string; ids?: readonly number[]; limit: number },
): Promise<Named[]> {
  const conditions = [reachOf(reader, kind)];
  if (q !== undefined) conditions.push(Prisma.sql`n.name ILIKE ${`%${q.replace(/[\\%_]/g, "\\$&")}%`}`);
  if (ids !== undefined) conditions.push(Prisma.sql`n.id = ANY (${[...ids]}::integer[])`);
  return db.$queryRaw<Named[]>`
    SELECT n.id, n.name, o.name AS organisation FROM ${TABLES[kind]}
     WHERE ${Prisma.join(conditions, " AND ")} ORDER BY lower(n.name) <> lower(${q ?? ""}), lower(n.name), n.id LIMIT ${limit}`;
}

const TABLES: Record<NamedKind, Prisma.Sql> = {
  department: Prisma.sql`department n JOIN organisation o ON o.id = n.organisation_id`,
  project: Prisma.sql`project n JOIN organisation o ON o.id = n.organisation_id`,
  organisation: Prisma.sql`organisation n JOIN organisation o ON o.id = n.id`,
};

function reachOf(reader: Viewpoint, kind: NamedKind): Prisma.Sql {
  const scope = scopeOf(reader);
  if (scope.kind === "everything") return Prisma.sql`true`;
  if (kind === "organisation") return Prisma.sql`false`;
  const here = Prisma.sql`n.organisation_id = ${scope.organisationId}`;
  if (scope.kind === "organisation") return here;
  if (kind === "department")
    return scope.kind === "department" ? Prisma.sql`${here} AND n.id = ${scope.departmentId}` : Prisma.sql`false`;
  return Prisma.sql`${here} AND (n.created_by_id = ${reader.userId}
    OR EXISTS (SELECT FROM project_member m WHERE m.project_id = n.id AND m.user_id = ${reader.userId}))`;
}
