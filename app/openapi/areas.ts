import type { Tag } from "./shared";

const ADMINISTRATION = /^\/(?:dashboard|api)\/admin(?:\/|$)/;
const USAGE =
  /^\/dashboard(?:\/api)?\/(?:models|usage|autorouter|qualitative|request-log)(?:\/|$)|^\/dashboard\/projects\//;
const REPORTS = /^\/dashboard(?:\/api)?\/reports(?:\/|$)/;
const BILLING = /^\/api\/billing\/|^\/dashboard\/(?:billing|budgets)(?:\/|$)/;
const SIGN_IN =
  /^\/(?:auth|oauth|account|invite)\/|^\/(?:login|logout|signup|forgot-password|reset-password|sign-in-link|verify-email|set-language)$|^\/api\/legal\//;

/** Returns the area of a published path. */
export function tagOf(path: string): Tag {
  if (path.startsWith("/v1/manage/")) return "management";
  if (/^\/v[12]\/|^\/health$/.test(path)) return "inference";
  if (ADMINISTRATION.test(path)) return "administration";
  if (path.startsWith("/dashboard/keys")) return "keys";
  if (USAGE.test(path)) return "usage";
  if (REPORTS.test(path)) return "reports";
  if (BILLING.test(path)) return "billing";
  if (SIGN_IN.test(path)) return "sign-in";
  return path.startsWith("/dashboard") || path.startsWith("/api/") ? "dashboard" : "public";
}

/** Whether a path is for client libraries of the messages style. */
export const isMessagesPath = (path: string): boolean => path.startsWith("/v1/messages");

type Security = Record<string, string[]>[];

/** Returns the ways to authenticate at `baseUrl`. */
export const securitySchemes = (baseUrl: string) => ({
  bearer: { type: "http", scheme: "bearer", description: "A key: `Authorization: Bearer gw_…`." },
  apiKeyHeader: { type: "apiKey", in: "header", name: "x-api-key", description: "A key, as messages SDKs send it." },
  adminKey: { type: "http", scheme: "bearer", description: "A key of kind `admin`." },
  session: {
    type: "apiKey",
    in: "cookie",
    name: baseUrl.startsWith("https:") ? "__Host-gw_session" : "gw_session",
    description: "A portal session. Changes must also come from the portal's own pages.",
  },
});

/** Returns the credentials that a path requires; an empty list: none. */
export function securityOf(path: string, allow: string | undefined): Security {
  if (path === "/health") return [];
  if (path.startsWith("/v1/manage/")) return [{ adminKey: [] }];
  if (isMessagesPath(path)) return [{ apiKeyHeader: [] }, { bearer: [] }];
  if (/^\/v[12]\//.test(path)) return [{ bearer: [] }];
  if (allow !== undefined) return allow === "anyone" ? [] : [{ session: [] }];
  if (path === "/api/billing/processor/webhook") return [];
  return /^\/(?:dashboard|api)(?:\/|$)/.test(path) ? [{ session: [] }] : [];
}
