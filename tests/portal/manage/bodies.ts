import { ADMIN_OPERATIONS } from "../admin/admin-operations";

const PUBLISHED_NAMES: Readonly<Record<string, string>> = {
  user: "user_id",
  org: "org_id",
  invite: "invite_id",
  project: "project_id",
  department: "department_id",
};

const administration = ADMIN_OPERATIONS.flatMap(({ method, path, body }) => {
  const published = path.replace(/\{(\w+)\}/g, (_, name: string) => `{${PUBLISHED_NAMES[name] ?? name}}`);
  return body ? [[`${method} ${published}`, body] as const] : [];
});

/** A valid body for every operation that takes one, so that only missing rights can make a request fail. */
export const BODIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...Object.fromEntries(administration),
  "POST /dashboard/get-started/key": { name: "by somebody else" },
  "POST /dashboard/keys/new": { name: "by somebody else" },
  "POST /dashboard/keys/{key_id}": { name: "renamed by somebody else" },
  "POST /dashboard/settings/display-name": { name: "Somebody" },
  "POST /dashboard/settings/billing-user": { answer: "decline" },
  "POST /dashboard/budgets/webhook": { act: "remove" },
  "POST /dashboard/autorouter/user": { autorouter: "off" },
  "POST /dashboard/autorouter/api-key": { autorouter: "off", key_id: "2147483647" },
  "POST /dashboard/autorouter/help": { shown: "false" },
  "POST /dashboard/qualitative/help": { shown: "false" },
  "POST /dashboard/qualitative/settings": { opt_in: "false", minimum: "20" },
  "POST /dashboard/admin/conversations/{conv_id}": { act: "delete" },
  "POST /dashboard/guardrails/add": { name: "never", text: "never" },
  "POST /dashboard/guardrails/remove": { id: "000000000000" },
  "POST /dashboard/playground": { key_id: "999999", model: "never", message: "never" },
  "POST /dashboard/playground/run": { key_id: "999999", model: "never", message: "never" },
  "POST /dashboard/guardrails/test": { sample: "a text" },
  "POST /dashboard/guardrails/webhook": { act: "remove" },
  "POST /dashboard/admin/conversations/settings": { stored: "true" },
  "POST /dashboard/projects/help": { shown: "false" },
  "POST /dashboard/admin/autorouter/api-key": { autorouter: "off", key_id: "2147483647" },
  "POST /dashboard/admin/autorouter/org": { autorouter: "off" },
  "POST /dashboard/reports": { name: "by somebody" },
  "POST /dashboard/reports/schedules": { report_id: "1999999999", cadence: "daily" },
  "POST /dashboard/reports/{report_id}/rename": { name: "renamed by somebody else" },
  "POST /dashboard/budgets": { thresholds: "50" },
  "POST /dashboard/billing": { act: "remove", method: "pm_nobodys" },
  "POST /dashboard/admin/billing": {
    payer_kind: "organisation",
    payer_id: "1",
    amount: "1",
    reason: "none",
    request_id: "00000000-0000-4000-8000-000000000000",
  },
  "POST /dashboard/billing/delegated-payer": { act: "end", delegation_id: "1999999999" },
  "POST /dashboard/billing/redeem": { code: "22222-22222" },
  "POST /dashboard/admin/prices": { supplier_id: "1999999999", model: "none", input_per_mtok: "1" },
  "POST /dashboard/admin/providers": { name: "none", kind: "chat", base_url: "https://example.com/v1" },
  "POST /dashboard/admin/providers/{provider_id}/models": {},
  "POST /dashboard/admin/providers/{provider_id}/extras": { in: "header", name: "x-none", value: "none" },
  "POST /dashboard/admin/prices/review": { supplier_id: "1999999999", model: "none", input_per_mtok: "1" },
  "POST /dashboard/admin/prices/import": { act: "preview", text: "supplier,model\nnone,none" },
  "POST /dashboard/admin/prices/{route_id}/order": { priority: "1", weight: "1" },
  "POST /dashboard/admin/prices/{route_id}/profile": { profile: "" },
  "POST /dashboard/admin/providers/{provider_id}/delete": { confirm: "none" },
  "POST /dashboard/admin/promotions/create": { name: "none", amount: "1", audience: "code" },
  "POST /dashboard/admin/promotions/{grant_id}/update": { ended: "true" },
  "POST /dashboard/admin/billing/reconcile/{call_id}/resolve": { resolution: "release", reason: "none" },
  "POST /api/billing/checkout": { amount: "10" },
  "POST /api/billing/auto-topup": { active: "false" },
  "POST /dashboard/admin/billing/auto-topup-policy": {
    version: "0",
    max_charge: "1",
    max_day: "1",
    max_month: "1",
  },
  "POST /set-language": { language: "en" },
};
