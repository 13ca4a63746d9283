import type { Db } from "~/db.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import { grantableRoles } from "./administer-rules";
import {
  countKeysMadeForOthers,
  endOverlaps,
  findMadeAdminKeys,
  findOpenInvites,
  findStand,
  lockKeys,
  type MadeAdminKey,
  type OpenInvite,
  revokeInvites,
  revokeKeys,
  type Stand,
} from "./left-behind-store";
import { type Actor, atLeast, authorOf } from "./shared";

/** What carries somebody's rank on without them. */
export type LeftBehind = {
  /** Admin keys whose secret they were told, or that such a key has made: how many, and the names of the first few. */
  adminKeys: { count: number; names: readonly string[] };
  /** Keys for calls that they have made for others; these go on working. */
  keysForOthers: number;
  openInvites: number;
};

const NAMES_SHOWN = 5;

/**
 * What somebody would leave behind if their rank ended now, as far as the actor reaches. Names are for organisation admins
 * and above.
 */
export async function readLeftBehind(db: Db, actor: Actor, userId: number): Promise<LeftBehind> {
  const [keys, keysForOthers, invites] = await Promise.all([
    findMadeAdminKeys(db, userId),
    countKeysMadeForOthers(db, userId),
    findOpenInvites(db, userId),
  ]);
  const reached = keys.filter((key) => isAccessible(actor, key));
  const names = atLeast(actor.role, "org_admin") ? reached.slice(0, NAMES_SHOWN).map(({ name }) => name) : [];
  return { adminKeys: { count: reached.length, names }, keysForOthers, openInvites: invites.length };
}

export type Withdrawn = { adminKeysRevoked: number; invitesRevoked: number };
export const NOTHING_WITHDRAWN: Withdrawn = { adminKeysRevoked: 0, invitesRevoked: 0 };

/**
 * Ends what carries a person's rank beyond what they have now, in the caller's transaction, which has changed and locked the
 * person and publishes "keys": invitations to roles and places that they could not give any more, and, where asked, admin
 * keys that they could not make any more. Each gets its line in the audit log. Nothing of it comes back by itself.
 */
export async function withdraw(
  tx: Db,
  actor: Actor,
  userId: number,
  { revokeAdminKeys }: { revokeAdminKeys: boolean },
): Promise<Withdrawn> {
  const stand = await findStand(tx, userId);
  const beyond = (await findOpenInvites(tx, userId)).filter((invite) => !couldInvite(stand, invite));
  const revoked = await revokeInvites(
    tx,
    beyond.map(({ id }) => id),
  );
  for (const invite of beyond.filter(({ id }) => revoked.has(id))) await recordInvite(tx, actor, userId, invite);
  const adminKeysRevoked = revokeAdminKeys ? await revokeBeyond(tx, actor, userId, stand) : 0;
  return { adminKeysRevoked, invitesRevoked: revoked.size };
}

/** The parts of an act's `after` that tell of what was withdrawn. */
export const withdrawnAuditEvent = ({ adminKeysRevoked, invitesRevoked }: Withdrawn) => ({
  ...(adminKeysRevoked > 0 ? { adminKeysRevoked } : {}),
  ...(invitesRevoked > 0 ? { invitesRevoked } : {}),
});

async function revokeBeyond(tx: Db, actor: Actor, userId: number, stand: Stand): Promise<number> {
  const find = async () =>
    (await findMadeAdminKeys(tx, userId)).filter((key) => isAccessible(actor, key, userId) && !couldMake(stand, key));
  let keys = await find();
  // A key that is being made by one of them is seen once that one is locked.
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

/** Whether somebody could make an admin key of an organisation. */
const couldMake = ({ status, role, organisationId }: Stand, key: MadeAdminKey): boolean =>
  status === "active" &&
  (atLeast(role, "platform_admin") || (role === "org_admin" && organisationId === key.organisationId));

/** Whether somebody could send an invitation to its role and its place. */
function couldInvite(stand: Stand, invite: OpenInvite): boolean {
  const { status, role, organisationId, departmentId } = stand;
  if (status !== "active" || !grantableRoles(role).includes(invite.role)) return false;
  if (atLeast(role, "platform_admin")) return true;
  if (organisationId !== invite.organisationId) return false;
  return role === "org_admin" || (departmentId !== null && departmentId === invite.departmentId);
}

/** Keys of another organisation are its own business, except of who leaves it themselves. */
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
