import { z } from "zod";
import { BUDGET_PERIODS } from "~/domain/accounting/shared";
import { SearchText } from "~/http/body/fields";
import { BudgetLimit, cursorOf, pageSize } from "./key-requests";

const MAX_PROJECT_ID = 2_147_483_647n;

export const ListProjects = z
  .object({
    limit: pageSize(200).default(50),
    cursor: cursorOf("projects", MAX_PROJECT_ID).optional(),
    q: SearchText.optional(),
    state: z.enum(["active", "archived", "all"]).default("active"),
  })
  .transform(({ limit, cursor, q, state }) => ({
    limit,
    state,
    q: q ?? null,
    beforeId: cursor === undefined ? null : Number(cursor),
  }));

/** Money fields of a budget's body. */
export const BUDGET_AMOUNTS = ["budget_limit"];

/** The budget of a department or a project. */
export const ChangeBudget = z.strictObject({
  budget_limit: BudgetLimit,
  budget_period: z.enum(BUDGET_PERIODS).default("monthly"),
});

export const newBudgetOf = ({ budget_limit, budget_period }: z.output<typeof ChangeBudget>) => ({
  limitNanoUsd: budget_limit,
  period: budget_period,
});
