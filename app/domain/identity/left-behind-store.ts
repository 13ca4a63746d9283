import type { Db } from "~/db.server";
import type { Role, UserStatus } from "./shared";

/** An admin key whose secret somebody was told: they made or rotated it, hold it, or did so by another such key. */
export type MadeAdminKey = {
  id: number;
  name: string;
  status: string;
  organisationId: number;
  departmentId: number | null;
  userId: number | null;
  /** Only the secret of before is theirs: somebody else has rotated the key, and the overlap lasts. */
  onlyPrevious: boolean;
};

/** The admin keys that a person can use, or that keys of theirs have made, as far as they are not revoked. */
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

/** Keeps admin keys as they are until the transaction ends, and waits for what they are making. One order for everybody. */
export async function lockKeys(db: Db, ids: readonly number[]): Promise<void> {
  await db.$executeRaw`SELECT 1 FROM api_key WHERE id = ANY (${[...ids]}::int[]) ORDER BY id FOR NO KEY UPDATE`;
}

export async function revokeKeys(db: Db, ids: readonly number[], now: Date): Promise<void> {
  await db.apiKey.updateMany({
    where: { id: { in: [...ids] } },
    data: { status: "revoked", revokedAt: now, previousHmac: null, previousValidUntil: null },
  });
}

/** Ends the secrets of before; the keys go on under the ones they have now. */
export async function endOverlaps(db: Db, ids: readonly number[]): Promise<void> {
  await db.apiKey.updateMany({
    where: { id: { in: [...ids] } },
    data: { previousHmac: null, previousValidUntil: null, previousIssuedToId: null },
  });
}

/** How many usable keys for calls a person has made that are not theirs to hold: those go on working. */
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

/** The invitations of a person that somebody could still accept. */
export const findOpenInvites = (db: Db, userId: number): Promise<OpenInvite[]> =>
  db.$queryRaw<OpenInvite[]>`
    SELECT id, email, role, organisation_id AS "organisationId", department_id AS "departmentId" FROM invite
     WHERE invited_by_id = ${userId} AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > now() ORDER BY id`;

/** Ends invitations. Returns those that nobody has accepted in the meantime. */
export async function revokeInvites(db: Db, ids: readonly number[]): Promise<Set<number>> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    UPDATE invite SET revoked_at = now() WHERE id = ANY (${[...ids]}::int[]) AND accepted_at IS NULL AND revoked_at IS NULL
    RETURNING id`;
  return new Set(rows.map(({ id }) => id));
}

/** Where somebody stands at this moment, as their rank is judged. */
export type Stand = { role: Role; status: UserStatus; organisationId: number; departmentId: number | null };

export async function findStand(db: Db, userId: number): Promise<Stand> {
  const rows = await db.$queryRaw<Stand[]>`
    SELECT role, status, organisation_id AS "organisationId", department_id AS "departmentId"
      FROM app_user WHERE id = ${userId}`;
  return rows[0]!;
}
