import type { RouteConfig } from "@react-router/dev/routes";
import { publicRoutes } from "./routes/_public/routes";
import { endpoint } from "./routes/table";
import { gatewayRoutes } from "./routes/v1/routes";

/** Every URL of the service. Each area keeps its own rows; a URL that is not in a table does not exist. */
export default [endpoint("health"), ...gatewayRoutes, ...publicRoutes] satisfies RouteConfig;
