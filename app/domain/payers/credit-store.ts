import type { Db } from "~/connection/db.server";

/**
 * Returns the organisation's credit ceiling. Locks it until the transaction ends, and so all credit that is given under
 * it.
 */
export async function lockCreditCeiling(db: Db, organisationId: number): Promise<bigint> {
  const [row] = await db.$queryRaw<{ ceiling: bigint }[]>`
    SELECT credit_ceiling_nano_usd AS ceiling FROM organisation WHERE id = ${organisationId} FOR NO KEY UPDATE`;
  return row!.ceiling;
}

export async function readCreditCeiling(db: Db, organisationId: number): Promise<bigint> {
  const row = await db.organisation.findUniqueOrThrow({
    where: { id: organisationId },
    select: { creditCeilingNanoUsd: true },
  });
  return row.creditCeilingNanoUsd;
}

export async function isExemptOrganisation(db: Db, organisationId: number): Promise<boolean> {
  const row = await db.organisation.findUniqueOrThrow({
    where: { id: organisationId },
    select: { billingExempt: true },
  });
  return row.billingExempt;
}

export const deleteNominationsOf = (db: Db, userId: number): Promise<{ organisationId: number; name: string }[]> =>
  db.$queryRaw`
    DELETE FROM payer_nomination n USING organisation o WHERE o.id = n.organisation_id AND n.user_id = ${userId}
    RETURNING o.id AS "organisationId", o.name`;
