import type { Db } from "~/connection/db.server";
import { Prisma } from "~/generated/prisma/client";

const memberFields = { id: true, email: true, name: true, role: true, status: true, organisationId: true } as const;
export type MergeMember = Prisma.UserGetPayload<{ select: typeof memberFields }>;

/** Returns the administrators of organisations, by address. */
export const findAdministrators = (db: Db, organisationIds: readonly number[]): Promise<MergeMember[]> =>
  db.user.findMany({
    where: {
      organisationId: { in: [...organisationIds] },
      status: { not: "deleted" },
      role: { in: ["owner", "platform_admin", "org_admin", "department_admin"] },
    },
    select: memberFields,
    orderBy: { email: "asc" },
  });

/** Returns the people of one organisation by address, at most 500. */
export const findPeopleOf = (db: Db, organisationId: number): Promise<MergeMember[]> =>
  db.user.findMany({
    where: { organisationId, status: { not: "deleted" } },
    select: memberFields,
    orderBy: { email: "asc" },
    take: 500,
  });

export const findActivePerson = (db: Db, organisationIds: readonly number[], id: number) =>
  db.user.findFirst({
    where: { id, status: "active", organisationId: { in: [...organisationIds] } },
    select: { id: true, email: true, billingExempt: true },
  });

/**
 * Locks all owners and everything that belongs to the organisations until the transaction ends, in the order of all
 * locks.
 */
export async function lockBelongings(db: Db, organisationIds: readonly number[]): Promise<void> {
  const ids = [...organisationIds];
  await db.$executeRaw`
    SELECT 1 FROM app_user WHERE organisation_id = ANY (${ids}::int[]) OR role = 'owner' ORDER BY id FOR NO KEY UPDATE`;
  for (const table of ["department", "project", "api_key"] as const)
    await db.$executeRaw`
      SELECT 1 FROM ${Prisma.raw(table)} WHERE organisation_id = ANY (${ids}::int[]) ORDER BY id FOR NO KEY UPDATE`;
}

export async function setRoles(db: Db, roles: ReadonlyMap<number, string>): Promise<void> {
  for (const [id, role] of roles) await db.user.update({ where: { id }, data: { role }, select: { id: true } });
}

export const countActiveOwners = (db: Db): Promise<number> =>
  db.user.count({ where: { role: "owner", status: "active" } });

export type Moved = { people: number; keys: number; departments: number; projects: number; invites: number };

/**
 * Moves everything that belongs to some organisations to another one. If the name of a department or project is taken
 * there, the name of its former organisation is appended.
 */
export async function moveEverything(db: Db, toId: number, fromIds: readonly number[]): Promise<Moved> {
  const from = [...fromIds];
  await freeNames(db, "department", toId, from);
  await freeNames(db, "project", toId, from);
  const departments =
    await db.$executeRaw`UPDATE department SET organisation_id = ${toId} WHERE organisation_id = ANY (${from}::int[])`;
  const projects =
    await db.$executeRaw`UPDATE project SET organisation_id = ${toId} WHERE organisation_id = ANY (${from}::int[])`;
  // Moved before the people: reports shared with a whole organisation remain shared with the whole merged organisation.
  await db.$executeRaw`UPDATE saved_report SET organisation_id = ${toId} WHERE organisation_id = ANY (${from}::int[])`;
  await db.$executeRaw`UPDATE report_schedule SET organisation_id = ${toId} WHERE organisation_id = ANY (${from}::int[])`;
  await db.$executeRaw`
    UPDATE report_schedule SET admin_organisation_id = ${toId} WHERE admin_organisation_id = ANY (${from}::int[])`;
  const people =
    await db.$executeRaw`UPDATE app_user SET organisation_id = ${toId} WHERE organisation_id = ANY (${from}::int[])`;
  const keys =
    await db.$executeRaw`UPDATE api_key SET organisation_id = ${toId} WHERE organisation_id = ANY (${from}::int[])`;
  const invites =
    await db.$executeRaw`UPDATE invite SET organisation_id = ${toId} WHERE organisation_id = ANY (${from}::int[])`;
  await db.$executeRaw`UPDATE session SET admin_organisation_id = ${toId} WHERE admin_organisation_id = ANY (${from}::int[])`;
  await db.$executeRaw`UPDATE organisation SET reseller_id = ${toId} WHERE reseller_id = ANY (${from}::int[]) AND id <> ${toId}`;
  return { people, keys, departments, projects, invites };
}

async function freeNames(db: Db, table: "department" | "project", toId: number, from: number[]): Promise<void> {
  const name = Prisma.raw(table);
  // One name at a time, because names of several sources must not collide with each other either.
  await db.$executeRaw`
    UPDATE ${name} x SET name = x.name || ' (' || o.name || ' ' || o.id || ')'
      FROM organisation o
     WHERE o.id = x.organisation_id AND x.organisation_id = ANY (${from}::int[])
       AND EXISTS (SELECT FROM ${name} y WHERE y.name = x.name AND y.id <> x.id
                     AND (y.organisation_id = ${toId} OR (y.organisation_id = ANY (${from}::int[]) AND y.id < x.id)))`;
}

/** Closes the sources. One of their domains moves to the target if it has none. */
export async function closeMergedOrganisations(
  db: Db,
  toId: number,
  fromIds: readonly number[],
  now: Date,
): Promise<void> {
  const from = [...fromIds];
  await db.payerNomination.deleteMany({ where: { organisationId: { in: from } } });
  const [domain] = await db.$queryRaw<{ portal_domain: string }[]>`
    SELECT portal_domain FROM organisation WHERE id = ANY (${from}::int[]) AND portal_domain IS NOT NULL ORDER BY id LIMIT 1`;
  await db.$executeRaw`
    UPDATE organisation SET closed_at = ${now}, merged_into_id = ${toId}, portal_domain = NULL, billing_user_id = NULL, reseller_id = NULL,
           slug = slug || '--' || id, guardrail_webhook = NULL WHERE id = ANY (${from}::int[])`;
  await db.$executeRaw`UPDATE organisation SET merged_into_id = ${toId} WHERE merged_into_id = ANY (${from}::int[])`;
  await db.$executeRaw`
    UPDATE organisation SET portal_domain = coalesce(portal_domain, ${domain?.portal_domain ?? null}),
           reseller_id = CASE WHEN reseller_id = ANY (${from}::int[]) OR reseller_id = id THEN NULL ELSE reseller_id END
     WHERE id = ${toId}`;
}

export async function setBillingUserRow(db: Db, organisationId: number, userId: number | null): Promise<void> {
  await db.organisation.update({
    where: { id: organisationId },
    data: { billingUserId: userId },
    select: { id: true },
  });
}

export type MergeCounts = { keys: number; adminKeys: number; departments: number; projects: number; people: number };

/** Counts what would move out of an organisation. */
export async function countMergeable(db: Db, organisationId: number): Promise<MergeCounts> {
  const [row] = await db.$queryRaw<MergeCounts[]>`
    SELECT (SELECT count(*)::int FROM api_key WHERE organisation_id = ${organisationId} AND status <> 'revoked' AND kind = 'inference') AS keys,
           (SELECT count(*)::int FROM api_key WHERE organisation_id = ${organisationId} AND status <> 'revoked' AND kind = 'admin') AS "adminKeys",
           (SELECT count(*)::int FROM department WHERE organisation_id = ${organisationId}) AS departments,
           (SELECT count(*)::int FROM project WHERE organisation_id = ${organisationId}) AS projects,
           (SELECT count(*)::int FROM app_user WHERE organisation_id = ${organisationId} AND status <> 'deleted') AS people`;
  return row!;
}
