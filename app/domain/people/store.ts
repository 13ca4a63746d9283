import type { Db } from "~/connection/db.server";
import type { Prisma } from "~/generated/prisma/client";
import type { AccessScope } from "./rules";

const targetFields = {
  id: true,
  email: true,
  name: true,
  role: true,
  status: true,
  organisationId: true,
  departmentId: true,
  billingExempt: true,
  billingMode: true,
  organisation: { select: { name: true, billingExempt: true, billingUserId: true } },
} as const satisfies Prisma.UserSelect;
export type TargetRow = Prisma.UserGetPayload<{ select: typeof targetFields }>;

const whereAccessible = (accessScope: AccessScope): Prisma.UserWhereInput => {
  if (accessScope.kind === "everything") return {};
  const { organisationId } = accessScope;
  return accessScope.kind === "organisation"
    ? { organisationId }
    : { organisationId, departmentId: accessScope.departmentId };
};

export const findTarget = (db: Db, accessScope: AccessScope, id: number): Promise<TargetRow | null> =>
  db.user.findFirst({ where: { ...whereAccessible(accessScope), id }, select: targetFields });

/** Locks the rows of all owners, in one order to avoid deadlocks. */
export async function lockOwners(db: Db): Promise<void> {
  await db.$executeRaw`SELECT 1 FROM app_user WHERE role = 'owner' ORDER BY id FOR NO KEY UPDATE`;
}

export const countOtherOwners = (db: Db, exceptId: number): Promise<number> =>
  db.user.count({ where: { role: "owner", status: "active", id: { not: exceptId } } });

export type PersonChange = {
  role?: string;
  status?: string;
  departmentId?: number | null;
  organisationId?: number;
  billingExempt?: boolean;
  billingMode?: string;
};

export async function changePerson(db: Db, id: number, change: PersonChange): Promise<void> {
  await db.user.update({ where: { id }, data: change, select: { id: true } });
}

/** Signs a person out everywhere, and ends the links that would sign them in. */
export async function endSessions(db: Db, userId: number): Promise<number> {
  const { count } = await db.session.deleteMany({ where: { userId } });
  await db.oneTimeToken.updateMany({ where: { userId, usedAt: null }, data: { usedAt: new Date() } });
  return count;
}

type Named = { id: number; name: string };

/** Returns a department of an organisation and locks it against deletion until the transaction ends. */
export async function findDepartment(db: Db, organisationId: number, id: number): Promise<Named | null> {
  const rows = await db.$queryRaw<Named[]>`
    SELECT id, name FROM department WHERE id = ${id} AND organisation_id = ${organisationId} FOR KEY SHARE`;
  return rows[0] ?? null;
}

/** Returns an open organisation and locks it against closing until the transaction ends. */
export async function findOpenOrganisation(db: Db, id: number): Promise<Named | null> {
  const rows = await db.$queryRaw<Named[]>`
    SELECT id, name FROM organisation WHERE id = ${id} AND closed_at IS NULL FOR SHARE`;
  return rows[0] ?? null;
}

/** Moves the person's keys from one department to another. */
export async function moveKeysToDepartment(
  db: Db,
  userId: number,
  from: number | null,
  to: number | null,
): Promise<number> {
  const { count } = await db.apiKey.updateMany({ where: { userId, departmentId: from }, data: { departmentId: to } });
  return count;
}

/** Moves the person's keys to another organisation, outside its departments and projects. Admin keys remain. */
export async function moveKeysToOrganisation(db: Db, userId: number, organisationId: number): Promise<void> {
  await leaveAdminKeys(db, userId);
  await db.apiKey.updateMany({ where: { userId }, data: { organisationId, departmentId: null, projectId: null } });
}

/**
 * Suspends the person's admin keys and leaves them with the organisation, without an owner: a person who no longer
 * administers it knows the secret.
 */
export async function leaveAdminKeys(db: Db, userId: number): Promise<void> {
  await db.apiKey.updateMany({
    where: { userId, kind: "admin", status: { not: "revoked" } },
    data: { status: "suspended" },
  });
  await db.apiKey.updateMany({ where: { userId, kind: "admin" }, data: { userId: null } });
}

export async function leaveAdminView(db: Db, userId: number): Promise<void> {
  await db.session.updateMany({ where: { userId }, data: { adminMode: false, adminOrganisationId: null } });
}

export const revokeKeysOf = (db: Db, userId: number, now: Date) =>
  db.apiKey.updateMany({
    where: { userId, status: { not: "revoked" } },
    data: { status: "revoked", revokedAt: now, previousHmac: null, previousValidUntil: null },
  });

/** Replaces a person's data with a pseudonym. The row remains because the ledger and the audit log refer to it. */
export async function erasePerson(
  db: Db,
  person: { id: number; email: string; name: string; pseudonym: string; address: string },
): Promise<void> {
  const { id: userId, email, name, pseudonym, address } = person;
  await db.externalIdentity.deleteMany({ where: { userId } });
  await db.oneTimeToken.deleteMany({ where: { userId } });
  await db.legalAcceptance.updateMany({ where: { userId }, data: { address: "" } });
  await db.invite.updateMany({ where: { OR: [{ acceptedById: userId }, { email }] }, data: { email: address } });
  await db.user.update({
    where: { id: userId },
    data: {
      email: address,
      name: pseudonym,
      status: "deleted",
      passwordHash: null,
      departmentId: null,
      language: null,
      timeZone: null,
      onboarding: {},
      hiddenHelp: [],
      autorouter: null,
      autorouterDefault: null,
      lastSeenAt: null,
    },
    select: { id: true },
  });
  await db.$queryRaw`SELECT act_pseudonymise(${userId}::int, ${email}, ${name}, ${pseudonym})`;
}

export type StopsRow = { active_keys: bigint; sessions: bigint; projects: bigint };

/** Counts what depends on a person at present. */
export async function countWhatStops(db: Db, userId: number): Promise<StopsRow> {
  const [row] = await db.$queryRaw<StopsRow[]>`
    SELECT (SELECT count(*) FROM api_key WHERE user_id = ${userId} AND status = 'active' AND kind = 'inference'
              AND (expires_at IS NULL OR expires_at > now())) AS active_keys,
           (SELECT count(*) FROM session WHERE user_id = ${userId} AND expires_at > now()) AS sessions,
           (SELECT count(*) FROM project_member WHERE user_id = ${userId}) AS projects`;
  return row!;
}

/**
 * Returns the number of people for whom a wallet pays as their organisation's billing user; 0: they are not the billing
 * user.
 */
export async function countPaidFor(db: Db, userId: number): Promise<number> {
  const [row] = await db.$queryRaw<{ n: bigint }[]>`
    SELECT count(*) AS n FROM organisation o JOIN app_user u ON u.organisation_id = o.id AND u.status <> 'deleted'
     WHERE o.billing_user_id = ${userId} AND o.closed_at IS NULL`;
  return Number(row!.n);
}

/**
 * Adds an invited person. An invitation that was passed on by hand does not prove the address, so the account is marked
 * as vouched for.
 */
export function insertInvitedPerson(
  db: Db,
  {
    proven,
    ...person
  }: {
    email: string;
    name: string;
    organisationId: number;
    departmentId: number | null;
    role: string;
    passwordHash: string;
    language: string | null;
    proven: boolean;
  },
): Promise<{ id: number }> {
  const now = new Date();
  const trust = proven ? { emailVerifiedAt: now } : { vouchedAt: now };
  return db.user.create({ data: { ...person, ...trust }, select: { id: true } });
}

export const findByEmail = (db: Db, email: string) => db.user.findUnique({ where: { email }, select: targetFields });
