import type { Db } from "~/connection/db.server";
import type { Prisma } from "~/generated/prisma/client";

export const findOwnAccount = (db: Db, userId: number) =>
  db.user.findUniqueOrThrow({
    where: { id: userId },
    select: {
      email: true,
      name: true,
      role: true,
      language: true,
      timeZone: true,
      passwordHash: true,
      emailVerifiedAt: true,
      termsVersion: true,
      termsAcceptedAt: true,
      createdAt: true,
      onboarding: true,
      organisation: { select: { name: true } },
      department: { select: { name: true } },
      externalIdentities: {
        select: { id: true, provider: true, issuer: true, email: true, createdAt: true, lastUsedAt: true },
        orderBy: { id: "asc" },
      },
      legalAcceptances: {
        select: { document: true, version: true, acceptedAt: true },
        orderBy: [{ acceptedAt: "desc" }, { document: "asc" }],
        take: 100,
      },
    },
  });

export async function changeOwnRow(db: Db, userId: number, data: Prisma.UserUpdateInput): Promise<void> {
  await db.user.update({ where: { id: userId }, data, select: { id: true } });
}

/** Returns the number of deleted identities: 0 or 1. */
export async function deleteIdentity(db: Db, userId: number, id: number): Promise<number> {
  return (await db.externalIdentity.deleteMany({ where: { id, userId } })).count;
}

export const findPreferences = (db: Db, userId: number) =>
  db.user.findUniqueOrThrow({ where: { id: userId }, select: { timeZone: true, onboarding: true } });

/** Returns whether an organisation has more than one active person. */
export async function hasSeveralPeople(db: Db, organisationId: number): Promise<boolean> {
  const people = await db.user.findMany({
    where: { organisationId, status: "active" },
    select: { id: true },
    take: 2,
  });
  return people.length > 1;
}

/** Returns the actor's preferences for their keys and pages. */
export const findOwnChoices = (db: Db, userId: number) =>
  db.user.findUniqueOrThrow({
    where: { id: userId },
    select: { autorouter: true, autorouterDefault: true, hiddenHelp: true },
  });
