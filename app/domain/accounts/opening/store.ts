import type { Db } from "~/connection/db.server";
import { currentLegalVersion } from "~/legal/index.server";
import { isDuplicateKey } from "../account-store";
import { tokenHash } from "../links/one-time-token";

/**
 * Redeems a set-up token and completes its user, in one statement: of concurrent requests one wins, and a failure
 * leaves the token unused. Null when the token cannot be used.
 */
export async function redeemSetupToken(
  db: Db,
  setup: { token: string; email: string; name: string; passwordHash: string },
): Promise<{ userId: number } | "email_taken" | null> {
  try {
    const rows = await db.$queryRaw<{ id: number }[]>`
      WITH used AS (
        UPDATE one_time_token SET used_at = now()
        WHERE token_hash = ${tokenHash(setup.token)} AND purpose = 'setup' AND user_id IS NOT NULL
          AND used_at IS NULL AND expires_at > now()
        RETURNING user_id
      )
      UPDATE app_user
      SET email = ${setup.email}, name = ${setup.name}, password_hash = ${setup.passwordHash}, email_verified_at = now(),
        terms_version = ${currentLegalVersion()}, terms_accepted_at = now()
      FROM used WHERE app_user.id = used.user_id
      RETURNING app_user.id`;
    return rows[0] ? { userId: rows[0].id } : null;
  } catch (error) {
    // The e-mail address is the only unique column that the statement writes.
    if (isDuplicateKey(error)) return "email_taken";
    throw error;
  }
}

/**
 * Creates the owner of an organisation. With a password hash the account is ready: verified, terms accepted. Without
 * one it waits for its set-up link.
 */
export const createOwner = (
  db: Db,
  owner: { organisationId: number; email: string; passwordHash: string | null },
): Promise<{ id: number }> => {
  const readyAt = owner.passwordHash === null ? null : new Date();
  const terms = readyAt === null ? {} : { termsVersion: currentLegalVersion(), termsAcceptedAt: readyAt };
  return db.user.create({
    data: { ...owner, role: "owner", emailVerifiedAt: readyAt, ...terms },
    select: { id: true },
  });
};

/**
 * Returns the first owner who has never set a password, or null. `linkAgeSeconds` is null when no set-up link works any
 * more.
 */
export async function ownerToSetUp(db: Db): Promise<{ id: number; linkAgeSeconds: number | null } | null> {
  const rows = await db.$queryRaw<{ id: number; age: number | null }[]>`
    SELECT u.id, extract(epoch FROM now() - max(t.created_at))::float8 AS age
    FROM app_user u
    LEFT JOIN one_time_token t ON t.user_id = u.id AND t.purpose = 'setup' AND t.used_at IS NULL AND t.expires_at > now()
    WHERE u.role = 'owner' AND u.password_hash IS NULL AND u.status = 'active'
    GROUP BY u.id ORDER BY u.id LIMIT 1`;
  return rows[0] ? { id: rows[0].id, linkAgeSeconds: rows[0].age } : null;
}
