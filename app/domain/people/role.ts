import { publish } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { endSessionsOf, recordAbout } from "~/domain/accounts/index.server";
import { type Actor, atLeast, type Role } from "~/domain/accounts/shared";
import { endNomination } from "~/domain/payers/index.server";
import { apiError } from "~/errors/app-error";
import { NOTHING_REVOKED, type RevokedAccess, revokedAuditFields, revokeExcessAccess } from "./orphaned-access";
import { withdrawProjectKeys } from "./project-keys";
import { grantableRoles } from "./rules";
import { changePerson, leaveAdminKeys, leaveAdminView } from "./store";
import { requireOtherOwner, withTarget } from "./target";

/**
 * Changes a person's role and signs them out everywhere; an owner who steps down keeps their current session.
 * Invitations that the new role could not send are revoked. Admin keys that the new role could not create and whose
 * secret they saw are revoked too; if `revokeAdminKeys` is false, those in their name remain with the organisation,
 * suspended and without an owner. Only owners can give their own role. Repeating it changes nothing. Returns the
 * previous role (null: nothing changed) and what was revoked.
 * @throws AppError forbidden, not_found; conflict for the last owner, and for a department admin without a department.
 */
export function setRole(
  db: Db,
  actor: Actor,
  userId: number,
  role: Role,
  { revokeAdminKeys = true } = {},
): Promise<{ before: Role | null; withdrawn: RevokedAccess }> {
  return withTarget(db, actor, "role", userId, async (tx, target) => {
    if (!grantableRoles(actor.role).includes(role)) {
      throw apiError("forbidden", { key: "rejections:rolesBelowYours" });
    }
    if (target.role === role) return { before: null, withdrawn: NOTHING_REVOKED };
    if (role === "department_admin" && target.departmentId === null) {
      throw apiError("conflict", { key: "rejections:departmentFirst" });
    }
    await requireOtherOwner(tx, target);
    await changePerson(tx, userId, { role });
    await leaveAdminView(tx, userId);
    const withdrawn = await revokeExcessAccess(tx, actor, userId, { revokeAdminKeys });
    const sessions = await leaveRole(tx, actor, { userId, from: target.role, to: role });
    await publish(tx, "keys");
    await recordAbout(tx, actor, target, {
      action: "user.role",
      before: { role: target.role },
      after: { role, ...(sessions > 0 ? { sessionsEnded: sessions } : {}), ...revokedAuditFields(withdrawn) },
    });
    return { before: target.role, withdrawn };
  });
}

/**
 * Ends access that depended on the previous role, in the caller's transaction, which publishes "keys". Sessions end,
 * except the actor's own. Below organisation admin, the person's admin keys are suspended. On a loss of rank, their
 * keys leave projects that only the rank opened to them, and a request that they pay for their organisation is
 * withdrawn. Returns the number of ended sessions.
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
