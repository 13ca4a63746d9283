import { inTransaction, publish } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { endSessionsOf, recordAbout } from "~/domain/accounts/index.server";
import { type Actor, atLeast, type Role } from "~/domain/accounts/shared";
import { endNomination, takeWalletAlong } from "~/domain/payers/index.server";
import { apiError } from "~/errors/app-error";
import { NOTHING_REVOKED, type RevokedAccess, revokedAuditFields, revokeExcessAccess } from "./orphaned-access";
import { leaveProjects } from "./project-keys";
import { refusePayer } from "./status";
import {
  changePerson,
  findDepartment,
  findOpenOrganisation,
  leaveAdminView,
  moveKeysToDepartment,
  moveKeysToOrganisation,
} from "./store";
import { requireOperation, type Target, withTarget } from "./target";

/**
 * Moves a person into a department of their organisation, or out of every department; their keys move with them. A
 * department admin's open invitations into the old department are revoked.
 * @throws AppError forbidden, not_found (person or department); conflict for removing a department admin from every
 *   department.
 */
export function setDepartment(
  db: Db,
  actor: Actor,
  userId: number,
  departmentId: number | null,
): Promise<RevokedAccess> {
  return withTarget(db, actor, "department", userId, async (tx, target) => {
    if (target.departmentId === departmentId) return NOTHING_REVOKED;
    const department = departmentId === null ? null : await findDepartment(tx, target.organisationId, departmentId);
    if (departmentId !== null && department === null) {
      throw apiError("not_found", { key: "rejections:noDepartmentOfPerson" });
    }
    if (departmentId === null && target.role === "department_admin") {
      throw apiError("conflict", { key: "rejections:adminNeedsDepartment" });
    }
    await changePerson(tx, userId, { departmentId });
    const keysMoved = await moveKeysToDepartment(tx, userId, target.departmentId, departmentId);
    const withdrawn = await revokeExcessAccess(tx, actor, userId, { revokeAdminKeys: false });
    await publish(tx, "keys");
    await recordAbout(tx, actor, target, {
      action: "user.department",
      before: { departmentId: target.departmentId },
      after: { departmentId, department: department?.name ?? null, keysMoved, ...revokedAuditFields(withdrawn) },
    });
    return withdrawn;
  });
}

/**
 * Moves a person to another organisation with their inference keys, wallet, credit and budgets. Their open invitations
 * into the old organisation are revoked. Its admin keys whose secret they saw are revoked too; if `revokeAdminKeys` is
 * false, those in their name remain there, suspended. A role within the old organisation becomes `member`, and a person
 * whose role changes is signed out.
 * @throws AppError forbidden, not_found (person or organisation); conflict for a person who pays for the old
 *   organisation.
 */
export function setOrganisation(
  db: Db,
  actor: Actor,
  userId: number,
  organisationId: number,
  { revokeAdminKeys = true } = {},
): Promise<RevokedAccess> {
  requireOperation(actor, "org");
  return inTransaction(db, async (tx) => {
    // Locked before the person, as merging and closing an organisation do.
    const organisation = await findOpenOrganisation(tx, organisationId);
    return withTarget(tx, actor, "org", userId, async (_, target) => {
      if (organisation === null) throw apiError("not_found", { key: "rejections:noOrganisation" });
      if (target.organisationId === organisationId) return NOTHING_REVOKED;
      const { role, withdrawn } = await movePerson(tx, actor, target, { organisationId, revokeAdminKeys });
      await recordAbout(tx, actor, target, {
        action: "user.organisation",
        before: { organisationId: target.organisationId, organisation: target.organisation.name, role: target.role },
        after: { organisationId, organisation: organisation.name, role, ...revokedAuditFields(withdrawn) },
      });
      // The audit log of the new organisation has an event too.
      const arrived = { ...target, organisationId, departmentId: null };
      await recordAbout(tx, actor, arrived, { action: "user.join", before: {}, after: { role } });
      return withdrawn;
    });
  });
}

/**
 * Performs every part of a move to another organisation, in the caller's transaction. Returns the new role and what was
 * revoked.
 * @throws AppError conflict for a person who pays for the old organisation, or who leaves it on their own with a debt.
 */
export async function movePerson(
  tx: Db,
  actor: Actor,
  target: Target,
  to: { organisationId: number; departmentId?: number | null; role?: Role; revokeAdminKeys: boolean },
): Promise<{ role: Role; withdrawn: RevokedAccess }> {
  await refusePayer(tx, target.id);
  await endNomination(tx, actor, target.id);
  const isRetained = atLeast(target.role, "platform_admin") || !atLeast(target.role, "department_admin");
  const role = to.role ?? (isRetained ? target.role : "member");
  const { organisationId } = to;
  await leaveProjects(tx, actor, target.id);
  await changePerson(tx, target.id, { organisationId, departmentId: to.departmentId ?? null, role });
  const withdrawn = await revokeExcessAccess(tx, actor, target.id, to);
  await moveKeysToOrganisation(tx, target.id, organisationId);
  await takeWalletAlong(tx, actor, target, organisationId);
  await leaveAdminView(tx, target.id);
  if (role !== target.role) await endSessionsOf(tx, target.id, actor);
  await publish(tx, "keys");
  return { role, withdrawn };
}
