import type { RouteConfig } from "@react-router/dev/routes";
import { publicRoutes } from "./routes/_public/routes";
import { signInRoutes } from "./routes/_sign-in/routes";
import { apiRoutes } from "./routes/api/routes";
import { dashboardRoutes } from "./routes/dashboard/routes";
import { endpoint, page } from "./routes/table";
import { gatewayRoutes } from "./routes/v1/routes";

/** All URLs of the service. Each area has its own rows; every other URL does not exist. */
export default [
  endpoint("health"),
  ...gatewayRoutes,
  ...publicRoutes,
  ...signInRoutes,
  ...dashboardRoutes,
  ...apiRoutes,
  // The gallery of UI components, in development only.
  ...(import.meta.env.DEV ? [page("dev/ui")] : []),
] satisfies RouteConfig;
