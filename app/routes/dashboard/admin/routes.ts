import type { RouteConfigEntry } from "@react-router/dev/routes";
import { endpoint, page } from "../../table";

/** Administration; each page asks for its own rank. */
export const adminRoutes: RouteConfigEntry[] = [
  ...[
    "users",
    "users/invite",
    "users/:userId",
    "organisations",
    "organisations/merging",
    "organisations/:orgId",
    "organisation",
    "projects",
    "projects/:projectId",
  ].map((url) => page(`dashboard/admin/${url}`)),
  ...[
    "users/export",
    "users/invite/:inviteId/revoke",
    "users/invite/:inviteId/link",
    "users/:userId/role",
    "users/:userId/status",
    "users/:userId/billing-exempt",
    "users/:userId/credit-limit",
    "users/:userId/monthly-budget",
    "users/:userId/billing-config",
    "users/:userId/hard-delete",
    "users/:userId/org",
    "users/:userId/department",
    "organisations/merge",
    "organisations/:orgId/merge-data",
    "organisations/:orgId/delete",
    "organisations/:orgId/departments",
    "organisations/:orgId/departments/:departmentId",
    "organisations/:orgId/departments/:departmentId/delete",
    "organisation/billing-user",
    "organisation/monthly-budget",
    "organisation/settings",
    "projects/:projectId/archive",
    "projects/:projectId/members",
    "projects/:projectId/members/:userId/remove",
  ].map((url) => endpoint(`dashboard/admin/${url}`)),
];
