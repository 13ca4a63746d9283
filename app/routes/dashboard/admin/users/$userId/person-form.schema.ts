import { z } from "zod";
import { BUDGET_PERIODS } from "~/domain/accounting/shared";
import { ROLES } from "~/domain/accounts/shared";
import { BILLING_MODES } from "~/domain/payers/shared";
import { Flag, Id, OptionalId, OptionalUsd, Usd } from "~/http/body/fields";
import { RevokeAdminKeys } from "../../fields";

// The settings of a person; each form has its own path.

export const RoleForm = z.strictObject({ role: z.enum(ROLES), revoke_admin_keys: RevokeAdminKeys });
export const DepartmentForm = z.strictObject({ department_id: OptionalId });
export const MonthlyBudgetForm = z.strictObject({ monthly_budget: OptionalUsd });
export const CreditLimitForm = z.strictObject({ credit_limit: Usd });
export const BillingExemptForm = z.strictObject({ billing_exempt: Flag.optional() });
export const OrganisationChoiceForm = z.strictObject({ org_id: Id, revoke_admin_keys: RevokeAdminKeys });

export const BillingConfigForm = z.strictObject({
  billing_mode: z.enum(BILLING_MODES),
  /**
   * The person's budget; empty: none. Without `credit_limit`, it is the credit limit of their wallet if the mode is
   * `own`.
   */
  spending_limit: OptionalUsd,
  period: z.enum(BUDGET_PERIODS).default("monthly"),
  credit_limit: Usd.optional(),
});
