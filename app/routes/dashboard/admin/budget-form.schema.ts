import { z } from "zod";
import { BUDGET_PERIODS } from "~/domain/accounting/shared";
import { OptionalUsd } from "~/http/body/fields";

/** The budget of a department or a project; an empty limit means no limit. */
export const BudgetForm = z.strictObject({
  budget_limit: OptionalUsd,
  budget_period: z.enum(BUDGET_PERIODS).default("monthly"),
});

export const newBudgetOf = ({ budget_limit, budget_period }: z.output<typeof BudgetForm>) => ({
  limitNanoUsd: budget_limit,
  period: budget_period,
});
