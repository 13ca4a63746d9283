import { LEGAL_NAMES } from "~/legal/shared";

/**
 * All public pages for search engines, without those that need a session or a token. The status page can be disabled.
 */
export const PAGES_TO_FIND: readonly string[] = [
  "/",
  "/features",
  "/platform",
  "/models-public",
  "/pricing",
  "/agents",
  "/guide",
  "/api-docs",
  "/api-docs/errors",
  "/developers",
  "/resources",
  "/security",
  "/controls",
  "/certifications",
  "/architecture",
  "/partners",
  "/contact",
  "/status",
  ...LEGAL_NAMES.map((name) => `/legal/${name}`),
];
