import type { Db } from "~/connection/db.server";
import { atLeast, type Role } from "~/domain/accounts/shared";
import { Prisma } from "~/generated/prisma/client";

export async function deleteMemberships(db: Db, userId: number): Promise<void> {
  await db.projectMember.deleteMany({ where: { userId } });
}

export type TakenKey = {
  id: number;
  name: string;
  organisationId: number;
  departmentId: number | null;
  projectId: number;
};

/**
 * Removes a person's usable keys from a project, or from all projects that the role alone, without a membership, does
 * not open to them.
 */
export function removeKeysFromProject(
  db: Db,
  userId: number,
  from: { projectId: number } | { role: Role },
): Promise<TakenKey[]> {
  const reason = "projectId" in from ? Prisma.sql`project_id = ${from.projectId}` : notOpenTo(userId, from.role);
  return db.$queryRaw<TakenKey[]>`
    UPDATE api_key k SET project_id = NULL
      FROM (SELECT id, project_id FROM api_key
             WHERE user_id = ${userId} AND project_id IS NOT NULL AND status <> 'revoked' AND ${reason}
             ORDER BY id FOR NO KEY UPDATE OF api_key) before
     WHERE k.id = before.id
    RETURNING k.id, k.name, k.organisation_id AS "organisationId", k.department_id AS "departmentId",
              before.project_id AS "projectId"`;
}

function notOpenTo(userId: number, role: Role): Prisma.Sql {
  if (atLeast(role, "org_admin")) return Prisma.sql`false`;
  return Prisma.sql`NOT EXISTS (
    SELECT FROM project p WHERE p.id = api_key.project_id
       AND (${atLeast(role, "department_admin") ? Prisma.sql`p.created_by_id = ${userId} OR` : Prisma.empty}
            EXISTS (SELECT FROM project_member m WHERE m.project_id = p.id AND m.user_id = ${userId})))`;
}
