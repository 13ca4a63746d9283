import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { readBudget } from "~/domain/accounting/index.server";
import type { BudgetLimit, NewBudget } from "~/domain/accounting/shared";
import type { Actor } from "~/domain/accounts/shared";
import { readActorKey, updateActorKey } from "~/domain/keys/index.server";
import { setDepartmentBudget, setOrganisationBudget, setProjectBudget } from "~/domain/organisations/index.server";
import { setBillingConfig } from "~/domain/people/index.server";
import { apiError } from "~/errors/app-error";
import type { NodeRef } from "./node";
import { findOwnerName, organisationOfDepartment } from "./tree-store";

/** A change of a budget: what it was and what it is now, for an undo. */
export type ChangedBudget = { name: string; before: BudgetLimit; after: BudgetLimit };

/**
 * Changes the budget of an owner of any kind, by the rules of its kind. Without a period, it stays as it is. The budget
 * of an organisation is always by the month.
 * @throws AppError forbidden; not_found, the same for a foreign and a missing owner; conflict when the budget is not the
 *   expected one
 */
export function changeBudget(
  db: Db,
  actor: Actor,
  owner: NodeRef,
  change: Omit<NewBudget, "period"> & { period?: NewBudget["period"] },
): Promise<ChangedBudget> {
  return inTransaction(db, async (tx) => {
    const now = await readBudget(tx, owner);
    const before = { limitNanoUsd: now?.limitNanoUsd ?? null, period: now?.period ?? "monthly" };
    const period = owner.kind === "organisation" ? "monthly" : (change.period ?? before.period);
    const budget = { ...change, period };
    await SETTERS[owner.kind](tx, actor, { id: owner.id, budget });
    return {
      name: await findOwnerName(tx, owner),
      before,
      after: { limitNanoUsd: budget.limitNanoUsd, period },
    };
  });
}

type Set = (tx: Db, actor: Actor, to: { id: number; budget: NewBudget }) => Promise<unknown>;

const SETTERS: Record<NodeRef["kind"], Set> = {
  organisation: (tx, actor, { id, budget }) => setOrganisationBudget(tx, actor, id, budget),
  department: async (tx, actor, { id, budget }) => {
    const organisationId = await organisationOfDepartment(tx, id);
    // Below organisation admin, a missing department is forbidden like any other.
    await setDepartmentBudget(tx, actor, { organisationId: organisationId ?? 0, departmentId: id }, budget);
  },
  project: (tx, actor, { id, budget }) => setProjectBudget(tx, actor, id, budget),
  user: (tx, actor, { id, budget }) => setBillingConfig(tx, actor, id, { budget }),
  key: async (tx, actor, { id, budget }) => {
    const { kind } = await readActorKey(tx, actor, id);
    if (kind !== "inference") throw apiError("not_found");
    await updateActorKey(tx, actor, id, { budget });
  },
};
