import type { Db } from "~/connection/db.server";

// An arbitrary advisory lock number that no other lock uses; the same in every process.
const FIRST_START_LOCK = 7_203_114_420n;

/** Lets one transaction at a time choose a slug or create the first organisation. */
export const lockSlugs = (db: Db) => db.$executeRaw`SELECT pg_advisory_xact_lock(${FIRST_START_LOCK})`;

export const anyOrganisation = (db: Db) => db.organisation.findFirst({ select: { id: true } });

export const insertOrganisation = (
  db: Db,
  organisation: { name: string; slug: string; billingExempt: boolean; resellerId?: number | null },
) => db.organisation.create({ data: organisation, select: { id: true } });

/** Returns whether an organisation is the other one, or below it in the chain of resellers. */
export async function isRankedBelow(db: Db, organisationId: number, aboveId: number): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    WITH RECURSIVE chain (id, reseller_id, depth) AS (
      SELECT id, reseller_id, 1 FROM organisation WHERE id = ${organisationId}
      UNION ALL
      SELECT o.id, o.reseller_id, chain.depth + 1 FROM organisation o JOIN chain ON o.id = chain.reseller_id WHERE chain.depth < 20)
    SELECT 1 FROM chain WHERE id = ${aboveId} LIMIT 1`;
  return rows.length > 0;
}
