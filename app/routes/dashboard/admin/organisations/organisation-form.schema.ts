import { z } from "zod";
import { BrandingForm, DepartmentName, OrganisationName, Slug } from "~/domain/organisations/shared";
import { Flag, Id, OptionalId, OptionalUsd, Usd } from "~/http/body/fields";

const SlugOrNone = z.union([z.literal("").transform(() => undefined), Slug]).optional();

/** A new organisation; without a slug it is derived from the name. */
export const NewOrganisationForm = z.strictObject({
  name: OrganisationName,
  slug: SlugOrNone,
  billing_exempt: Flag.default(false),
  monthly_budget: OptionalUsd.default(null),
});

/** A change of an organisation; missing fields change nothing. */
export const OrganisationForm = z.strictObject({
  name: OrganisationName.optional(),
  slug: SlugOrNone,
  billing_exempt: Flag.optional(),
  monthly_budget: OptionalUsd.optional(),
  /** Credit limit: how far its own wallet may go below zero. */
  credit_limit: Usd.optional(),
  /** Maximum total credit that its own admins may have granted. */
  credit_ceiling: Usd.optional(),
});

// Settings that organisation admins change; without `org_id` those of their own organisation.
export const OrganisationBudgetForm = z.strictObject({ monthly_budget: OptionalUsd, org_id: Id.optional() });
export const BillingUserForm = z.strictObject({ billing_user_id: OptionalId, org_id: Id.optional() });
export const OrganisationSettingsForm = BrandingForm.extend({
  name: OrganisationName.optional(),
  org_id: Id.optional(),
}).strict();

export const DepartmentForm = z.strictObject({ name: DepartmentName });
