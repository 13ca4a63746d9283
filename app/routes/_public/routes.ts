import { index } from "@react-router/dev/routes";
import { endpoint, page } from "../table";

/** What everyone may see without signing in. */
export const publicRoutes = [
  index("routes/_public/home/page.tsx"),
  page("api-docs/errors", "_public/"),
  endpoint("error-codes.json", "_public/"),
  endpoint("set-theme", "_public/"),
  page("setup/ready", "_public/"),
  page("setup/:token", "_public/"),
];
