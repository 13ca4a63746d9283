import type { Role } from "../../support/people";

/** An administration operation: its address, the required role, and a valid body. */
export type AdminOperation = {
  method: "GET" | "POST" | "DELETE";
  /** Path with `{user}`, `{org}`, `{invite}`, `{project}` and `{department}` in place of ids. */
  path: string;
  /** The lowest role that does not get a 403. */
  least: Role;
  /** A valid body, if the operation takes one. */
  body?: Record<string, string>;
};

const users = "/dashboard/admin/users";
const organisations = "/dashboard/admin/organisations";
const own = "/dashboard/admin/organisation";
const projects = "/dashboard/admin/projects";

/** All operations under /dashboard/admin about people, organisations and projects, with their required roles. */
export const ADMIN_OPERATIONS: readonly AdminOperation[] = [
  { method: "GET", path: users, least: "department_admin" },
  { method: "GET", path: `${users}/export`, least: "department_admin" },
  { method: "GET", path: `${users}/{user}`, least: "department_admin" },
  { method: "POST", path: `${users}/{user}/role`, least: "department_admin", body: { role: "viewer" } },
  { method: "POST", path: `${users}/{user}/status`, least: "department_admin", body: { status: "suspended" } },
  { method: "POST", path: `${users}/{user}/billing-exempt`, least: "platform_admin", body: { billing_exempt: "true" } },
  { method: "POST", path: `${users}/{user}/credit-limit`, least: "org_admin", body: { credit_limit: "5" } },
  { method: "POST", path: `${users}/{user}/monthly-budget`, least: "platform_admin", body: { monthly_budget: "7.5" } },
  {
    method: "POST",
    path: `${users}/{user}/billing-config`,
    least: "org_admin",
    body: { billing_mode: "inherit", spending_limit: "9" },
  },
  { method: "POST", path: `${users}/{user}/hard-delete`, least: "org_admin", body: { confirm: "nobody@example.com" } },
  { method: "POST", path: `${users}/{user}/org`, least: "platform_admin", body: { org_id: "1" } },
  { method: "POST", path: `${users}/{user}/department`, least: "org_admin", body: { department_id: "" } },
  { method: "GET", path: `${users}/invite`, least: "department_admin" },
  { method: "POST", path: `${users}/invite/{invite}/link`, least: "platform_admin" },
  { method: "POST", path: `${users}/invite/{invite}/revoke`, least: "department_admin" },
  { method: "GET", path: organisations, least: "platform_admin" },
  { method: "GET", path: `${organisations}/{org}`, least: "org_admin" },
  { method: "POST", path: `${organisations}/{org}`, least: "platform_admin", body: { name: "Renamed" } },
  { method: "DELETE", path: `${organisations}/{org}`, least: "platform_admin" },
  { method: "POST", path: `${organisations}/{org}/delete`, least: "platform_admin" },
  { method: "GET", path: `${organisations}/{org}/merge-data`, least: "platform_admin" },
  { method: "POST", path: `${organisations}/{org}/departments`, least: "org_admin", body: { name: "New" } },
  {
    method: "POST",
    path: `${organisations}/{org}/departments/{department}`,
    least: "org_admin",
    body: { name: "Other" },
  },
  { method: "DELETE", path: `${organisations}/{org}/departments/{department}`, least: "org_admin" },
  {
    method: "POST",
    path: `${organisations}/{org}/departments/{department}/budget`,
    least: "org_admin",
    body: { budget_limit: "8" },
  },
  { method: "POST", path: `${projects}/{project}/budget`, least: "org_admin", body: { budget_limit: "8" } },
  { method: "POST", path: `${own}/billing-user`, least: "org_admin", body: { billing_user_id: "" } },
  { method: "POST", path: `${own}/monthly-budget`, least: "org_admin", body: { monthly_budget: "50" } },
  { method: "POST", path: `${own}/settings`, least: "org_admin", body: { brand_name: "Brand" } },
  { method: "GET", path: projects, least: "department_admin" },
  { method: "GET", path: `${projects}/{project}`, least: "department_admin" },
  { method: "POST", path: `${projects}/{project}`, least: "department_admin", body: { description: "Words" } },
  { method: "POST", path: `${projects}/{project}/archive`, least: "department_admin", body: { archived: "true" } },
  {
    method: "POST",
    path: `${projects}/{project}/members`,
    least: "department_admin",
    body: { email: "nobody@example.com" },
  },
  { method: "POST", path: "/dashboard/set-admin-org", least: "platform_admin", body: { org_id: "" } },
  { method: "POST", path: "/dashboard/set-admin-domain", least: "platform_admin", body: { domain: "" } },
  { method: "POST", path: "/dashboard/toggle-admin-mode", least: "department_admin", body: { admin_mode: "true" } },
];
