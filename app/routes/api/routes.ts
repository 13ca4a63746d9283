import type { RouteConfigEntry } from "@react-router/dev/routes";
import { endpoint } from "../table";

/** Data for the portal's own pages. */
export const apiRoutes: RouteConfigEntry[] = [endpoint("api/legal/accept"), endpoint("api/legal/status")];
