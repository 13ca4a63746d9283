import { publish } from "~/bus.server";
import type { Db } from "~/db.server";
import { apiError } from "~/errors/app-error";
import { endNomination } from "./administer-nomination";
import { grantableRoles } from "./administer-rules";
import { changePerson, leaveAdminKeys, leaveAdminView } from "./administer-store";
import { keepOneOwner, recordAbout, withTarget } from "./administer-target";
import { NOTHING_WITHDRAWN, type Withdrawn, withdraw, withdrawnAuditEvent } from "./left-behind";
import { withdrawProjectKeys } from "./project-keys";
import { endSessionsOf } from "./sessions";
import { type Actor, atLeast, type Role } from "./shared";

/**
 * Gives a person another role, and signs them out everywhere; an owner who steps down keeps the session that they act in.
 * Invitations that the new role could not send are revoked. So are the admin keys that it could not make and whose secret
 * they were told, unless `revokeAdminKeys` is false: then those in their name stay with the organisation, suspended and
 * nobody's. Only owners give a role that is not below their own. Repeating it changes nothing. Returns the role of before
 * (null: nothing has changed) and what ended with it.
 * @throws AppError forbidden, not_found; conflict for the last owner, and for a department admin without a department.
 */
export function setRole(
  db: Db,
  actor: Actor,
  userId: number,
  role: Role,
  { revokeAdminKeys = true } = {},
): Promise<{ before: Role | null; withdrawn: Withdrawn }> {
  return withTarget(db, actor, "role", userId, async (tx, target) => {
    if (!grantableRoles(actor.role).includes(role)) {
      throw apiError("forbidden", { key: "rejections:rolesBelowYours" });
    }
    if (target.role === role) return { before: null, withdrawn: NOTHING_WITHDRAWN };
    if (role === "department_admin" && target.departmentId === null) {
      throw apiError("conflict", { key: "rejections:departmentFirst" });
    }
    await keepOneOwner(tx, target);
    await changePerson(tx, userId, { role });
    await leaveAdminView(tx, userId);
    const withdrawn = await withdraw(tx, actor, userId, { revokeAdminKeys });
    const sessions = await leaveRole(tx, actor, { userId, from: target.role, to: role });
    await publish(tx, "keys");
    await recordAbout(tx, actor, target, {
      action: "user.role",
      before: { role: target.role },
      after: { role, ...(sessions > 0 ? { sessionsEnded: sessions } : {}), ...withdrawnAuditEvent(withdrawn) },
    });
    return { before: target.role, withdrawn };
  });
}

/**
 * Ends what somebody could go on with under the role of before, in the caller's transaction, which publishes "keys": their
 * sessions but the actor's own, admin keys below the rank that makes them, and where they lose rank the place of their keys in
 * projects that only the rank opened to them, and the question whether they pay for their organisation. Returns how many sessions there were.
 */
export async function leaveRole(
  tx: Db,
  actor: Actor,
  { userId, from, to }: { userId: number; from: Role; to: Role },
): Promise<number> {
  if (atLeast(from, "org_admin") && !atLeast(to, "org_admin")) await leaveAdminKeys(tx, userId);
  if (!atLeast(to, from)) {
    await withdrawProjectKeys(tx, actor, userId, { role: to });
    await endNomination(tx, actor, userId);
  }
  return endSessionsOf(tx, userId, actor);
}
