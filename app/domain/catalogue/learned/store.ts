import type { Db } from "~/connection/db.server";

type RefusalRow = { supplier: string; model: string; field: string; words: string; expiresAt: Date };

/** Inserts a refusal, or increments its count. */
export const saveRefusal = (db: Db, { supplier, model, field, words, expiresAt }: RefusalRow): Promise<number> =>
  db.$executeRaw`
    INSERT INTO learned_refusal AS r (supplier, model, field, words, expires_at)
    VALUES (${supplier}, ${model}, ${field}, ${words}, ${expiresAt})
    ON CONFLICT (supplier, model, field) DO UPDATE SET
      words = excluded.words, refused = r.refused + 1, learned_at = now(), expires_at = excluded.expires_at`;

/** Lists unexpired refusals, of one supplier or of all. */
export const listRefusals = (db: Db, supplier?: string) =>
  db.learnedRefusal.findMany({
    where: { expiresAt: { gt: new Date() }, ...(supplier === undefined ? {} : { supplier }) },
    orderBy: [{ supplier: "asc" }, { model: "asc" }, { field: "asc" }],
    take: 1_000,
  });

/** Deletes expired refusals. Returns their number. */
export const deleteExpired = async (db: Db): Promise<number> =>
  (await db.learnedRefusal.deleteMany({ where: { expiresAt: { lte: new Date() } } })).count;
