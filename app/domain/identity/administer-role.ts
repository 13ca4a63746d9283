import { announce } from "~/bus.server";
import type { Db } from "~/db.server";
import { refusal } from "~/errors/app-error";
import { grantableRoles } from "./administer-rules";
import { changePerson, leaveAdminView } from "./administer-store";
import { keepOneOwner, recordAbout, withTarget } from "./administer-target";
import { endSessionsOf } from "./sessions";
import type { Actor, Role } from "./shared";

/**
 * Gives a person another role, and signs them out everywhere; an owner who steps down keeps the session that they act in.
 * Only owners give a role that is not below their own. Repeating it changes nothing.
 * @throws AppError forbidden, not_found; conflict for the last owner, and for a department admin without a department.
 */
export function setRole(db: Db, actor: Actor, userId: number, role: Role): Promise<void> {
  return withTarget(db, actor, "role", userId, async (tx, target) => {
    if (!grantableRoles(actor.role).includes(role)) {
      throw refusal("forbidden", { human: "You can give only roles below your own." });
    }
    if (target.role === role) return;
    if (role === "department_admin" && target.departmentId === null) {
      throw refusal("conflict", { human: "Put this person into a department before you make them its admin." });
    }
    await keepOneOwner(tx, target);
    await changePerson(tx, userId, { role });
    await leaveAdminView(tx, userId);
    const sessions = await endSessionsOf(tx, userId, actor);
    await announce(tx, "keys");
    await recordAbout(tx, actor, target, {
      action: "user.role",
      before: { role: target.role },
      after: { role, ...(sessions > 0 ? { sessionsEnded: sessions } : {}) },
    });
  });
}
