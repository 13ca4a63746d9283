import type { BudgetView } from "~/domain/accounting/shared";
import type { ProjectRow } from "~/domain/organisations/index.server";
import type { DepartmentView } from "~/domain/organisations/shared";

const budgetAnswer = (budget: BudgetView | null) => ({
  budget_limit: budget?.limitNanoUsd ?? null,
  budget_period: budget?.period ?? null,
  budget_used: budget?.spentNanoUsd ?? 0n,
  budget_held: budget?.heldNanoUsd ?? 0n,
  budget_remaining: budget?.availableNanoUsd ?? null,
  resets_at: budget?.resetsAt ?? null,
});

/** A department with its budget. Bigints become exact decimals of US dollars. */
export const departmentAnswer = ({ id, name, people, keys, budget }: DepartmentView) => ({
  id,
  name,
  users: people,
  keys,
  ...budgetAnswer(budget),
});

/** A project with its budget. */
export const projectAnswer = (project: ProjectRow, budget: BudgetView | null) => ({
  id: project.id,
  name: project.name,
  description: project.description,
  members: project.members,
  keys: project.keys,
  spent_this_month: project.spent,
  ...budgetAnswer(budget),
  archived_at: project.archivedAt,
  created: project.createdAt,
});
