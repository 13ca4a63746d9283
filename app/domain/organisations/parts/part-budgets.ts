import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { readBudget, setBudget } from "~/domain/accounting/index.server";
import type { NewBudget } from "~/domain/accounting/shared";
import { type Actor, atLeast, authorOf } from "~/domain/accounts/shared";
import { recordAuditEvent } from "~/domain/activity/index.server";
import { apiError } from "~/errors/app-error";
import { requireAccessibleDepartment } from "./departments";
import { readLockedProject } from "./projects";

/**
 * Sets the budget of a department. The limits below an organisation may add up to more than its own, because every call
 * checks each of them. Takes effect with the next call. Safe to repeat.
 * @throws AppError forbidden below organisation admin; not_found, the same for a foreign and a missing department;
 *   conflict when the budget is not the expected one
 */
export async function setDepartmentBudget(
  db: Db,
  actor: Actor,
  location: { organisationId: number; departmentId: number },
  budget: NewBudget,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { id, name } = await requireAccessibleDepartment(tx, actor, location);
    await putBudget(tx, actor, { kind: "department", id, name, organisationId: location.organisationId }, budget);
  });
}

/**
 * Sets the budget of a project. A manager of a project who is not an admin of its organisation can see its budget but
 * not set it.
 * @throws AppError forbidden below organisation admin; not_found, the same for a foreign and a missing project
 */
export async function setProjectBudget(db: Db, actor: Actor, projectId: number, budget: NewBudget): Promise<void> {
  if (!atLeast(actor.role, "org_admin")) throw apiError("forbidden");
  await inTransaction(db, async (tx) => {
    const { id, name, organisationId } = await readLockedProject(tx, actor, projectId);
    await putBudget(tx, actor, { kind: "project", id, name, organisationId }, budget);
  });
}

type Part = { kind: "department" | "project"; id: number; name: string; organisationId: number };

async function putBudget(tx: Db, actor: Actor, part: Part, budget: NewBudget): Promise<void> {
  const { kind, id, name, organisationId } = part;
  const { limitNanoUsd, period } = budget;
  const now = await readBudget(tx, { kind, id });
  if ((now?.limitNanoUsd ?? null) === limitNanoUsd && (now === null || now.period === period)) return;
  await setBudget(tx, { kind, id, organisationId }, budget);
  await recordAuditEvent(tx, {
    by: authorOf(actor),
    action: `${kind}.budget`,
    target: { kind, id, label: name },
    organisationId,
    departmentId: kind === "department" ? id : null,
    before: { limitNanoUsd: now?.limitNanoUsd ?? null, period: now?.period ?? null },
    after: { limitNanoUsd, period },
  });
}
