import type { RouteConfig } from "@react-router/dev/routes";
import { publicRoutes } from "./routes/_public/routes";
import { signInRoutes } from "./routes/_sign-in/routes";
import { apiRoutes } from "./routes/api/routes";
import { dashboardRoutes } from "./routes/dashboard/routes";
import { endpoint, page } from "./routes/table";
import { gatewayRoutes } from "./routes/v1/routes";

/** Every URL of the service. Each area keeps its own rows; a URL that is not in a table does not exist. */
export default [
  endpoint("health"),
  ...gatewayRoutes,
  ...publicRoutes,
  ...signInRoutes,
  ...dashboardRoutes,
  ...apiRoutes,
  // The gallery of building blocks, where one works on them.
  ...(import.meta.env.DEV ? [page("dev/ui")] : []),
] satisfies RouteConfig;
