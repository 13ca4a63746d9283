import { LEGAL_NAMES } from "~/legal/shared";

/** Every public page that stands for itself; what needs a session or a token is not here. */
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
  ...LEGAL_NAMES.map((name) => `/legal/${name}`),
];
