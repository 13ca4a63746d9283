import { z } from "zod";
import { BrandingForm, DepartmentName, OrganisationName, Slug } from "~/domain/organisations/shared";
import { Flag, Id, OptionalId, OptionalUsd, Usd } from "~/http/fields";

const SlugOrNone = z.union([z.literal("").transform(() => undefined), Slug]).optional();

/** What a new organisation has; without a slug it follows the name. */
export const NewOrganisationForm = z.strictObject({
  name: OrganisationName,
  slug: SlugOrNone,
  billing_exempt: Flag.default(false),
  monthly_budget: OptionalUsd.default(null),
});

/** What can be changed of one; what is left out stays. */
export const OrganisationForm = z.strictObject({
  name: OrganisationName.optional(),
  slug: SlugOrNone,
  billing_exempt: Flag.optional(),
  monthly_budget: OptionalUsd.optional(),
  /** How far its own wallet may go below zero. */
  credit_limit: Usd.optional(),
  /** The most credit that its own admins may have given out together. */
  credit_ceiling: Usd.optional(),
});

// What admins set of their organisation; without `org_id` it is their own.
export const OrganisationBudgetForm = z.strictObject({ monthly_budget: OptionalUsd, org_id: Id.optional() });
export const BillingUserForm = z.strictObject({ billing_user_id: OptionalId, org_id: Id.optional() });
export const OrganisationSettingsForm = BrandingForm.extend({
  name: OrganisationName.optional(),
  org_id: Id.optional(),
}).strict();

export const DepartmentForm = z.strictObject({ name: DepartmentName });
