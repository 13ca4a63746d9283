import { z } from "zod";
import { BUDGET_PERIODS } from "~/domain/accounting/shared";
import { ROLES, USER_STATUSES } from "~/domain/accounts/shared";
import { OrganisationName } from "~/domain/organisations/shared";
import { NEWEST_PEOPLE, SETTABLE_STATUSES } from "~/domain/people/shared";
import { apiError } from "~/errors/app-error";
import { issue } from "~/errors/message";
import { Id, SearchText } from "~/http/body/fields";
import { BudgetLimit, cursorOf, pageSize } from "./key-requests";

const MAX_USER_ID = 2_147_483_647n;

export const ListUsers = z
  .object({
    limit: pageSize(200).default(50),
    cursor: cursorOf("users", MAX_USER_ID).optional(),
    q: SearchText.optional(),
    role: z.enum(ROLES).optional(),
    status: z.enum(USER_STATUSES).optional(),
  })
  .transform(({ limit, cursor, ...filter }) => ({
    filter,
    sort: NEWEST_PEOPLE,
    after: cursor === undefined ? null : { id: Number(cursor), value: String(cursor) },
    limit,
  }));

/** Money fields of a person's body. */
export const USER_AMOUNTS = ["budget_limit"];

export const ChangeUser = z
  .strictObject({
    role: z.enum(ROLES).optional(),
    status: z.enum(SETTABLE_STATUSES).optional(),
    /** Whether to revoke admin keys that the person could no longer create. */
    revoke_admin_keys: z.boolean().default(true),
    budget_limit: BudgetLimit.optional(),
    budget_period: z.enum(BUDGET_PERIODS).optional(),
  })
  .refine(({ budget_limit, budget_period }) => budget_period === undefined || budget_limit !== undefined, {
    path: ["budget_limit"],
    message: issue("problems:amountOrEmpty"),
  });

/** Money fields of an organisation's body. */
export const ORGANISATION_AMOUNTS = ["monthly_budget"];

export const ChangeOrganisation = z.strictObject({
  name: OrganisationName.optional(),
  monthly_budget: BudgetLimit.optional(),
});

/**
 * Returns the id in the path.
 * @throws AppError not_found, also for an invalid id, as for an object of another organisation
 */
export function idOf(params: Readonly<Record<string, string | undefined>>, name: string): number {
  const id = Id.safeParse(params[name]);
  if (!id.success) throw apiError("not_found");
  return id.data;
}
