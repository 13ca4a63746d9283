import type { Db } from "~/connection/db.server";
import type { Role, UserStatus } from "../shared";

type Hash = Uint8Array<ArrayBuffer>;

const IDLE_SECONDS = 12 * 3600;
const MAX_SECONDS = 14 * 24 * 3600;
/** Validity of a proof of identity for operations that require a recent one. */
const PROOF_SECONDS = 15 * 60;
/** Precision of `last_seen_at`. */
const SEEN_EVERY_SECONDS = 60;

/** `provedAt`: when the person last proved their identity; null: now. */
export type NewSession = {
  tokenHash: Hash;
  userId: number;
  adminMode: boolean;
  userAgent: string;
  address: string;
  provedAt: Date | null;
};

export type SessionRow = {
  id: number;
  adminMode: boolean;
  adminOrganisationId: number | null;
  createdAt: Date;
  stale: boolean;
  recentlyProved: boolean;
  userId: number;
  email: string;
  name: string;
  role: Role;
  status: UserStatus;
  organisationId: number;
  departmentId: number | null;
  language: string | null;
  verified: boolean;
  vouched: boolean;
  termsVersion: string | null;
};

export async function insertSession(db: Db, session: NewSession): Promise<{ id: number }> {
  const { tokenHash, userId, adminMode, userAgent, address, provedAt } = session;
  const rows = await db.$queryRaw<{ id: number }[]>`
    INSERT INTO session (token_hash, user_id, admin_mode, user_agent, address, proved_at, expires_at)
    VALUES (${tokenHash}, ${userId}, ${adminMode}, ${userAgent}, ${address},
      least(now(), coalesce(${provedAt}::timestamptz, now())), now() + make_interval(secs => ${MAX_SECONDS}))
    RETURNING id`;
  return rows[0]!;
}

/**
 * Returns a valid session with its person as of now. `stale`: its `last_seen_at` needs an update. `recentlyProved`: the
 * person signed in or proved their identity recently.
 */
export async function findSession(db: Db, tokenHash: Hash): Promise<SessionRow | null> {
  const rows = await db.$queryRaw<SessionRow[]>`
    SELECT s.id, s.admin_mode AS "adminMode", s.admin_organisation_id AS "adminOrganisationId", s.created_at AS "createdAt",
      s.last_seen_at < now() - make_interval(secs => ${SEEN_EVERY_SECONDS}) AS stale,
      s.proved_at > now() - make_interval(secs => ${PROOF_SECONDS}) AS "recentlyProved",
      u.id AS "userId", u.email, u.name, u.role, u.status, u.organisation_id AS "organisationId",
      u.department_id AS "departmentId", u.language, u.email_verified_at IS NOT NULL AS verified,
      u.vouched_at IS NOT NULL AS vouched,
      u.terms_version AS "termsVersion"
    FROM session s JOIN app_user u ON u.id = s.user_id
    WHERE s.token_hash = ${tokenHash} AND s.expires_at > now()
      AND s.last_seen_at > now() - make_interval(secs => ${IDLE_SECONDS}) AND u.status <> 'deleted'`;
  return rows[0] ?? null;
}

export async function markSeen(db: Db, sessionId: number): Promise<void> {
  await db.$executeRaw`
    WITH seen AS (UPDATE session SET last_seen_at = now() WHERE id = ${sessionId} RETURNING user_id)
    UPDATE app_user SET last_seen_at = now() FROM seen WHERE app_user.id = seen.user_id`;
}

/** Gives a session a new token and a fresh proof. The previous token no longer works. */
export const renewSession = (db: Db, session: { id: number; userId: number; tokenHash: Hash }): Promise<number> =>
  db.$executeRaw`
    UPDATE session SET token_hash = ${session.tokenHash}, proved_at = now()
    WHERE id = ${session.id} AND user_id = ${session.userId}`;

export async function deleteSession(db: Db, tokenHash: Hash): Promise<void> {
  await db.$executeRaw`DELETE FROM session WHERE token_hash = ${tokenHash}`;
}

export const deleteSessionsOf = (db: Db, userId: number, exceptId: number): Promise<number> =>
  db.$executeRaw`DELETE FROM session WHERE user_id = ${userId} AND id <> ${exceptId}`;

export const deleteSessionById = (db: Db, userId: number, id: number): Promise<number> =>
  db.$executeRaw`DELETE FROM session WHERE user_id = ${userId} AND id = ${id}`;

export const deleteEndedSessions = (db: Db): Promise<number> =>
  db.$executeRaw`
    DELETE FROM session WHERE expires_at < now() OR last_seen_at < now() - make_interval(secs => ${IDLE_SECONDS})`;

export async function updateAdminView(
  db: Db,
  sessionId: number,
  view: { adminMode: boolean; adminOrganisationId: number | null },
): Promise<void> {
  await db.$executeRaw`
    UPDATE session SET admin_mode = ${view.adminMode}, admin_organisation_id = ${view.adminOrganisationId}
    WHERE id = ${sessionId}`;
}

export const sessionsOf = (db: Db, userId: number) =>
  db.$queryRaw<{ id: number; userAgent: string; address: string; createdAt: Date; lastSeenAt: Date }[]>`
    SELECT id, user_agent AS "userAgent", address, created_at AS "createdAt", last_seen_at AS "lastSeenAt"
    FROM session
    WHERE user_id = ${userId} AND expires_at > now() AND last_seen_at > now() - make_interval(secs => ${IDLE_SECONDS})
    ORDER BY last_seen_at DESC, id DESC LIMIT 100`;
