import type { Db } from "~/connection/db.server";
import type { Role, UserStatus } from "~/domain/accounts/shared";

/** An admin key whose secret a person has seen: they created, rotated or own the key, or did so by another such key. */
export type MadeAdminKey = {
  id: number;
  name: string;
  status: string;
  organisationId: number;
  departmentId: number | null;
  userId: number | null;
  /** The person knows the previous secret only: another person has rotated the key, and the overlap still lasts. */
  onlyPrevious: boolean;
};

/** Returns the admin keys that a person can use, or that such keys have created, unless revoked. */
export const findMadeAdminKeys = (db: Db, userId: number): Promise<MadeAdminKey[]> =>
  db.$queryRaw<MadeAdminKey[]>`
    WITH RECURSIVE made AS (
      SELECT id FROM api_key WHERE kind = 'admin' AND (issued_to_id = ${userId} OR user_id = ${userId})
      UNION
      SELECT k.id FROM api_key k JOIN made m ON k.issued_to_key_id = m.id WHERE k.kind = 'admin'
    )
    SELECT k.id, k.name, k.status, k.organisation_id AS "organisationId", k.department_id AS "departmentId",
           k.user_id AS "userId", m.id IS NULL AS "onlyPrevious"
      FROM api_key k LEFT JOIN made m ON m.id = k.id
     WHERE k.kind = 'admin' AND k.status <> 'revoked'
       AND (m.id IS NOT NULL OR (k.previous_issued_to_id = ${userId} AND k.previous_valid_until > now()))
     ORDER BY k.id`;

/**
 * Locks admin keys until the transaction ends, in one order to avoid deadlocks. Waits for keys that they are creating.
 */
export async function lockKeys(db: Db, ids: readonly number[]): Promise<void> {
  await db.$executeRaw`SELECT 1 FROM api_key WHERE id = ANY (${[...ids]}::int[]) ORDER BY id FOR NO KEY UPDATE`;
}

export async function revokeKeys(db: Db, ids: readonly number[], now: Date): Promise<void> {
  await db.apiKey.updateMany({
    where: { id: { in: [...ids] } },
    data: { status: "revoked", revokedAt: now, previousHmac: null, previousValidUntil: null },
  });
}

/** Ends the previous secrets. The keys remain valid under their current ones. */
export async function endOverlaps(db: Db, ids: readonly number[]): Promise<void> {
  await db.apiKey.updateMany({
    where: { id: { in: [...ids] } },
    data: { previousHmac: null, previousValidUntil: null, previousIssuedToId: null },
  });
}

/**
 * Returns the number of active inference keys that a person has created for other owners. These keys continue to work.
 */
export async function countKeysMadeForOthers(db: Db, userId: number): Promise<number> {
  const [row] = await db.$queryRaw<{ n: number }[]>`
    SELECT count(*)::int AS n FROM api_key
     WHERE issued_to_id = ${userId} AND kind = 'inference' AND status = 'active' AND user_id IS DISTINCT FROM ${userId}
       AND (expires_at IS NULL OR expires_at > now())`;
  return row!.n;
}

export type OpenInvite = {
  id: number;
  email: string;
  role: Role;
  organisationId: number;
  departmentId: number | null;
};

/** Returns a person's invitations that can still be accepted. */
export const findOpenInvites = (db: Db, userId: number): Promise<OpenInvite[]> =>
  db.$queryRaw<OpenInvite[]>`
    SELECT id, email, role, organisation_id AS "organisationId", department_id AS "departmentId" FROM invite
     WHERE invited_by_id = ${userId} AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > now() ORDER BY id`;

/** Revokes invitations. Returns the ids of those that were not accepted in the meantime. */
export async function revokeInvites(db: Db, ids: readonly number[]): Promise<Set<number>> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    UPDATE invite SET revoked_at = now() WHERE id = ANY (${[...ids]}::int[]) AND accepted_at IS NULL AND revoked_at IS NULL
    RETURNING id`;
  return new Set(rows.map(({ id }) => id));
}

/** A person's current role, status and location, by which their rank is judged. */
export type RoleSnapshot = { role: Role; status: UserStatus; organisationId: number; departmentId: number | null };

export async function findRoleSnapshot(db: Db, userId: number): Promise<RoleSnapshot> {
  const rows = await db.$queryRaw<RoleSnapshot[]>`
    SELECT role, status, organisation_id AS "organisationId", department_id AS "departmentId"
      FROM app_user WHERE id = ${userId}`;
  return rows[0]!;
}
