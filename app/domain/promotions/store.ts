import type { Db } from "~/connection/db.server";
import { Prisma } from "~/generated/prisma/client";
import { shownCode } from "./code";
import type { Audience, GivenCredit, PromotionCreditView, PromotionView } from "./shared";

export type PromotionTerms = {
  name: string;
  amountNanoUsd: bigint;
  limitPerPayer: number;
  limitTotal: number | null;
  expiresAt: Date | null;
};

type NewRow = PromotionTerms & {
  requestId: string;
  audience: Audience;
  recipientId: number | null;
  code: string | null;
  createdBy: number;
};

/** Inserts a promotion and returns its id; null: its request id created one before. */
export async function insertPromotion(tx: Db, row: NewRow): Promise<number | null> {
  const { requestId, name, amountNanoUsd, audience, recipientId, code, limitPerPayer, limitTotal, expiresAt } = row;
  const [made] = await tx.$queryRaw<{ id: number }[]>`
    INSERT INTO promotion (request_id, name, amount, audience, organisation_id, user_id, code, limit_per_payer, limit_total, expires_at, created_by)
    VALUES (${requestId}::uuid, ${name}, ${amountNanoUsd}::bigint, ${audience}, ${audience === "organisation" ? recipientId : null}::int,
            ${audience === "user" ? recipientId : null}::int, ${code}, ${limitPerPayer}::int, ${limitTotal}::int,
            ${expiresAt}::timestamptz, ${row.createdBy}::int)
    ON CONFLICT (request_id) DO NOTHING RETURNING id`;
  return made?.id ?? null;
}

export async function findByRequest(db: Db, requestId: string): Promise<{ id: number; code: string | null } | null> {
  const [row] = await db.$queryRaw<{ id: number; code: string | null }[]>`
    SELECT id, code FROM promotion WHERE request_id = ${requestId}::uuid`;
  return row ?? null;
}

export type StoredPromotion = PromotionTerms & { endedAt: Date | null };

/** Locks a promotion until the transaction ends. */
export async function lockPromotion(tx: Db, id: number): Promise<StoredPromotion | null> {
  const [row] = await tx.$queryRaw<StoredPromotion[]>`
    SELECT name, amount AS "amountNanoUsd", limit_per_payer AS "limitPerPayer", limit_total AS "limitTotal", expires_at AS "expiresAt",
           ended_at AS "endedAt" FROM promotion WHERE id = ${id}::int FOR NO KEY UPDATE`;
  return row ?? null;
}

export async function putTerms(tx: Db, id: number, terms: PromotionTerms & { ended: boolean }): Promise<void> {
  const { name, amountNanoUsd, limitPerPayer, limitTotal, expiresAt, ended } = terms;
  await tx.$executeRaw`
    UPDATE promotion SET name = ${name}, amount = ${amountNanoUsd}::bigint, limit_per_payer = ${limitPerPayer}::int, limit_total = ${limitTotal}::int,
           expires_at = ${expiresAt}::timestamptz, ended_at = CASE WHEN ${ended} THEN coalesce(ended_at, app_now()) END
     WHERE id = ${id}::int`;
}

export async function findByCode(
  db: Db,
  code: string,
): Promise<{ id: number; name: string; amountNanoUsd: bigint } | null> {
  const [row] = await db.$queryRaw<{ id: number; name: string; amountNanoUsd: bigint }[]>`
    SELECT id, name, amount AS "amountNanoUsd" FROM promotion WHERE code = ${code} AND audience = 'code'`;
  return row ?? null;
}

export type GiftOutcome = "given" | "repeated" | "unknown" | "over" | "had" | "exempt";

/** Grants a promotion to a wallet within its limits, once per cause. */
export async function give(
  tx: Db,
  gift: { promotionId: number; walletId: number; userId: number | null; cause: string; actor: string },
): Promise<GiftOutcome> {
  const { promotionId, walletId, userId, cause, actor } = gift;
  const [row] = await tx.$queryRaw<{ outcome: GiftOutcome }[]>`
    SELECT promotion_give(${promotionId}::int, ${walletId}::bigint, ${userId}::int, ${cause}, ${actor}) AS outcome`;
  return row!.outcome;
}

/** Records that a promotion for new people was decided for a person; false: it was recorded before. */
export async function markDecided(tx: Db, promotionId: number, userId: number): Promise<boolean> {
  return (
    (await tx.$executeRaw`
      INSERT INTO promotion_person (promotion_id, user_id) VALUES (${promotionId}::int, ${userId}::int) ON CONFLICT DO NOTHING`) >
    0
  );
}

export type NewPerson = { promotionId: number; userId: number; organisationId: number };

/** Returns people with a verified address who registered after the start of a promotion for new people, without a decision yet. */
export const findNewPeople = (db: Db, limit: number): Promise<NewPerson[]> => db.$queryRaw`
  SELECT p.id AS "promotionId", u.id AS "userId", u.organisation_id AS "organisationId"
    FROM promotion p JOIN app_user u ON u.created_at >= p.created_at
   WHERE p.audience = 'new' AND p.ended_at IS NULL AND (p.expires_at IS NULL OR p.expires_at > app_now())
     AND u.status = 'active' AND (u.email_verified_at IS NOT NULL OR u.vouched_at IS NOT NULL)
     AND NOT EXISTS (SELECT FROM promotion_person d WHERE d.promotion_id = p.id AND d.user_id = u.id)
   ORDER BY p.id, u.id LIMIT ${limit}::int`;

/** Returns wallets with promotional credit and new entries or an expiry since the last run, least recent first. */
export async function findDueWallets(db: Db, limit: number): Promise<bigint[]> {
  const rows = await db.$queryRaw<{ id: bigint }[]>`
    SELECT a.id FROM ledger_account a LEFT JOIN promotion_position o ON o.wallet_id = a.id
     WHERE EXISTS (SELECT FROM promotion_credit c WHERE c.wallet_id = a.id AND c.remaining > 0
                      AND (c.expires_at <= app_now() OR a.last_seq > coalesce(o.up_to, 0)))
     ORDER BY o.at NULLS FIRST, a.id LIMIT ${limit}::int`;
  return rows.map(({ id }) => id);
}

/** Counts a wallet's spending and removes expired credit; returns the amount removed in nano-USD. */
export async function expireIn(tx: Db, walletId: bigint): Promise<bigint> {
  const [row] = await tx.$queryRaw<{ taken: bigint }[]>`SELECT promotion_expire(${walletId}::bigint) AS taken`;
  return row!.taken;
}

const CREDIT = Prisma.sql`c.id, p.name, c.amount AS "amountNanoUsd", c.spent AS "spentNanoUsd", c.remaining AS "remainingNanoUsd",
  c.expired AS "expiredNanoUsd", c.expires_at AS "expiresAt", c.created_at AS "createdAt"`;

/** Returns a wallet's remaining promotional credit in the order of spending. */
export const findLeft = (db: Db, walletId: number): Promise<PromotionCreditView[]> => db.$queryRaw`
  SELECT ${CREDIT} FROM promotion_credit c JOIN promotion p ON p.id = c.promotion_id
   WHERE c.wallet_id = ${walletId}::bigint AND c.remaining > 0 ORDER BY c.expires_at NULLS LAST, c.id`;

/** Returns the latest credits of a promotion. */
export const findGiven = (db: Db, promotionId: number, limit: number): Promise<GivenCredit[]> => db.$queryRaw`
  SELECT ${CREDIT}, coalesce(o.name, payer.name, '') AS payer, u.email AS "redeemedBy"
    FROM promotion_credit c JOIN promotion p ON p.id = c.promotion_id
    JOIN ledger_account a ON a.id = c.wallet_id LEFT JOIN app_user u ON u.id = c.user_id
    LEFT JOIN organisation o ON a.payer_kind = 'organisation' AND o.id = a.payer_id
    LEFT JOIN LATERAL (SELECT email AS name FROM app_user x WHERE a.payer_kind = 'user' AND x.id = a.payer_id
                       UNION ALL SELECT name FROM project x WHERE a.payer_kind = 'project' AND x.id = a.payer_id) payer ON true
   WHERE c.promotion_id = ${promotionId}::int ORDER BY c.id DESC LIMIT ${limit}::int`;

type ViewRow = Omit<PromotionView, "recipient" | "code"> & {
  recipientId: number | null;
  recipientName: string | null;
  code: string | null;
};

/** Returns promotions, newest first; `id`: only this one. */
export async function findPromotions(
  db: Db,
  { id = null, beforeId = null, limit }: { id?: number | null; beforeId?: number | null; limit: number },
): Promise<PromotionView[]> {
  const rows = await db.$queryRaw<ViewRow[]>`
    SELECT p.id, p.name, p.amount AS "amountNanoUsd", p.audience, p.code, p.limit_per_payer AS "limitPerPayer", p.limit_total AS "limitTotal",
           p.expires_at AS "expiresAt", p.ended_at AS "endedAt", p.created_at AS "createdAt",
           coalesce(p.organisation_id, p.user_id) AS "recipientId", coalesce(o.name, u.email) AS "recipientName",
           coalesce(s.given, 0)::int AS given, coalesce(s.spent, 0)::bigint AS "spentNanoUsd", coalesce(s.remaining, 0)::bigint AS "remainingNanoUsd",
           coalesce(s.expired, 0)::bigint AS "expiredNanoUsd",
           CASE WHEN p.ended_at IS NOT NULL THEN 'ended' WHEN p.expires_at <= app_now() THEN 'expired'
                WHEN s.given >= p.limit_total THEN 'exhausted' ELSE 'active' END AS state
      FROM promotion p LEFT JOIN organisation o ON o.id = p.organisation_id LEFT JOIN app_user u ON u.id = p.user_id
      LEFT JOIN LATERAL (
        SELECT count(*) FILTER (WHERE parent_id IS NULL) AS given, sum(spent) AS spent, sum(remaining) AS remaining, sum(expired) AS expired
          FROM promotion_credit c WHERE c.promotion_id = p.id) s ON true
     WHERE (${id}::int IS NULL OR p.id = ${id}::int) AND (${beforeId}::int IS NULL OR p.id < ${beforeId}::int)
     ORDER BY p.id DESC LIMIT ${limit}::int`;
  return rows.map(({ recipientId, recipientName, code, ...row }) => ({
    ...row,
    recipient: recipientId === null ? null : { id: recipientId, name: recipientName ?? "" },
    code: code && shownCode(code),
  }));
}
