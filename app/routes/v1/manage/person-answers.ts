import type { OrganisationView } from "~/domain/organisations/shared";
import type { PeoplePage, PersonView } from "~/domain/people/index.server";
import { encodeCursor } from "~/http/cursor";

/** A person in the management API. Bigints become exact decimals of US dollars. */
export const userAnswer = (person: PersonView) => ({
  id: person.id,
  email: person.email,
  name: person.name,
  organisation_id: person.organisationId,
  department_id: person.departmentId,
  department: person.department,
  role: person.role,
  status: person.status,
  billing_mode: person.billingMode,
  billing_exempt: person.billingExempt,
  payer: person.payer.kind === "person" ? person.payer.email : person.payer.kind,
  budget_limit: person.budget?.limitNanoUsd ?? null,
  budget_period: person.budget?.period ?? null,
  budget_used: person.budget?.spentNanoUsd ?? 0n,
  credit_limit: person.creditLimitNanoUsd,
  spent_this_month: person.spentNanoUsd,
  keys: person.keys,
  email_verified_at: person.emailVerifiedAt,
  last_seen_at: person.lastSeenAt,
  created: person.createdAt,
});

export const userListAnswer = ({ people, next }: PeoplePage) => ({
  data: people.map(userAnswer),
  next_cursor: next === null ? null : encodeCursor("users", next.id),
});

/** An organisation with its totals; `balance` is the balance of its own wallet. */
export const organisationAnswer = (organisation: OrganisationView) => ({
  id: organisation.id,
  name: organisation.name,
  slug: organisation.slug,
  billing_exempt: organisation.billingExempt,
  users: organisation.people,
  admins: organisation.admins,
  keys: organisation.keys,
  departments: organisation.departments,
  projects: organisation.projects,
  monthly_budget: organisation.monthlyBudgetNanoUsd,
  spent_this_month: organisation.spentNanoUsd,
  balance: organisation.walletNanoUsd,
  held: organisation.heldNanoUsd,
  credit_limit: organisation.creditLimitNanoUsd,
  created: organisation.createdAt,
});
