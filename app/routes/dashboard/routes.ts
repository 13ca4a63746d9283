import { layout, type RouteConfigEntry, route } from "@react-router/dev/routes";
import { endpoint, page } from "../table";
import { adminRoutes } from "./admin/routes";

/** What a signed-in person sees. */
export const dashboardRoutes: RouteConfigEntry[] = [
  layout("routes/dashboard/_layout.tsx", [
    page("dashboard"),
    page("dashboard/get-started"),
    endpoint("dashboard/get-started/action"),
    endpoint("dashboard/get-started/hide"),
    endpoint("dashboard/get-started/resume"),
    endpoint("dashboard/get-started/reset"),
    endpoint("dashboard/get-started/state"),
    page("dashboard/guide"),
    page("dashboard/settings"),
    endpoint("dashboard/settings/display-name"),
    endpoint("dashboard/settings/billing-user"),
    page("dashboard/keys"),
    page("dashboard/keys/new"),
    endpoint("dashboard/keys/export"),
    page("dashboard/keys/:keyId"),
    endpoint("dashboard/keys/:keyId/limiter"),
    endpoint("dashboard/admin/api/key-rate-limit-state"),
    page("dashboard/usage"),
    endpoint("dashboard/usage/export"),
    endpoint("dashboard/api/usage"),
    endpoint("dashboard/admin/api/usage"),
    endpoint("dashboard/admin/api/dashboard"),
    page("dashboard/billing"),
    page("dashboard/billing/fund"),
    endpoint("dashboard/billing/redeem"),
    page("dashboard/activity"),
    endpoint("dashboard/activity/export"),
    endpoint("dashboard/toggle-admin-mode"),
    endpoint("dashboard/set-admin-org"),
    endpoint("dashboard/set-admin-domain"),
    ...adminRoutes,
    route("dashboard/*", "routes/dashboard/unknown/page.tsx"),
  ]),
];
