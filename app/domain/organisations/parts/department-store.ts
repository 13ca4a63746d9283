import type { Db } from "~/connection/db.server";

type DepartmentRow = { id: number; name: string; people: number; keys: number; invites: number };

/** Returns departments by name, with counts of their people, keys and invitations. */
export function findDepartments(db: Db, organisationId: number): Promise<DepartmentRow[]> {
  return db.$queryRaw<DepartmentRow[]>`
    SELECT d.id, d.name,
           (SELECT count(*)::int FROM app_user u WHERE u.department_id = d.id AND u.status <> 'deleted') AS people,
           (SELECT count(*)::int FROM api_key k WHERE k.department_id = d.id AND k.status <> 'revoked') AS keys,
           (SELECT count(*)::int FROM invite i WHERE i.department_id = d.id AND i.accepted_at IS NULL AND i.revoked_at IS NULL
              AND i.expires_at > now()) AS invites
      FROM department d WHERE d.organisation_id = ${organisationId} ORDER BY d.name, d.id`;
}

export const findDepartment = (db: Db, organisationId: number, id: number) =>
  db.department.findFirst({ where: { organisationId, id }, select: { id: true, name: true } });

/** Locks a department, so that no person is moved into it meanwhile. */
export async function lockDepartment(db: Db, id: number): Promise<void> {
  await db.$executeRaw`SELECT 1 FROM department WHERE id = ${id} FOR UPDATE`;
}

export const isDepartmentNamed = async (db: Db, organisationId: number, name: string): Promise<boolean> =>
  (await db.department.findFirst({ where: { organisationId, name }, select: { id: true } })) !== null;

export const insertDepartment = (db: Db, organisationId: number, name: string): Promise<{ id: number }> =>
  db.department.create({ data: { organisationId, name }, select: { id: true } });

export async function renameDepartmentRow(db: Db, id: number, name: string): Promise<void> {
  await db.department.update({ where: { id }, data: { name }, select: { id: true } });
}

export async function deleteDepartmentRow(db: Db, id: number): Promise<void> {
  await db.department.delete({ where: { id }, select: { id: true } });
}
