import { createHash, randomBytes } from "node:crypto";
import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { emailsProve, rateLimitEmailTo } from "~/domain/accounts/index.server";
import { type Actor, atLeast, authorOf, type Role } from "~/domain/accounts/shared";
import { recordAuditEvent } from "~/domain/activity/index.server";
import { grantableRoles } from "~/domain/people/index.server";
import { apiError } from "~/errors/app-error";
import { lockOrganisations } from "../organisation-store";
import { requireAccessibleOrganisation } from "../require-accessible";
import { INVITE_DAYS, type InviteDelivery, type InviteStatus, type InviteView } from "../shared";
import {
  findEarlier,
  findInvite,
  findInvitedDepartment,
  findInviterNames,
  findInvites,
  type InviteRow,
  type InviteScope,
  insertInvite,
  isMemberAddress,
  lockInviter,
  replaceToken,
  revokeInviteRow,
  revokeInviteRows,
} from "./invite-store";

/** Returns the stored form of a link's token. A fast hash is sufficient, because 256 random bits cannot be guessed. */
export const hashOfToken = (token: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash("sha256").update(token).digest());

export type NewInvite = { email: string; role: Role; organisationId?: number; departmentId?: number | null };

/**
 * Invites a person by e-mail address, with a role below the actor's own. Organisation admins invite into their
 * organisation, department admins into their department. An earlier invitation of the same address ends. Returns the
 * link's token for the caller to send; it is not stored. `delivery` states whether the link is emailed to the address.
 * The link is shown only to owners and platform admins, and never if it was emailed.
 * @throws AppError forbidden; not_found for a foreign organisation or department; conflict for a member, for a
 *   department admin without a department, and for an address that a person of higher rank has invited;
 *   rate_limit_exceeded for too many emails to one address.
 */
export async function createInvite(
  db: Db,
  actor: Actor,
  invite: NewInvite,
): Promise<{
  id: number;
  token: string;
  delivery: InviteDelivery;
  expiresAt: Date;
  organisationId: number;
  organisation: string;
}> {
  if (!grantableRoles(actor.role).includes(invite.role) || invite.role === "owner") {
    throw apiError("forbidden", { key: "rejections:inviteBelowYours" });
  }
  const { email, role } = invite;
  return inTransaction(db, async (tx) => {
    const location = locationOf(actor, invite);
    // Of two concurrent invitations of one address, the second revokes the first.
    await lockOrganisations(tx, [location.organisationId]);
    await requireUnchanged(tx, actor);
    const organisation = await requireAccessibleOrganisation(tx, actor, location.organisationId, "department_admin");
    const { departmentId } = location;
    if (departmentId !== null && (await findInvitedDepartment(tx, organisation.id, departmentId)) === null) {
      throw apiError("not_found", { key: "rejections:noDepartmentHere" });
    }
    if (role === "department_admin" && departmentId === null) {
      throw apiError("conflict", { key: "rejections:chooseDepartment", param: "department_id" });
    }
    if (await isMemberAddress(tx, organisation.id, email)) {
      throw apiError("conflict", { key: "rejections:alreadyMember", param: "email" });
    }
    await rateLimitEmailTo(tx, actor, email);
    const replaced = await replaceEarlier(tx, actor, organisation.id, email);
    const token = randomBytes(32).toString("base64url");
    const delivery = emailsProve() ? "mail" : "operator";
    const { id, expiresAt } = await insertInvite(tx, {
      organisationId: organisation.id,
      departmentId,
      email,
      role,
      tokenHash: hashOfToken(token),
      invitedById: actor.userId,
      delivery,
      expiresAt: endOfNewLink(),
    });
    await recordAuditEvent(tx, {
      by: authorOf(actor),
      action: "invite.create",
      target: { kind: "invite", id, label: email },
      organisationId: organisation.id,
      departmentId,
      after: { role, departmentId, ...(replaced > 0 ? { replacedEarlier: replaced } : {}) },
    });
    const { id: organisationId, name, brandName } = organisation;
    return { id, token, delivery, expiresAt, organisationId, organisation: brandName ?? name };
  });
}

/**
 * Returns invitations in the actor's access scope, newest first.
 * @throws AppError forbidden below department admin
 */
export async function listInvites(
  db: Db,
  actor: Actor,
  query: { pendingOnly: boolean; beforeId: number | null; limit: number },
): Promise<{ invites: InviteView[]; nextBeforeId: number | null }> {
  const now = new Date();
  const accessScope = accessScopeOf(actor, actor.adminOrganisationId);
  const matches = await findInvites(db, { ...query, accessScope, limit: query.limit + 1, now });
  const rows = matches.slice(0, query.limit);
  const names = await findInviterNames(
    db,
    rows.flatMap(({ invitedById }) => (invitedById === null ? [] : [invitedById])),
  );
  return {
    invites: rows.map((row) => viewOf(row, names, now)),
    nextBeforeId: matches.length > rows.length ? (rows.at(-1)?.id ?? null) : null,
  };
}

/**
 * Returns one invitation in the actor's access scope.
 * @throws AppError forbidden below department admin; not_found, the same for a foreign and a missing one
 */
export async function inviteById(db: Db, actor: Actor, inviteId: number): Promise<InviteView> {
  const invite = await findInvite(db, accessScopeOf(actor, null), inviteId);
  if (invite === null) throw apiError("not_found", { key: "rejections:noInvite" });
  const names = await findInviterNames(db, invite.invitedById === null ? [] : [invite.invitedById]);
  return viewOf(invite, names, new Date());
}

/**
 * Revokes a pending invitation. Repeating it changes nothing.
 * @throws AppError forbidden; not_found, the same for a foreign and a missing one; conflict when it has been accepted.
 */
export async function revokeInvite(db: Db, actor: Actor, inviteId: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    const invite = await findInvite(tx, accessScopeOf(actor, null), inviteId);
    if (invite === null) throw apiError("not_found", { key: "rejections:noInvite" });
    if (!grantableRoles(actor.role).includes(invite.role as Role)) throw apiError("forbidden");
    if (!(await revokeInviteRow(tx, inviteId))) {
      if (invite.revokedAt !== null) return;
      throw apiError("conflict", { key: "rejections:inviteAccepted" });
    }
    await recordAuditEvent(tx, {
      by: authorOf(actor),
      action: "invite.revoke",
      target: { kind: "invite", id: inviteId, label: invite.email },
      organisationId: invite.organisationId,
      departmentId: invite.departmentId,
      before: { role: invite.role },
    });
  });
}

/**
 * Creates a new link for an open invitation, which an owner or platform admin passes on by hand; the earlier link ends.
 * The token is not stored, and an account that it opens has an unconfirmed address.
 * @throws AppError forbidden; not_found; conflict when the invitation has ended.
 */
export async function passOnInvite(
  db: Db,
  actor: Actor,
  inviteId: number,
): Promise<{ token: string; email: string; expiresAt: Date; organisationId: number }> {
  if (!atLeast(actor.role, "platform_admin")) throw apiError("forbidden");
  return inTransaction(db, async (tx) => {
    const invite = await findInvite(tx, {}, inviteId);
    if (invite === null) throw apiError("not_found", { key: "rejections:noInvite" });
    if (!grantableRoles(actor.role).includes(invite.role as Role)) throw apiError("forbidden");
    const token = randomBytes(32).toString("base64url");
    const expiresAt = endOfNewLink();
    const isEnded = statusOf(invite, new Date()) !== "pending";
    if (isEnded || !(await replaceToken(tx, inviteId, { tokenHash: hashOfToken(token), expiresAt }))) {
      throw apiError("conflict", { key: "problems:inviteEnded" });
    }
    await recordAuditEvent(tx, {
      by: authorOf(actor),
      action: "invite.link",
      target: { kind: "invite", id: inviteId, label: invite.email },
      organisationId: invite.organisationId,
      departmentId: invite.departmentId,
      before: { delivery: invite.delivery },
      after: { delivery: "operator" },
    });
    return { token, email: invite.email, expiresAt, organisationId: invite.organisationId };
  });
}

const endOfNewLink = () => new Date(Date.now() + INVITE_DAYS * 86_400_000);

/** Rejects the invitation if the actor was suspended, demoted or moved after the request was authenticated. */
async function requireUnchanged(tx: Db, actor: Actor): Promise<void> {
  const now = await lockInviter(tx, actor.userId);
  if (now?.status !== "active") throw apiError("forbidden");
  const { role, organisationId, departmentId } = actor;
  const isHome = now.organisationId === organisationId;
  // Through an admin key even an owner acts as organisation admin.
  const same =
    actor.adminKey === undefined
      ? now.role === role && isHome && now.departmentId === departmentId
      : atLeast(now.role as Role, isHome ? "org_admin" : "platform_admin");
  if (!same) throw apiError("forbidden");
}

/**
 * Revokes the earlier invitations of an address. @throws AppError conflict when the actor may not revoke one of them
 */
async function replaceEarlier(tx: Db, actor: Actor, organisationId: number, email: string): Promise<number> {
  const earlier = await findEarlier(tx, organisationId, email);
  const mayEnd = ({ role, departmentId }: (typeof earlier)[number]) =>
    grantableRoles(actor.role).includes(role as Role) &&
    (atLeast(actor.role, "org_admin") || departmentId === actor.departmentId);
  if (earlier.some((invite) => invite.expiresAt > new Date() && !mayEnd(invite))) {
    throw apiError("conflict", {
      key: "problems:invitedByHigher",
      param: "email",
    });
  }
  return revokeInviteRows(
    tx,
    earlier.map(({ id }) => id),
  );
}

export function statusOf(row: InviteRow, now: Date): InviteStatus {
  if (row.acceptedAt !== null) return "accepted";
  if (row.revokedAt !== null || row.organisation.closedAt !== null) return "revoked";
  return row.expiresAt <= now ? "expired" : "pending";
}

function viewOf(row: InviteRow, names: ReadonlyMap<number, string>, now: Date): InviteView {
  const { id, email, role, organisationId, departmentId, createdAt, expiresAt } = row;
  return {
    id,
    email,
    role: role as Role,
    organisationId,
    organisation: row.organisation.name,
    departmentId,
    department: row.department?.name ?? null,
    invitedBy: row.invitedById === null ? null : (names.get(row.invitedById) ?? null),
    status: statusOf(row, now),
    delivery: row.delivery === "mail" ? "mail" : "operator",
    createdAt,
    expiresAt,
  };
}

function locationOf(actor: Actor, invite: NewInvite): { organisationId: number; departmentId: number | null } {
  const departmentId = invite.departmentId ?? null;
  if (atLeast(actor.role, "platform_admin")) {
    return { organisationId: invite.organisationId ?? actor.adminOrganisationId ?? actor.organisationId, departmentId };
  }
  const organisationId = invite.organisationId ?? actor.organisationId;
  if (atLeast(actor.role, "org_admin")) return { organisationId, departmentId };
  // A department admin has access to their own department only. Another department of the organisation is not_found,
  // like a foreign one.
  if (actor.departmentId === null) throw apiError("conflict", { key: "rejections:adminOfNoDepartment" });
  if (departmentId !== null && departmentId !== actor.departmentId) {
    throw apiError("not_found", { key: "rejections:noDepartmentHere" });
  }
  return { organisationId, departmentId: actor.departmentId };
}

function accessScopeOf(actor: Actor, onlyOrganisationId: number | null): InviteScope {
  const { role, organisationId, departmentId } = actor;
  if (!atLeast(role, "department_admin")) throw apiError("forbidden");
  if (atLeast(role, "platform_admin")) return onlyOrganisationId === null ? {} : { organisationId: onlyOrganisationId };
  return role === "org_admin" ? { organisationId } : { organisationId, departmentId: departmentId ?? 0 };
}
