import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { readBudgets } from "~/domain/accounting/index.server";
import { type Actor, authorOf } from "~/domain/accounts/shared";
import { recordAuditEvent } from "~/domain/activity/index.server";
import type { AuditAction } from "~/domain/activity/shared";
import { apiError } from "~/errors/app-error";
import { lockOrganisations } from "../organisation-store";
import { requireAccessibleOrganisation } from "../require-accessible";
import type { DepartmentView } from "../shared";
import {
  deleteDepartmentRow,
  findDepartment,
  findDepartments,
  insertDepartment,
  isDepartmentNamed,
  lockDepartment,
  renameDepartmentRow,
} from "./department-store";

/**
 * Returns departments of an organisation by name, with their counts and budgets. @throws AppError forbidden below
 * organisation admin, not_found
 */
export async function listDepartments(db: Db, actor: Actor, organisationId: number): Promise<DepartmentView[]> {
  await requireAccessibleOrganisation(db, actor, organisationId);
  const departments = await findDepartments(db, organisationId);
  const ids = departments.map(({ id }) => id);
  const budgets = await readBudgets(db, "department", ids);
  return departments.map((department) => ({ ...department, budget: budgets.get(department.id) ?? null }));
}

/** @throws AppError forbidden, not_found; conflict when the organisation has a department of that name. */
export function createDepartment(db: Db, actor: Actor, organisationId: number, name: string): Promise<{ id: number }> {
  return inTransaction(db, async (tx) => {
    await lockOrganisations(tx, [organisationId]);
    await requireAccessibleOrganisation(tx, actor, organisationId);
    await refuseTakenName(tx, organisationId, name);
    const { id } = await insertDepartment(tx, organisationId, name);
    await recordDepartment(tx, actor, organisationId, { id, name }, { action: "department.create", after: { name } });
    return { id };
  });
}

/**
 * @throws AppError forbidden; not_found for a foreign or missing department; conflict when the organisation has a
 *   department of that name.
 */
export async function renameDepartment(
  db: Db,
  actor: Actor,
  location: { organisationId: number; departmentId: number },
  name: string,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const department = await requireAccessibleDepartment(tx, actor, location);
    if (department.name === name) return;
    await refuseTakenName(tx, location.organisationId, name);
    await renameDepartmentRow(tx, department.id, name);
    const change = { action: "department.rename" as const, before: { name: department.name }, after: { name } };
    await recordDepartment(tx, actor, location.organisationId, { id: department.id, name }, change);
  });
}

/**
 * Deletes an empty department.
 * @throws AppError forbidden, not_found; conflict while it has people, keys or invitations.
 */
export async function deleteDepartment(
  db: Db,
  actor: Actor,
  location: { organisationId: number; departmentId: number },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const department = await requireAccessibleDepartment(tx, actor, location);
    await lockDepartment(tx, department.id);
    const row = (await findDepartments(tx, location.organisationId)).find(({ id }) => id === department.id);
    if (row && row.people + row.keys + row.invites > 0) {
      throw apiError("conflict", {
        key: "rejections:departmentInUse",
        values: { people: row.people, keys: row.keys, invites: row.invites },
      });
    }
    await deleteDepartmentRow(tx, department.id);
    const change = { action: "department.delete" as const, before: { name: department.name } };
    await recordDepartment(tx, actor, location.organisationId, department, change);
  });
}

/**
 * Returns a department that the actor may change, with its organisation locked. @throws AppError forbidden, not_found
 */
export async function requireAccessibleDepartment(
  tx: Db,
  actor: Actor,
  location: { organisationId: number; departmentId: number },
) {
  await lockOrganisations(tx, [location.organisationId]);
  await requireAccessibleOrganisation(tx, actor, location.organisationId);
  const department = await findDepartment(tx, location.organisationId, location.departmentId);
  if (department === null) throw apiError("not_found", { key: "rejections:noDepartment" });
  return department;
}

async function refuseTakenName(tx: Db, organisationId: number, name: string): Promise<void> {
  if (!(await isDepartmentNamed(tx, organisationId, name))) return;
  throw apiError("conflict", { key: "rejections:departmentNameTaken", param: "name" });
}

const recordDepartment = (
  tx: Db,
  actor: Actor,
  organisationId: number,
  department: { id: number; name: string },
  change: { action: AuditAction; before?: Record<string, unknown>; after?: Record<string, unknown> },
) =>
  recordAuditEvent(tx, {
    by: authorOf(actor),
    action: change.action,
    target: { kind: "department", id: department.id, label: department.name },
    organisationId,
    departmentId: department.id,
    before: change.before ?? null,
    after: change.after ?? null,
  });
