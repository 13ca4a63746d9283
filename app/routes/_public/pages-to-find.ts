import { LEGAL_NAMES } from "~/legal/shared";

/** Every public page that stands for itself; what needs a session or a token is not here. The status page can be switched off. */
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
