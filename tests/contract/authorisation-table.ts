import type { Role } from "~/domain/accounts/shared";

/**
 * The required role of each portal operation, written by hand from the docs. The tests compare the handlers with this
 * table, which is never generated from them. A new operation needs an entry here.
 */

/** The minimum role: a role, any signed-in person, or anyone. */
type LeastRank = Role | "signed-in" | "anyone";
/**
 * The data of an operation: the actor's own (account, wallet, keys, reports), the data in the actor's scope (own,
 * department, organisation or installation, by role), one organisation as a whole, or the installation.
 */
type Scope = "nobody" | "own" | "scope" | "organisation" | "installation";
type Rule = { least: LeastRank; scope: Scope };

const RULES: readonly [LeastRank, Scope, string][] = [
  [
    "anyone",
    "nobody",
    `GET /auth/idp-a
     GET /auth/idp-b
     GET /auth/sso/complete
     GET /logout
     GET /oauth/idp-a/login/callback/
     GET /oauth/idp-b/login/callback/
     GET /set-theme
     GET /setup/{token}
     POST /api/billing/processor/webhook
     POST /auth/accept-tos
     POST /auth/forgot-password
     POST /auth/login
     POST /auth/register
     POST /auth/resend-verification
     POST /auth/reset-password
     POST /auth/sign-in-link
     POST /auth/verify-email
     POST /logout
     POST /set-language
     POST /set-theme
     POST /setup/{token}`,
  ],
  // Also for people who have not accepted the terms yet; both handlers reject visitors who are not signed in.
  ["anyone", "own", "GET /api/legal/status\nPOST /api/legal/accept"],
  [
    "signed-in",
    "own",
    `GET /dashboard/activity/export
     GET /dashboard/get-started/state
     POST /account/confirm
     POST /dashboard/columns
     POST /dashboard/autorouter/help
     POST /dashboard/get-started/action
     POST /dashboard/get-started/hide
     POST /dashboard/get-started/reset
     POST /dashboard/get-started/resume
     POST /dashboard/projects/help
     POST /dashboard/qualitative/help
     POST /dashboard/secret-stored
     POST /dashboard/settings
     POST /dashboard/settings/billing-user
     POST /dashboard/settings/display-name`,
  ],
  ["signed-in", "scope", "GET /dashboard/keys/export\nGET /dashboard/keys/{key_id}/limiter"],
  [
    "viewer",
    "own",
    `DELETE /api/billing/payment-method/{pm_id}
     DELETE /api/billing/payment-methods/{pm_id}
     GET /api/billing/auto-topup
     GET /api/billing/auto-topup/operations/{operation_id}
     GET /api/billing/checkout-status
     GET /api/billing/payment-methods
     GET /api/billing/payments
     GET /api/billing/processor-config
     GET /dashboard/billing
     GET /dashboard/billing/fund
     GET /dashboard/billing/ledger/export
     GET /dashboard/billing/ledger/{seq}
     GET /dashboard/billing/statements
     GET /dashboard/billing/statements/{month}
     GET /dashboard/billing/statements/{month}/export
     GET /dashboard/budgets/alert-history
     GET /dashboard/budgets/alerts
     GET /dashboard/get-started
     GET /dashboard/guide
     GET /dashboard/models
     GET /dashboard/models/{model_id}
     GET /dashboard/reports/exports/{job_id}
     GET /dashboard/reports/exports/{job_id}/download
     GET /dashboard/settings
     POST /api/billing/add-funds
     POST /api/billing/auto-topup
     POST /api/billing/checkout
     POST /api/billing/link-partner
     POST /api/billing/payment-method
     POST /api/billing/payment-method/{pm_id}/default
     POST /api/billing/payment-methods/setup
     POST /api/billing/payment-methods/{pm_id}/default
     POST /api/billing/unlink-partner
     POST /dashboard/autorouter/user
     POST /dashboard/billing
     POST /dashboard/billing/delegated-payer
     POST /dashboard/billing/redeem
     POST /dashboard/budgets
     POST /dashboard/budgets/activate
     POST /dashboard/budgets/alerts
     POST /dashboard/budgets/consent/revoke
     POST /dashboard/budgets/webhook
     POST /dashboard/reports
     POST /dashboard/reports/exports/{job_id}/cancel
     POST /dashboard/reports/schedule-runs/{run_id}/review
     POST /dashboard/reports/schedules
     POST /dashboard/reports/schedules/{schedule_id}/disable`,
  ],
  [
    "viewer",
    "scope",
    `GET /dashboard
     GET /dashboard/activity
     GET /dashboard/api/autorouter
     GET /dashboard/api/qualitative
     GET /dashboard/budgets
     GET /dashboard/budgets/export
     GET /dashboard/api/reports/{report_id}
     GET /dashboard/api/usage
     GET /dashboard/autorouter
     GET /dashboard/autorouter/dry-run
     GET /dashboard/batches
     GET /dashboard/batches/{batch_id}
     GET /dashboard/batches/{batch_id}/download
     GET /dashboard/keys
     GET /dashboard/keys/new
     GET /dashboard/keys/{key_id}
     GET /dashboard/qualitative
     GET /dashboard/qualitative/detail/{request_id}
     GET /dashboard/qualitative/export
     GET /dashboard/reports
     GET /dashboard/reports/{report_id}/export
     GET /dashboard/reports/{report_id}/open
     GET /dashboard/reports/{report_id}/view
     GET /dashboard/request-log
     GET /dashboard/request-log/export
     GET /dashboard/request-log/{request_id}
     GET /dashboard/search
     GET /dashboard/usage
     GET /dashboard/usage/export
     POST /dashboard/reports/{report_id}/delete
     POST /dashboard/reports/{report_id}/exports
     POST /dashboard/reports/{report_id}/rename`,
  ],
  [
    "member",
    "own",
    `GET /dashboard/playground
     POST /dashboard/get-started/key
     POST /dashboard/playground
     POST /dashboard/playground/run`,
  ],
  // Undoes what the actor's own sealed message says, with the rights of the act itself.
  ["member", "own", "POST /dashboard/undo"],
  [
    "member",
    "scope",
    `GET /dashboard/guardrails
     POST /dashboard/autorouter/api-key
     POST /dashboard/batches/{batch_id}/cancel
     POST /dashboard/budgets/limit
     POST /dashboard/guardrails/add
     POST /dashboard/guardrails/remove
     POST /dashboard/guardrails/test
     POST /dashboard/guardrails/webhook
     POST /dashboard/keys/bulk
     POST /dashboard/keys/new
     POST /dashboard/keys/{key_id}`,
  ],
  ["department_admin", "own", "POST /dashboard/budgets/consent\nPOST /dashboard/toggle-admin-mode"],
  [
    "department_admin",
    "scope",
    `GET /dashboard/admin/api/dashboard
     GET /dashboard/admin/api/key-rate-limit-state
     GET /dashboard/admin/api/usage
     GET /dashboard/admin/projects
     GET /dashboard/admin/projects/{project_id}
     GET /dashboard/admin/users
     GET /dashboard/admin/users/export
     GET /dashboard/admin/users/invite
     GET /dashboard/admin/users/{user_id}
     POST /dashboard/admin/autorouter/api-key
     POST /dashboard/admin/projects
     POST /dashboard/admin/projects/{project_id}
     POST /dashboard/admin/projects/{project_id}/archive
     POST /dashboard/admin/projects/{project_id}/members
     POST /dashboard/admin/projects/{project_id}/members/{user_id}/remove
     POST /dashboard/admin/users/bulk
     POST /dashboard/admin/users/invite
     POST /dashboard/admin/users/invite/bulk
     POST /dashboard/admin/users/invite/{invite_id}/revoke
     POST /dashboard/admin/users/{user_id}/role
     POST /dashboard/admin/users/{user_id}/status`,
  ],
  [
    "org_admin",
    "organisation",
    `DELETE /api/admin/conversations/{conv_id}
     DELETE /dashboard/admin/organisations/{org_id}/departments/{department_id}
     GET /dashboard/admin/conversations
     GET /dashboard/admin/conversations/export
     GET /dashboard/admin/conversations/{conv_id}
     GET /dashboard/admin/organisations/{org_id}
     GET /dashboard/qualitative/settings
     POST /dashboard/admin/autorouter/org
     POST /dashboard/admin/conversations/settings
     POST /dashboard/admin/conversations/{conv_id}
     POST /dashboard/admin/organisation/billing-user
     POST /dashboard/admin/organisation/monthly-budget
     POST /dashboard/admin/organisation/settings
     POST /dashboard/admin/organisations/{org_id}/departments
     POST /dashboard/admin/organisations/{org_id}/departments/{department_id}
     POST /dashboard/admin/organisations/{org_id}/departments/{department_id}/budget
     POST /dashboard/admin/organisations/{org_id}/departments/{department_id}/delete
     POST /dashboard/admin/projects/{project_id}/budget
     POST /dashboard/admin/users/{user_id}/billing-config
     POST /dashboard/admin/users/{user_id}/credit-limit
     POST /dashboard/admin/users/{user_id}/department
     POST /dashboard/admin/users/{user_id}/hard-delete
     POST /dashboard/qualitative/settings`,
  ],
  // Redirects to the organisation's page, which checks the role.
  ["signed-in", "organisation", "GET /dashboard/admin/organisation"],
  [
    "platform_admin",
    "installation",
    `DELETE /dashboard/admin/organisations/{org_id}
     GET /api/admin/token-logs
     GET /dashboard/admin/api/proxy-health
     GET /dashboard/admin/billing
     GET /dashboard/admin/billing/reconcile
     GET /dashboard/admin/billing/reconcile/{call_id}
     GET /dashboard/admin/jobs
     GET /dashboard/admin/models
     GET /dashboard/admin/models/credentials
     GET /dashboard/admin/models/dry-run
     GET /dashboard/admin/organisations
     GET /dashboard/admin/organisations/merging
     GET /dashboard/admin/organisations/{org_id}/merge-data
     GET /dashboard/admin/prices
     GET /dashboard/admin/prices/export
     GET /dashboard/admin/prices/import
     GET /dashboard/admin/prices/review
     GET /dashboard/admin/promotions
     GET /dashboard/admin/promotions/{grant_id}
     GET /dashboard/admin/providers/{provider_id}/extras
     GET /dashboard/admin/providers/{provider_id}/models
     POST /dashboard/admin/billing
     POST /dashboard/admin/billing/auto-topup-policy
     POST /dashboard/admin/billing/events/{event_id}/replay
     POST /dashboard/admin/billing/reconcile/audit
     POST /dashboard/admin/billing/reconcile/{call_id}/resolve
     POST /dashboard/admin/jobs/{job}/run
     POST /dashboard/admin/organisations
     POST /dashboard/admin/organisations/merge
     POST /dashboard/admin/organisations/{org_id}
     POST /dashboard/admin/organisations/{org_id}/delete
     POST /dashboard/admin/prices
     POST /dashboard/admin/prices/import
     POST /dashboard/admin/prices/review
     POST /dashboard/admin/prices/{route_id}/order
     POST /dashboard/admin/prices/{route_id}/profile
     POST /dashboard/admin/promotions/create
     POST /dashboard/admin/promotions/{grant_id}/update
     POST /dashboard/admin/providers
     POST /dashboard/admin/providers/{provider_id}/delete
     POST /dashboard/admin/providers/{provider_id}/extras
     POST /dashboard/admin/providers/{provider_id}/models
     POST /dashboard/admin/providers/{provider_id}/update
     POST /dashboard/admin/users/invite/{invite_id}/link
     POST /dashboard/admin/users/{user_id}/billing-exempt
     POST /dashboard/admin/users/{user_id}/monthly-budget
     POST /dashboard/admin/users/{user_id}/org
     POST /dashboard/set-admin-domain
     POST /dashboard/set-admin-org`,
  ],
];

const WRITTEN = RULES.flatMap(([least, scope, operations]) =>
  operations.split("\n").map((operation) => [operation.trim(), { least, scope }] as const),
);

/** The rule of each portal operation, by `METHOD /path`. */
export const AUTHORISATION: ReadonlyMap<string, Rule> = new Map(WRITTEN);
if (AUTHORISATION.size !== WRITTEN.length) throw new Error("an operation stands in the table twice");

type Fields = Readonly<Record<string, string>>;

/**
 * Operations that can do lasting harm, and therefore require a confirmed sign-in within the last 15 minutes: always, or
 * with these fields. Documented in `docs/sign-in.md`. The settings of the own password and payer have separate tests,
 * because they need a prepared state.
 */
export const RECENT_PROOF: ReadonlyMap<string, Fields | "always"> = new Map<string, Fields | "always">([
  [
    "POST /api/billing/auto-topup",
    {
      active: "true",
      threshold: "1",
      amount: "10",
      daily_limit: "10",
      monthly_limit: "10",
      version: "0",
      consent: "true",
    },
  ],
  ["POST /dashboard/admin/billing", "always"],
  ["POST /dashboard/admin/billing/auto-topup-policy", "always"],
  ["POST /dashboard/admin/billing/reconcile/{call_id}/resolve", "always"],
  ["POST /dashboard/admin/organisations", { name: "Exempt Ltd", billing_exempt: "true" }],
  ["POST /dashboard/admin/organisations/merge", { target_org_id: "1", source_org_ids: "2" }],
  ["POST /dashboard/admin/organisations/{org_id}", { billing_exempt: "true" }],
  ["POST /dashboard/admin/prices", "always"],
  ["POST /dashboard/admin/prices/import", "always"],
  ["POST /dashboard/admin/prices/review", "always"],
  ["POST /dashboard/admin/prices/{route_id}/order", "always"],
  ["POST /dashboard/admin/prices/{route_id}/profile", "always"],
  ["POST /dashboard/admin/promotions/create", "always"],
  ["POST /dashboard/admin/promotions/{grant_id}/update", "always"],
  ["POST /dashboard/admin/providers", "always"],
  ["POST /dashboard/admin/providers/{provider_id}/delete", "always"],
  ["POST /dashboard/admin/providers/{provider_id}/extras", "always"],
  ["POST /dashboard/admin/providers/{provider_id}/models", { act: "import", model: "none" }],
  ["POST /dashboard/admin/providers/{provider_id}/update", "always"],
  ["POST /dashboard/admin/users/invite", { email: "proof@new.example", role: "platform_admin" }],
  ["POST /dashboard/admin/users/invite/{invite_id}/link", "always"],
  ["POST /dashboard/admin/users/{user_id}/billing-config", { billing_mode: "own", spending_limit: "9" }],
  ["POST /dashboard/admin/users/{user_id}/billing-exempt", "always"],
  ["POST /dashboard/admin/users/{user_id}/credit-limit", "always"],
  ["POST /dashboard/admin/users/{user_id}/hard-delete", "always"],
  ["POST /dashboard/admin/users/{user_id}/role", { role: "platform_admin" }],
  ["POST /dashboard/billing/delegated-payer", { act: "offer", email: "colleague@new.example" }],
  ["POST /dashboard/keys/new", { name: "Root", kind: "admin" }],
  ["POST /dashboard/settings/billing-user", { answer: "accept" }],
]);
