import type { Db } from "~/connection/db.server";
import type { Prisma } from "~/generated/prisma/client";
import type { InviteDelivery } from "../shared";

export const findInvitedDepartment = (db: Db, organisationId: number, id: number) =>
  db.department.findFirst({ where: { organisationId, id }, select: { id: true, name: true } });

/** Returns whether an address belongs to a person of the organisation. */
export const isMemberAddress = async (db: Db, organisationId: number, email: string): Promise<boolean> =>
  (await db.user.findFirst({ where: { email, organisationId, status: { not: "deleted" } }, select: { id: true } })) !==
  null;

/** Returns the open invitations of an address to an organisation. */
export const findEarlier = (db: Db, organisationId: number, email: string) =>
  db.invite.findMany({
    where: { organisationId, email, acceptedAt: null, revokedAt: null },
    select: { id: true, role: true, departmentId: true, expiresAt: true },
  });

/** Revokes those of the invitations that are still open. */
export async function revokeInviteRows(db: Db, ids: readonly number[]): Promise<number> {
  const { count } = await db.invite.updateMany({
    where: { id: { in: [...ids] }, acceptedAt: null, revokedAt: null },
    data: { revokedAt: new Date() },
  });
  return count;
}

/**
 * Locks the inviter against suspension, demotion and moves until the transaction ends. Operations of one inviter run
 * one at a time.
 */
export async function lockInviter(
  db: Db,
  id: number,
): Promise<{ status: string; role: string; organisationId: number; departmentId: number | null } | null> {
  const rows = await db.$queryRaw<
    { status: string; role: string; organisationId: number; departmentId: number | null }[]
  >`SELECT status, role, organisation_id AS "organisationId", department_id AS "departmentId"
      FROM app_user WHERE id = ${id} FOR NO KEY UPDATE`;
  return rows[0] ?? null;
}

/** Replaces the token of an open invitation, whose link is then passed on by hand. Returns false when it has ended. */
export async function replaceToken(
  db: Db,
  id: number,
  fresh: { tokenHash: Uint8Array<ArrayBuffer>; expiresAt: Date },
): Promise<boolean> {
  const { count } = await db.invite.updateMany({
    where: { id, acceptedAt: null, revokedAt: null, expiresAt: { gt: new Date() } },
    data: { ...fresh, delivery: "operator" },
  });
  return count > 0;
}

export const insertInvite = (
  db: Db,
  invite: {
    organisationId: number;
    departmentId: number | null;
    email: string;
    role: string;
    tokenHash: Uint8Array<ArrayBuffer>;
    invitedById: number;
    delivery: InviteDelivery;
    expiresAt: Date;
  },
): Promise<{ id: number; expiresAt: Date }> =>
  db.invite.create({ data: invite, select: { id: true, expiresAt: true } });

const inviteFields = {
  id: true,
  email: true,
  role: true,
  organisationId: true,
  departmentId: true,
  invitedById: true,
  delivery: true,
  createdAt: true,
  expiresAt: true,
  acceptedAt: true,
  revokedAt: true,
  organisation: { select: { name: true, brandName: true, closedAt: true } },
  department: { select: { name: true } },
} as const satisfies Prisma.InviteSelect;
export type InviteRow = Prisma.InviteGetPayload<{ select: typeof inviteFields }>;

export type InviteScope = { organisationId?: number; departmentId?: number };

/** Returns invitations, newest first. */
export const findInvites = (
  db: Db,
  page: { accessScope: InviteScope; pendingOnly: boolean; beforeId: number | null; limit: number; now: Date },
): Promise<InviteRow[]> =>
  db.invite.findMany({
    where: {
      ...page.accessScope,
      organisation: { closedAt: null },
      ...(page.beforeId === null ? {} : { id: { lt: page.beforeId } }),
      ...(page.pendingOnly ? { acceptedAt: null, revokedAt: null, expiresAt: { gt: page.now } } : {}),
    },
    orderBy: { id: "desc" },
    take: page.limit,
    select: inviteFields,
  });

export const findInvite = (db: Db, accessScope: InviteScope, id: number): Promise<InviteRow | null> =>
  db.invite.findFirst({ where: { id, ...accessScope }, select: inviteFields });

export const findInviteByToken = (db: Db, tokenHash: Uint8Array<ArrayBuffer>): Promise<InviteRow | null> =>
  db.invite.findFirst({ where: { tokenHash }, select: inviteFields });

/** Returns false when it had already ended. */
export async function revokeInviteRow(db: Db, id: number): Promise<boolean> {
  const { count } = await db.invite.updateMany({
    where: { id, acceptedAt: null, revokedAt: null },
    data: { revokedAt: new Date() },
  });
  return count > 0;
}

export type RedeemedInvite = {
  id: number;
  email: string;
  role: string;
  organisation_id: number;
  department_id: number | null;
  delivery: string;
};

/** Redeems an invitation, in one statement: of concurrent requests one succeeds. Null: it cannot be used. */
export async function redeemInvite(db: Db, tokenHash: Uint8Array<ArrayBuffer>): Promise<RedeemedInvite | null> {
  const rows = await db.$queryRaw<RedeemedInvite[]>`
    UPDATE invite i SET accepted_at = now() FROM organisation o
     WHERE i.token_hash = ${tokenHash} AND i.accepted_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > now()
       AND o.id = i.organisation_id AND o.closed_at IS NULL
    RETURNING i.id, i.email, i.role, i.organisation_id, i.department_id, i.delivery`;
  return rows[0] ?? null;
}

export async function markAcceptedBy(db: Db, id: number, userId: number): Promise<void> {
  await db.invite.update({ where: { id }, data: { acceptedById: userId }, select: { id: true } });
}

/** Returns the names of inviters, by id. */
export async function findInviterNames(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await db.user.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, name: true, email: true },
  });
  return new Map(rows.map(({ id, name, email }) => [id, name === "" ? email : name]));
}
