import type { Db } from "~/connection/db.server";
import { Prisma } from "~/generated/prisma/client";
import { emailsProve } from "./address-proof";
import type { Role, UserStatus } from "./shared";

/** The fields of an account that sign-in needs. */
export type Account = {
  id: number;
  email: string;
  name: string;
  role: Role;
  status: UserStatus;
  organisationId: number;
  passwordHash: string | null;
  language: string | null;
  verified: boolean;
  /** Opened through a link that the operator passed on: see `addressSuffices`. */
  vouched: boolean;
  lastSeenAt: Date | null;
};

const columns = Prisma.sql`u.id, u.email, u.name, u.role, u.status, u.organisation_id AS "organisationId",
  u.password_hash AS "passwordHash", u.language, u.email_verified_at IS NOT NULL AS verified, u.vouched_at IS NOT NULL AS vouched,
  u.last_seen_at AS "lastSeenAt"`;

export const findAccountByEmail = (db: Db, email: string): Promise<Account | null> =>
  one(db.$queryRaw<Account[]>`SELECT ${columns} FROM app_user u WHERE u.email = ${email} AND u.status <> 'deleted'`);

export const findAccountById = (db: Db, id: number): Promise<Account | null> =>
  one(db.$queryRaw<Account[]>`SELECT ${columns} FROM app_user u WHERE u.id = ${id} AND u.status <> 'deleted'`);

export const findAccountByIdentity = (db: Db, issuer: string, subject: string): Promise<Account | null> =>
  one(db.$queryRaw<Account[]>`
    SELECT ${columns} FROM app_user u JOIN external_identity e ON e.user_id = u.id
    WHERE e.issuer = ${issuer} AND e.subject = ${subject} AND u.status <> 'deleted'`);

/** Maximum recipients of one notification email. */
const MAX_NOTIFIED = 50;

/** Returns the active owners of the installation, who are notified of what other owners do. */
export const findOwners = (db: Db): Promise<Account[]> =>
  db.$queryRaw<Account[]>`
    SELECT ${columns} FROM app_user u WHERE u.role = 'owner' AND u.status = 'active' ORDER BY u.id LIMIT ${MAX_NOTIFIED}`;

/** Returns the active administrators of an organisation and the actor, who are notified of the change. */
export const administratorsOf = (db: Db, organisationId: number, actorId: number): Promise<Account[]> =>
  db.$queryRaw<Account[]>`
    SELECT ${columns} FROM app_user u
    WHERE u.status = 'active' AND (u.id = ${actorId} OR (u.organisation_id = ${organisationId} AND u.role = 'org_admin'))
    ORDER BY u.id = ${actorId} DESC, u.id LIMIT ${MAX_NOTIFIED}`;

const one = async (rows: Promise<Account[]>): Promise<Account | null> => (await rows)[0] ?? null;

/**
 * Adds an account. Its address counts as confirmed if the account has no password, because a provider has verified the
 * address, or if emails reach their addresses. Otherwise the account is marked as vouched for.
 */
export async function insertAccount(
  db: Db,
  account: {
    email: string;
    name: string;
    role: Role;
    organisationId: number;
    passwordHash: string | null;
    language: string | null;
  },
): Promise<{ id: number } | "email_taken"> {
  const { email, name, role, organisationId, passwordHash, language } = account;
  const proven = passwordHash === null || emailsProve();
  const rows = await db.$queryRaw<{ id: number }[]>`
    INSERT INTO app_user (email, name, role, organisation_id, password_hash, language, email_verified_at, vouched_at)
    VALUES (${email}, ${name}, ${role}, ${organisationId}, ${passwordHash}, ${language},
      CASE WHEN ${proven} THEN now() END, CASE WHEN NOT ${proven} THEN now() END)
    ON CONFLICT (email) DO NOTHING RETURNING id`;
  return rows[0] ?? "email_taken";
}

/**
 * Stores a password that was set through an emailed link. If emails reach their addresses, this also confirms the
 * account's address.
 */
export async function writePassword(db: Db, id: number, passwordHash: string): Promise<void> {
  await db.$executeRaw`UPDATE app_user SET password_hash = ${passwordHash} WHERE id = ${id}`;
  if (emailsProve()) await confirmAddress(db, id);
}

export async function confirmAddress(db: Db, id: number): Promise<void> {
  await db.$executeRaw`UPDATE app_user SET email_verified_at = now() WHERE id = ${id} AND email_verified_at IS NULL`;
}

/** Replaces the hash that was just verified with a stronger hash of the same password. */
export async function replaceHash(db: Db, id: number, before: string, after: string): Promise<void> {
  await db.$executeRaw`UPDATE app_user SET password_hash = ${after} WHERE id = ${id} AND password_hash = ${before}`;
}

/** Returns false when the identity belongs to another account. */
export async function insertIdentity(
  db: Db,
  identity: { userId: number; provider: string; issuer: string; subject: string; email: string },
): Promise<boolean> {
  const { userId, provider, issuer, subject, email } = identity;
  const rows = await db.$queryRaw<{ userId: number }[]>`
    INSERT INTO external_identity AS e (user_id, provider, issuer, subject, email, last_used_at)
    VALUES (${userId}, ${provider}, ${issuer}, ${subject}, ${email}, now())
    ON CONFLICT (issuer, subject) DO UPDATE SET email = excluded.email, last_used_at = now() WHERE e.user_id = ${userId}
    RETURNING user_id AS "userId"`;
  return rows.length > 0;
}

export async function markIdentityUsed(db: Db, issuer: string, subject: string, email: string): Promise<void> {
  await db.$executeRaw`
    UPDATE external_identity SET last_used_at = now(), email = ${email} WHERE issuer = ${issuer} AND subject = ${subject}`;
}

/** Returns the providers that an account signs in with, such as "idp-a". */
export async function providersOf(db: Db, userId: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ provider: string }[]>`
    SELECT DISTINCT provider FROM external_identity WHERE user_id = ${userId} ORDER BY provider`;
  return rows.map(({ provider }) => provider);
}

/**
 * Returns the current names of people by id, of one organisation or of all (null). People without a name, and people
 * who are in another organisation or deleted, are missing from the map.
 */
export async function namesOfPeople(
  db: Db,
  ids: readonly number[],
  organisationId: number | null,
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const people = await db.user.findMany({
    where: { id: { in: [...ids] }, name: { not: "" }, ...(organisationId === null ? {} : { organisationId }) },
    select: { id: true, name: true },
  });
  return new Map(people.map(({ id, name }) => [id, name]));
}

/** Locks a person's row until the transaction ends. */
export async function lockPerson(db: Db, id: number): Promise<void> {
  await db.$executeRaw`SELECT 1 FROM app_user WHERE id = ${id} FOR NO KEY UPDATE`;
}

/** Whether a statement failed because another row has the value of a unique column. */
export const isDuplicateKey = (error: unknown): boolean =>
  error instanceof Prisma.PrismaClientKnownRequestError &&
  (error.code === "P2002" || `${error.message}${JSON.stringify(error.meta ?? {})}`.includes("23505"));
