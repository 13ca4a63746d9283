import type { Db } from "~/connection/db.server";

export async function insertAcceptances(
  db: Db,
  acceptance: { userId: number; version: string; documents: readonly string[]; address: string },
): Promise<void> {
  const { userId, version, documents, address } = acceptance;
  await db.$executeRaw`
    INSERT INTO legal_acceptance (user_id, document, version, address)
    SELECT ${userId}, document, ${version}, ${address} FROM unnest(${[...documents]}::text[]) AS document
    ON CONFLICT (user_id, document, version) DO NOTHING`;
}

/** An older version never replaces a newer one. */
export async function acceptTerms(db: Db, userId: number, version: string): Promise<void> {
  await db.$executeRaw`
    UPDATE app_user SET terms_version = ${version}, terms_accepted_at = now()
    WHERE id = ${userId} AND (terms_version IS NULL OR terms_version < ${version})`;
}

export async function readAcceptance(
  db: Db,
  userId: number,
): Promise<{ termsVersion: string | null; termsAcceptedAt: Date | null }> {
  const row = await db.user.findUnique({
    where: { id: userId },
    select: { termsVersion: true, termsAcceptedAt: true },
  });
  return row ?? { termsVersion: null, termsAcceptedAt: null };
}
