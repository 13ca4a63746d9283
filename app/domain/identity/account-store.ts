import type { Db } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { emailsProve } from "./address-proof";
import type { Role, UserStatus } from "./shared";

/** What signing in needs to know of an account. */
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
  /** Opened by a link that somebody passed on: see `addressSuffices`. */
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

/** How many people an email about an act goes to at most. */
const MAX_NOTIFIED = 50;

/** The owners of the installation, to be told what its other owners do. */
export const findOwners = (db: Db): Promise<Account[]> =>
  db.$queryRaw<Account[]>`
    SELECT ${columns} FROM app_user u WHERE u.role = 'owner' AND u.status = 'active' ORDER BY u.id LIMIT ${MAX_NOTIFIED}`;

/** The administrators of an organisation, and the person who acts on it, to be told what happens there. */
export const administratorsOf = (db: Db, organisationId: number, actorId: number): Promise<Account[]> =>
  db.$queryRaw<Account[]>`
    SELECT ${columns} FROM app_user u
    WHERE u.status = 'active' AND (u.id = ${actorId} OR (u.organisation_id = ${organisationId} AND u.role = 'org_admin'))
    ORDER BY u.id = ${actorId} DESC, u.id LIMIT ${MAX_NOTIFIED}`;

const one = async (rows: Promise<Account[]>): Promise<Account | null> => (await rows)[0] ?? null;

/** Adds an account whose address an email has proven, or a provider where there is no password. */
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

/** Writes the password that came by the link of an email; one that reached its address confirms it. */
export async function writePassword(db: Db, id: number, passwordHash: string): Promise<void> {
  await db.$executeRaw`UPDATE app_user SET password_hash = ${passwordHash} WHERE id = ${id}`;
  if (emailsProve()) await confirmAddress(db, id);
}

export async function confirmAddress(db: Db, id: number): Promise<void> {
  await db.$executeRaw`UPDATE app_user SET email_verified_at = now() WHERE id = ${id} AND email_verified_at IS NULL`;
}

/** Puts a stronger hash of the same password into the place of the one that was just verified. */
export async function replaceHash(db: Db, id: number, before: string, after: string): Promise<void> {
  await db.$executeRaw`UPDATE app_user SET password_hash = ${after} WHERE id = ${id} AND password_hash = ${before}`;
}

/** False: somebody else has this identity. */
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

/** The providers that an account signs in with, such as "idp-a". */
export async function providersOf(db: Db, userId: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ provider: string }[]>`
    SELECT DISTINCT provider FROM external_identity WHERE user_id = ${userId} ORDER BY provider`;
  return rows.map(({ provider }) => provider);
}

/**
 * What people of an organisation are called now, or of any (null), by their numbers. Those who have no name, are elsewhere by now or gone
 * are missing.
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
