import { z } from "zod";
import { BUDGET_PERIODS } from "~/domain/accounting/shared";
import { ROLES, USER_STATUSES } from "~/domain/accounts/shared";
import { BILLING_MODES } from "~/domain/payers/shared";
import type { NotesByOperation } from "../shared";

const User = z
  .looseObject({
    id: z.int(),
    email: z.string(),
    name: z.string(),
    organisation_id: z.int(),
    department_id: z.int().nullable(),
    department: z.string().nullable(),
    role: z.enum(ROLES),
    status: z.enum(USER_STATUSES),
    billing_mode: z.enum(BILLING_MODES),
    billing_exempt: z.boolean(),
    payer: z.string().describe("`nobody`, `organisation`, `self`, or the email address of whoever pays."),
    budget_limit: z.number().nullable(),
    budget_period: z.enum(BUDGET_PERIODS).nullable(),
    budget_used: z.number(),
    credit_limit: z.number(),
    spent_this_month: z.number(),
    keys: z.int(),
    email_verified_at: z.iso.datetime().nullable(),
    last_seen_at: z.iso.datetime().nullable(),
    created: z.iso.datetime(),
  })
  .meta({ id: "User" });

const Organisation = z
  .looseObject({
    id: z.int(),
    name: z.string(),
    slug: z.string(),
    billing_exempt: z.boolean(),
    users: z.int(),
    admins: z.int(),
    keys: z.int(),
    departments: z.int(),
    projects: z.int(),
    monthly_budget: z.number().nullable(),
    spent_this_month: z.number(),
    balance: z.number().describe("What the organisation’s own wallet holds, in US dollars."),
    held: z.number().describe("Held for requests in flight."),
    credit_limit: z.number(),
    created: z.iso.datetime(),
  })
  .meta({ id: "Organisation" });

const budget = {
  budget_limit: z.number().nullable(),
  budget_period: z.enum(BUDGET_PERIODS).nullable(),
  budget_used: z.number(),
  budget_held: z.number().describe("Held for requests in flight."),
  budget_remaining: z.number().nullable(),
  resets_at: z.iso.datetime().nullable(),
};

const Department = z
  .looseObject({ id: z.int(), name: z.string(), users: z.int(), keys: z.int(), ...budget })
  .meta({ id: "Department" });

const Project = z
  .looseObject({
    id: z.int(),
    name: z.string(),
    description: z.string(),
    members: z.int(),
    keys: z.int(),
    spent_this_month: z.number(),
    ...budget,
    archived_at: z.iso.datetime().nullable(),
    created: z.iso.datetime(),
  })
  .meta({ id: "Project" });

const page = <Row extends z.ZodType>(row: Row) =>
  z.object({ data: z.array(row), next_cursor: z.string().nullable().describe("For `cursor`; null on the last page.") });

const BUDGET_TEXT =
  "`budget_limit` in US dollars; null: no limit. `budget_period` is `monthly` without one given. It limits every call of its keys and people from the next one on, beside all other budgets, which it may exceed.";

const aUser = { user_id: "The id of a person of the key’s organisation." };
const aDepartment = { department_id: "The id of a department of the key’s organisation." };
const aProject = { project_id: "The id of a project of the key’s organisation." };
const anOrganisation = { org_id: "The id of the key’s organisation." };

/** People and organisations, with an admin key. */
export const managementPeopleNotes: NotesByOperation = {
  "GET /v1/manage/organisations": {
    summary: "List the organisations a key can manage",
    description: "An admin key manages its own organisation.",
    answer: page(Organisation),
    errors: ["permission_denied"],
  },
  "GET /v1/manage/organisations/{org_id}": {
    summary: "Retrieve an organisation with its balance",
    answer: Organisation,
    parameters: anOrganisation,
    errors: ["not_found", "permission_denied"],
  },
  "PATCH /v1/manage/organisations/{org_id}": {
    summary: "Update an organisation’s name or monthly budget",
    description: "Only the fields you send change.",
    answer: Organisation,
    parameters: anOrganisation,
    example: { monthly_budget: 5000 },
    errors: ["not_found", "permission_denied"],
  },
  "GET /v1/manage/departments": {
    summary: "List departments with their budgets",
    description: "By name, all at once.",
    answer: page(Department),
    errors: ["permission_denied"],
  },
  "GET /v1/manage/departments/{department_id}": {
    summary: "Retrieve a department",
    answer: Department,
    parameters: aDepartment,
    errors: ["not_found", "permission_denied"],
  },
  "PATCH /v1/manage/departments/{department_id}": {
    summary: "Set the budget of a department",
    description: BUDGET_TEXT,
    answer: Department,
    parameters: aDepartment,
    example: { budget_limit: 500, budget_period: "monthly" },
    errors: ["not_found", "permission_denied"],
  },
  "GET /v1/manage/projects": {
    summary: "List projects with their budgets, newest first",
    answer: page(Project),
    parameters: {
      limit: "1 to 200.",
      cursor: "`next_cursor` of the page before.",
      q: "Part of a name or a description.",
      state: "`active` ones, unless `archived` or `all` are asked for.",
    },
    errors: ["permission_denied"],
  },
  "GET /v1/manage/projects/{project_id}": {
    summary: "Retrieve a project",
    answer: Project,
    parameters: aProject,
    errors: ["not_found", "permission_denied"],
  },
  "PATCH /v1/manage/projects/{project_id}": {
    summary: "Set the budget of a project",
    description: BUDGET_TEXT,
    answer: Project,
    parameters: aProject,
    example: { budget_limit: 200, budget_period: "monthly" },
    errors: ["not_found", "permission_denied"],
  },
  "GET /v1/manage/users": {
    summary: "List people, newest first",
    answer: page(User),
    parameters: {
      limit: "1 to 200.",
      cursor: "`next_cursor` of the page before.",
      q: "Part of a name or an email address.",
      role: "Only people with this role.",
      status: "Only people in this state; without it, deleted people are left out.",
    },
    errors: ["permission_denied"],
  },
  "GET /v1/manage/users/{user_id}": {
    summary: "Retrieve a person",
    answer: User,
    parameters: aUser,
    errors: ["not_found", "permission_denied"],
  },
  "PATCH /v1/manage/users/{user_id}": {
    summary: "Update a person’s role, status or budget",
    description:
      "Only the fields you send change. `budget_period` comes with a `budget_limit` and is `monthly` without one given. The person has to stand below an organisation admin, and so does the role. The admin keys and invitations that they could not make any more are revoked, unless `revoke_admin_keys` is `false` (invitations are revoked all the same).",
    answer: User,
    parameters: aUser,
    example: { role: "viewer", budget_limit: 100, budget_period: "monthly" },
    errors: ["not_found", "forbidden", "conflict", "permission_denied"],
  },
};
