import type { Db } from "~/connection/db.server";

/**
 * Locks a person against suspension, demotion and moves until the transaction ends. The person's own operations run one
 * at a time, so that a continuous series of them cannot delay the operation that ends their access.
 */
export async function lockAuthor(db: Db, id: number): Promise<{ status: string; role: string } | null> {
  const rows = await db.$queryRaw<{ status: string; role: string }[]>`
    SELECT status, role FROM app_user WHERE id = ${id} FOR NO KEY UPDATE`;
  return rows[0] ?? null;
}

/** Locks an organisation against merging and closing until the transaction ends. */
export async function lockOrganisation(db: Db, id: number): Promise<void> {
  await db.$executeRaw`SELECT 1 FROM organisation WHERE id = ${id} FOR SHARE`;
}

type AuthorKey = { status: string; userId: number | null; issuedToId: number | null; ownerStatus: string | null };

/**
 * Locks an admin key against revocation and suspension until the transaction ends. The key's own operations run one at
 * a time.
 */
export async function lockAdminKey(db: Db, id: number): Promise<AuthorKey | null> {
  const rows = await db.$queryRaw<AuthorKey[]>`
    SELECT k.status, k.user_id AS "userId", k.issued_to_id AS "issuedToId", u.status AS "ownerStatus"
      FROM api_key k LEFT JOIN app_user u ON u.id = k.user_id WHERE k.id = ${id} AND k.kind = 'admin' FOR NO KEY UPDATE OF k`;
  return rows[0] ?? null;
}

export type SecretHolder = {
  userId: number;
  email: string;
  name: string;
  role: string;
  status: string;
  organisationId: number;
  departmentId: number | null;
  language: string | null;
};

/** Returns the person who saw the secret of an active admin key; null: no person did. */
export async function findSecretHolder(db: Db, keyId: number): Promise<SecretHolder | null> {
  const rows = await db.$queryRaw<SecretHolder[]>`
    SELECT u.id AS "userId", u.email, u.name, u.role, u.status, u.organisation_id AS "organisationId",
           u.department_id AS "departmentId", u.language
      FROM api_key k JOIN app_user u ON u.id = coalesce(k.issued_to_id, k.user_id)
     WHERE k.id = ${keyId} AND k.kind = 'admin' AND k.status = 'active'`;
  return rows[0] ?? null;
}
