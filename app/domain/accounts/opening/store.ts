import type { Db } from "~/connection/db.server";
import { Prisma } from "~/generated/prisma/client";
import { currentLegalVersion } from "~/legal/index.server";

/** Stores the hash of a set-up token of one user. */
export async function insertSetupToken(
  db: Db,
  token: { tokenHash: Uint8Array<ArrayBuffer>; userId: number; validForSeconds: number },
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO one_time_token (purpose, token_hash, user_id, expires_at)
    VALUES ('setup', ${token.tokenHash}, ${token.userId}, now() + make_interval(secs => ${token.validForSeconds}))`;
}

/** Ends a user's open set-up links. */
export async function endSetupTokens(db: Db, userId: number): Promise<void> {
  await db.$executeRaw`
    UPDATE one_time_token SET used_at = now() WHERE purpose = 'setup' AND user_id = ${userId} AND used_at IS NULL`;
}

export async function isSetupTokenUsable(db: Db, tokenHash: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM one_time_token
    WHERE token_hash = ${tokenHash} AND purpose = 'setup' AND user_id IS NOT NULL AND used_at IS NULL AND expires_at > now()`;
  return rows.length > 0;
}

/**
 * Redeems a set-up token and completes its user, in one statement: of concurrent requests one wins, and a failure
 * leaves the token unused. Null when the token cannot be used.
 */
export async function redeemSetupToken(
  db: Db,
  setup: { tokenHash: Uint8Array<ArrayBuffer>; email: string; name: string; passwordHash: string },
): Promise<{ userId: number } | "email_taken" | null> {
  try {
    const rows = await db.$queryRaw<{ id: number }[]>`
      WITH used AS (
        UPDATE one_time_token SET used_at = now()
        WHERE token_hash = ${setup.tokenHash} AND purpose = 'setup' AND user_id IS NOT NULL
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
    if (isDuplicate(error)) return "email_taken";
    throw error;
  }
}

// The e-mail address is the only unique column that the statement writes.
function isDuplicate(problem: unknown): boolean {
  if (!(problem instanceof Prisma.PrismaClientKnownRequestError)) return false;
  return (
    problem.code === "P2002" ||
    JSON.stringify(problem.meta ?? {}).includes("23505") ||
    problem.message.includes("23505")
  );
}

/** Inserts the owner of an organisation. With a password the account is verified and has accepted the current terms. */
export const insertOwner = (
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

/** Returns the first owner without a password, and the age of the set-up link that still works for them. */
export async function ownerWithoutPassword(db: Db): Promise<{ id: number; linkAgeSeconds: number | null } | null> {
  const rows = await db.$queryRaw<{ id: number; age: number | null }[]>`
    SELECT u.id, extract(epoch FROM now() - max(t.created_at))::float8 AS age
    FROM app_user u
    LEFT JOIN one_time_token t ON t.user_id = u.id AND t.purpose = 'setup' AND t.used_at IS NULL AND t.expires_at > now()
    WHERE u.role = 'owner' AND u.password_hash IS NULL AND u.status = 'active'
    GROUP BY u.id ORDER BY u.id LIMIT 1`;
  return rows[0] ? { id: rows[0].id, linkAgeSeconds: rows[0].age } : null;
}
