import type { Db } from "~/connection/db.server";

/** A person who pays or is paid for, locked while an agreement between two people is decided. */
export type Party = {
  id: number;
  email: string;
  name: string;
  language: string | null;
  billingMode: string;
  billingExempt: boolean;
  organisationExempt: boolean;
  active: boolean;
};

/** Finds an active person of an organisation by address. */
export async function findColleague(db: Db, organisationId: number, email: string): Promise<{ id: number } | null> {
  return db.user.findFirst({ where: { organisationId, email, status: "active" }, select: { id: true } });
}

/** Locks people of an organisation until the transaction ends, in one order to avoid deadlocks. */
export function lockParties(db: Db, organisationId: number, ids: readonly number[]): Promise<Party[]> {
  return db.$queryRaw`
    SELECT u.id, u.email, u.name, u.language, u.billing_mode AS "billingMode", u.billing_exempt AS "billingExempt",
           o.billing_exempt AS "organisationExempt", u.status = 'active' AS active
      FROM app_user u JOIN organisation o ON o.id = u.organisation_id
     WHERE u.id = ANY (${[...ids]}::int[]) AND u.organisation_id = ${organisationId}
     ORDER BY u.id FOR NO KEY UPDATE OF u`;
}

export type DelegationRow = { id: number; userId: number; payerId: number; askedById: number; accepted: boolean };

/** Returns agreements and requests that have not ended and involve any of `ids`. */
export function findLive(db: Db, ids: readonly number[]): Promise<DelegationRow[]> {
  return db.$queryRaw`
    SELECT id, user_id AS "userId", payer_id AS "payerId", asked_by_id AS "askedById", accepted_at IS NOT NULL AS accepted
      FROM payer_delegation
     WHERE ended_at IS NULL AND (user_id = ANY (${[...ids]}::int[]) OR payer_id = ANY (${[...ids]}::int[])) ORDER BY id`;
}

export async function insertQuestion(
  db: Db,
  delegation: { userId: number; payerId: number; askedById: number },
): Promise<number> {
  const [row] = await db.$queryRaw<{ id: number }[]>`
    INSERT INTO payer_delegation (user_id, payer_id, asked_by_id) VALUES (${delegation.userId}, ${delegation.payerId}, ${delegation.askedById})
    RETURNING id`;
  return row!.id;
}

/** Accepts a request. It replaces the person's previous agreement. */
export async function putInForce(db: Db, { id, userId }: { id: number; userId: number }): Promise<void> {
  await db.$executeRaw`
    UPDATE payer_delegation SET ended_at = app_now() WHERE user_id = ${userId} AND accepted_at IS NOT NULL AND ended_at IS NULL`;
  await db.$executeRaw`UPDATE payer_delegation SET accepted_at = app_now() WHERE id = ${id}`;
}

export async function endRow(db: Db, id: number): Promise<void> {
  await db.$executeRaw`UPDATE payer_delegation SET ended_at = app_now() WHERE id = ${id} AND ended_at IS NULL`;
}

export type DelegationLine = {
  id: number;
  userId: number;
  payerId: number;
  askedById: number;
  askedAt: Date;
  acceptedAt: Date | null;
  userName: string;
  payerName: string;
};

/** Returns a person's agreements and requests that have not ended, oldest first. */
export function listLive(db: Db, userId: number): Promise<DelegationLine[]> {
  return db.$queryRaw`
    SELECT d.id, d.user_id AS "userId", d.payer_id AS "payerId", d.asked_by_id AS "askedById", d.asked_at AS "askedAt",
           d.accepted_at AS "acceptedAt", coalesce(nullif(u.name, ''), u.email) AS "userName",
           coalesce(nullif(p.name, ''), p.email) AS "payerName"
      FROM payer_delegation d JOIN app_user u ON u.id = d.user_id JOIN app_user p ON p.id = d.payer_id
     WHERE d.ended_at IS NULL AND ${userId} IN (d.user_id, d.payer_id) ORDER BY d.id`;
}
