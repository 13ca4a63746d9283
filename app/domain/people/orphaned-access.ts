import type { Db } from "~/connection/db.server";
import { type Actor, atLeast, authorOf } from "~/domain/accounts/shared";
import { recordAuditEvent } from "~/domain/activity/index.server";
import {
  countKeysMadeForOthers,
  endOverlaps,
  findMadeAdminKeys,
  findOpenInvites,
  findRoleSnapshot,
  lockKeys,
  type MadeAdminKey,
  type OpenInvite,
  type RoleSnapshot,
  revokeInvites,
  revokeKeys,
} from "./orphaned-access-store";
import { grantableRoles } from "./rules";

/** Keys and invitations of a person that would outlive the person's rank. */
export type OrphanedAccess = {
  /** Admin keys whose secret they saw, or that such a key has created: the number, and the first few names. */
  adminKeys: { count: number; names: readonly string[] };
  /** Inference keys that they have created for others. These continue to work. */
  keysForOthers: number;
  openInvites: number;
};

const NAMES_SHOWN = 5;

/**
 * Returns the keys and invitations that would remain if a person's rank ended now, within the actor's access. Only
 * organisation admins and above see names.
 */
export async function readOrphanedAccess(db: Db, actor: Actor, userId: number): Promise<OrphanedAccess> {
  const [keys, keysForOthers, invites] = await Promise.all([
    findMadeAdminKeys(db, userId),
    countKeysMadeForOthers(db, userId),
    findOpenInvites(db, userId),
  ]);
  const reached = keys.filter((key) => isAccessible(actor, key));
  const names = atLeast(actor.role, "org_admin") ? reached.slice(0, NAMES_SHOWN).map(({ name }) => name) : [];
  return { adminKeys: { count: reached.length, names }, keysForOthers, openInvites: invites.length };
}

export type RevokedAccess = { adminKeysRevoked: number; invitesRevoked: number };
export const NOTHING_REVOKED: RevokedAccess = { adminKeysRevoked: 0, invitesRevoked: 0 };

/**
 * Revokes access that exceeds a person's current rank: invitations to roles and locations that they could no longer
 * give and, if requested, admin keys that they could no longer create. Runs in the caller's transaction, which has
 * changed and locked the person and publishes "keys". Each one gets an audit event. None of them is restored later.
 */
export async function revokeExcessAccess(
  tx: Db,
  actor: Actor,
  userId: number,
  { revokeAdminKeys }: { revokeAdminKeys: boolean },
): Promise<RevokedAccess> {
  const snapshot = await findRoleSnapshot(tx, userId);
  const exceeding = (await findOpenInvites(tx, userId)).filter((invite) => !couldInvite(snapshot, invite));
  const revoked = await revokeInvites(
    tx,
    exceeding.map(({ id }) => id),
  );
  for (const invite of exceeding.filter(({ id }) => revoked.has(id))) await recordInvite(tx, actor, userId, invite);
  const adminKeysRevoked = revokeAdminKeys ? await revokeExceedingKeys(tx, actor, userId, snapshot) : 0;
  return { adminKeysRevoked, invitesRevoked: revoked.size };
}

/** The fields of an audit event's `after` that report what was revoked. */
export const revokedAuditFields = ({ adminKeysRevoked, invitesRevoked }: RevokedAccess) => ({
  ...(adminKeysRevoked > 0 ? { adminKeysRevoked } : {}),
  ...(invitesRevoked > 0 ? { invitesRevoked } : {}),
});

async function revokeExceedingKeys(tx: Db, actor: Actor, userId: number, snapshot: RoleSnapshot): Promise<number> {
  const find = async () =>
    (await findMadeAdminKeys(tx, userId)).filter(
      (key) => isAccessible(actor, key, userId) && !couldMake(snapshot, key),
    );
  let keys = await find();
  // A key that one of these keys is creating becomes visible once that key is locked.
  for (let locked = -1; locked < keys.length; ) {
    locked = keys.length;
    await lockKeys(
      tx,
      keys.map(({ id }) => id),
    );
    keys = await find();
  }
  const ids = (only: boolean) => keys.filter(({ onlyPrevious }) => onlyPrevious === only).map(({ id }) => id);
  await endOverlaps(tx, ids(true));
  await revokeKeys(tx, ids(false), new Date());
  for (const key of keys) await recordKey(tx, actor, userId, key);
  return keys.length;
}

/** Whether a person could create an admin key of the key's organisation. */
const couldMake = ({ status, role, organisationId }: RoleSnapshot, key: MadeAdminKey): boolean =>
  status === "active" &&
  (atLeast(role, "platform_admin") || (role === "org_admin" && organisationId === key.organisationId));

/** Whether a person could send an invitation to its role and location. */
function couldInvite(snapshot: RoleSnapshot, invite: OpenInvite): boolean {
  const { status, role, organisationId, departmentId } = snapshot;
  if (status !== "active" || !grantableRoles(role).includes(invite.role)) return false;
  if (atLeast(role, "platform_admin")) return true;
  if (organisationId !== invite.organisationId) return false;
  return role === "org_admin" || (departmentId !== null && departmentId === invite.departmentId);
}

/** Keys of another organisation are out of reach, except for a person who leaves it on their own. */
const isAccessible = (actor: Actor, key: MadeAdminKey, userId?: number): boolean =>
  atLeast(actor.role, "platform_admin") || actor.organisationId === key.organisationId || actor.userId === userId;

const recordInvite = (tx: Db, actor: Actor, inviterId: number, invite: OpenInvite): Promise<void> =>
  recordAuditEvent(tx, {
    by: authorOf(actor),
    action: "invite.revoke",
    target: { kind: "invite", id: invite.id, label: invite.email },
    organisationId: invite.organisationId,
    departmentId: invite.departmentId,
    before: { role: invite.role },
    after: { withdrawnWith: inviterId },
  });

const recordKey = (tx: Db, actor: Actor, makerId: number, key: MadeAdminKey): Promise<void> =>
  recordAuditEvent(tx, {
    by: authorOf(actor),
    action: key.onlyPrevious ? "key.update" : "key.revoke",
    target: { kind: "key", id: key.id, label: key.name },
    organisationId: key.organisationId,
    departmentId: key.departmentId,
    subjectUserId: key.userId,
    before: key.onlyPrevious ? { previousSecret: "valid" } : { status: key.status },
    after: { ...(key.onlyPrevious ? { previousSecret: "ended" } : { status: "revoked" }), withdrawnWith: makerId },
  });
