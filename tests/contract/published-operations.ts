/** Returns `"METHOD /path"` for each path. */
const all = (method: string, paths: string): string[] =>
  paths
    .trim()
    .split(/\s+/)
    .map((path) => `${method} ${path}`);

const GATEWAY = [
  ...all("GET", "/health /v1/models /v1/manage/keys/{key_id}"),
  ...all(
    "POST",
    `/v1/chat/completions /v1/messages /v1/messages/count_tokens /v1/vendorb/responses /v1/embeddings /v1/rerank
     /v1/audio/transcriptions /v1/audio/speech /v1/manage/keys`,
  ),
  "PATCH /v1/manage/keys/{key_id}",
];

const PUBLIC_PAGES = all(
  "GET",
  `/login /signup /forgot-password /reset-password /verify-email /legal/terms /legal/aup /legal/privacy /legal/cookies
   /legal/dpa /legal/refund /legal/billing /legal/security / /pricing /features /api-docs /guide /security /models-public
   /controls /certifications /developers /agents /resources /partners /architecture /platform /contact /account/archived
   /account/suspended /invite/{token}`,
);

const SESSION = [
  ...all(
    "POST",
    `/auth/register /auth/login /auth/forgot-password /auth/reset-password /auth/resend-verification /auth/accept-tos
     /set-language /api/legal/accept`,
  ),
  ...all(
    "GET",
    `/auth/idp-a /oauth/idp-a/login/callback/ /auth/idp-b /oauth/idp-b/login/callback/ /auth/sso/complete /logout
     /api/legal/status`,
  ),
];

const NAVIGATION = [
  ...all(
    "POST",
    `/dashboard/toggle-admin-mode /dashboard/set-admin-org /dashboard/set-admin-domain /dashboard/get-started/action
     /dashboard/get-started/hide /dashboard/get-started/resume /dashboard/get-started/reset /dashboard/settings
     /dashboard/settings/display-name`,
  ),
  ...all("GET", "/dashboard/get-started /dashboard /dashboard/guide /dashboard/activity /dashboard/settings"),
];

const KEYS = [
  ...all(
    "GET",
    "/dashboard/keys /dashboard/keys/new /dashboard/keys/{key_id} /dashboard/admin/api/key-rate-limit-state",
  ),
  ...all("POST", "/dashboard/keys/new /dashboard/keys/{key_id}"),
];

const USAGE = all(
  "GET",
  `/dashboard/usage /dashboard/usage/export /dashboard/api/usage /dashboard/admin/api/usage
   /dashboard/admin/api/dashboard /dashboard/admin/api/proxy-health /api/admin/token-logs /dashboard/request-log /dashboard/request-log/export
   /dashboard/request-log/{request_id} /dashboard/models /dashboard/models/{model_id}`,
);

const AUTOROUTER = [
  ...all("GET", "/dashboard/autorouter /dashboard/api/autorouter"),
  ...all(
    "POST",
    `/dashboard/autorouter/help /dashboard/autorouter/user /dashboard/autorouter/api-key /dashboard/projects/help
     /dashboard/admin/autorouter/api-key /dashboard/admin/autorouter/org`,
  ),
];

const QUALITY = [
  ...all(
    "GET",
    `/dashboard/qualitative /dashboard/api/qualitative /dashboard/qualitative/settings
     /dashboard/qualitative/detail/{request_id} /dashboard/qualitative/export`,
  ),
  ...all("POST", "/dashboard/qualitative/help /dashboard/qualitative/settings"),
];

const REPORTS = [
  ...all(
    "GET",
    `/dashboard/reports /dashboard/reports/{report_id}/open /dashboard/reports/{report_id}/view
     /dashboard/api/reports/{report_id} /dashboard/reports/{report_id}/export`,
  ),
  ...all("POST", "/dashboard/reports /dashboard/reports/{report_id}/rename /dashboard/reports/{report_id}/delete"),
];

const REPORT_FILES = [
  ...all("GET", "/dashboard/reports/exports/{job_id} /dashboard/reports/exports/{job_id}/download"),
  ...all("POST", "/dashboard/reports/{report_id}/exports /dashboard/reports/exports/{job_id}/cancel"),
];

const SCHEDULES = all(
  "POST",
  `/dashboard/reports/schedules /dashboard/reports/schedules/{schedule_id}/disable
   /dashboard/reports/schedule-runs/{run_id}/review`,
);

const FUNDING = [
  ...all(
    "GET",
    `/dashboard/billing /dashboard/billing/fund /api/billing/processor-config /api/billing/checkout-status
     /api/billing/payment-methods /api/billing/payments`,
  ),
  ...all(
    "POST",
    `/api/billing/checkout /api/billing/payment-methods/setup /api/billing/payment-methods/{pm_id}/default
     /api/billing/processor/webhook /api/billing/add-funds /api/billing/payment-method
     /api/billing/payment-method/{pm_id}/default /api/billing/link-partner /api/billing/unlink-partner`,
  ),
  ...all("DELETE", "/api/billing/payment-methods/{pm_id} /api/billing/payment-method/{pm_id}"),
];

const BUDGETS = [
  ...all("POST", "/dashboard/budgets/activate /dashboard/budgets/consent /dashboard/budgets/consent/revoke"),
  "GET /dashboard/budgets/alert-history",
];

const AUTO_TOPUP = ["GET /api/billing/auto-topup/operations/{operation_id}", ...all("POST", "/api/billing/auto-topup")];

const PEOPLE = [
  ...all(
    "GET",
    `/dashboard/admin/projects /dashboard/admin/users /dashboard/admin/users/{user_id} /dashboard/admin/users/invite
     /dashboard/admin/organisations /dashboard/admin/organisations/{org_id}/merge-data`,
  ),
  ...all(
    "POST",
    `/dashboard/admin/users/{user_id}/role /dashboard/admin/users/{user_id}/billing-exempt
     /dashboard/admin/users/{user_id}/credit-limit /dashboard/admin/users/{user_id}/monthly-budget
     /dashboard/admin/users/{user_id}/billing-config /dashboard/admin/users/{user_id}/status
     /dashboard/admin/users/{user_id}/hard-delete /dashboard/admin/users/{user_id}/org
     /dashboard/admin/users/{user_id}/department /dashboard/admin/users/invite
     /dashboard/admin/users/invite/{invite_id}/revoke /dashboard/admin/organisations
     /dashboard/admin/organisations/{org_id} /dashboard/admin/organisations/merge
     /dashboard/admin/organisation/billing-user /dashboard/admin/organisation/monthly-budget
     /dashboard/admin/organisation/settings /dashboard/admin/promotions/create
     /dashboard/admin/promotions/{grant_id}/update`,
  ),
  "GET /dashboard/admin/promotions",
  "DELETE /dashboard/admin/organisations/{org_id}",
];

const OPERATION = [
  "GET /dashboard/admin/prices",
  "GET /dashboard/admin/models",
  ...all(
    "POST",
    `/dashboard/admin/prices /dashboard/admin/providers /dashboard/admin/providers/{provider_id}/update
     /dashboard/admin/providers/{provider_id}/delete`,
  ),
];

/** Operations of the platform administration that are not implemented yet. */

const CONVERSATIONS = [
  ...all("GET", "/dashboard/admin/conversations /dashboard/admin/conversations/{conv_id}"),
  "DELETE /api/admin/conversations/{conv_id}",
];

/** All operations of the service's specification. */
export const PUBLISHED: readonly string[] = [
  ...GATEWAY,
  ...PUBLIC_PAGES,
  ...SESSION,
  ...NAVIGATION,
  ...KEYS,
  ...USAGE,
  ...AUTOROUTER,
  ...QUALITY,
  ...REPORTS,
  ...REPORT_FILES,
  ...SCHEDULES,
  ...FUNDING,
  ...BUDGETS,
  ...AUTO_TOPUP,
  ...PEOPLE,
  ...OPERATION,
  ...CONVERSATIONS,
];

/** Operations that are not implemented yet. Implemented operations must not be listed: the list only gets shorter. */
export const LATER: ReadonlySet<string> = new Set();
