import type { Db } from "~/connection/db.server";

export type Member = { id: number; email: string; name: string; language: string | null; billingExempt: boolean };

/**
 * Returns an active person of an organisation, locked against leaving it and against losing the active status until the
 * transaction ends.
 */
export async function findMember(db: Db, organisationId: number, userId: number): Promise<Member | null> {
  const rows = await db.$queryRaw<Member[]>`
    SELECT id, email, name, language, billing_exempt AS "billingExempt" FROM app_user
     WHERE id = ${userId} AND organisation_id = ${organisationId} AND status = 'active' FOR SHARE`;
  return rows[0] ?? null;
}

export type NominationRow = { userId: number; nominatedById: number | null; nominatedAt: Date };

/** Returns the person whom an organisation has asked to pay for it. */
export const findNomination = (db: Db, organisationId: number): Promise<NominationRow | null> =>
  db.payerNomination.findUnique({
    where: { organisationId },
    select: { userId: true, nominatedById: true, nominatedAt: true },
  });

/** Stores the nomination of one person; it replaces an earlier one. */
export async function putNomination(
  db: Db,
  nomination: { organisationId: number; userId: number; nominatedById: number },
): Promise<void> {
  const { organisationId } = nomination;
  await db.payerNomination.deleteMany({ where: { organisationId } });
  await db.payerNomination.create({ data: nomination, select: { organisationId: true } });
}

export async function deleteNominations(db: Db, organisationIds: readonly number[]): Promise<void> {
  await db.payerNomination.deleteMany({ where: { organisationId: { in: [...organisationIds] } } });
}

export type PersonName = { email: string; name: string; role: string };

export const findName = (db: Db, id: number): Promise<PersonName | null> =>
  db.user.findUnique({ where: { id }, select: { email: true, name: true, role: true } });
