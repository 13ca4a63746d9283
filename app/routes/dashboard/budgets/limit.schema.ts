import { z } from "zod";
import { BUDGET_PERIODS, BUDGET_SCOPES } from "~/domain/accounting/shared";
import { Id, OptionalUsd } from "~/http/body/fields";

/**
 * A new limit of a key, person, department, project or organisation; empty: no limit. Without a period, it stays as it
 * is. `was_limit` and `was_period`: the budget that the change replaces; if another is in force, it is rejected.
 */
export const LimitForm = z.strictObject({
  kind: z.enum(BUDGET_SCOPES),
  id: Id,
  budget_limit: OptionalUsd,
  budget_period: z.enum(BUDGET_PERIODS).optional(),
  was_limit: OptionalUsd.optional(),
  was_period: z.enum(BUDGET_PERIODS).default("monthly"),
});
