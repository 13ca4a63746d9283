/** The parts of the application, each with the other parts whose code it may use. */
export const MAY_USE: Readonly<Record<string, readonly string[]>> = {
  base: [],
  errors: ["base", "i18n"],
  i18n: ["base"],
  database: ["base", "errors"],
  enhance: [],
  content: ["base", "i18n"],
  legal: ["base", "content"],
  domain: ["base", "errors", "legal", "gateway/canonical"],
  mail: ["base", "errors", "i18n"],
  http: ["base", "errors"],
  access: ["base", "errors", "i18n", "legal", "domain", "http"],
  ui: ["base", "errors", "i18n"],
  openapi: ["base", "errors", "legal", "domain", "http"],
  "gateway/canonical": ["base"],
  "gateway/suppliers": ["base", "errors", "domain", "http", "gateway/canonical"],
  "gateway/dialects": ["base", "errors", "domain", "http", "gateway/canonical"],
  gateway: ["base", "errors", "domain", "http", "gateway/canonical", "gateway/suppliers", "gateway/dialects"],
  jobs: ["base", "errors", "domain", "mail"],
  routes: [
    "base",
    "errors",
    "legal",
    "content",
    "domain",
    "access",
    "http",
    "ui",
    "i18n",
    "openapi",
    "gateway",
    "gateway/dialects",
    "mail",
    "jobs",
  ],
};

const PARTS = Object.keys(MAY_USE).sort((a, b) => b.length - a.length);

// The process entry starts everything, and the root and the entries frame every page: they are above the parts.
const ABOVE = /^app\/(?:server|bootstrap\.server|metrics-gauges\.server|root|entry\.(?:server|client)|routes)$/;

/** Returns the part of an application module; null for files above all parts. */
export function partOf(module: string): string | null {
  if (ABOVE.test(module)) return null;
  const inside = module.slice("app/".length);
  return PARTS.find((part) => inside.startsWith(`${part}/`)) ?? "base";
}

/** Rooms in order; a room may use only the faces of earlier rooms. See docs/decisions/075. */
const ROOMS: readonly (readonly string[])[] = [
  ["activity", "credentials", "accounting"],
  ["accounts", "catalogue"],
  ["guardrails", "payers", "pricing"],
  ["people"],
  ["organisations"],
  ["keys"],
  ["routing", "budgets", "billing", "promotions"],
  ["usage", "idempotency", "statements"],
  ["request-log", "reports", "conversations", "responses", "files"],
  ["batches"],
];

export const roomOf = (module: string): string | null => /^app\/domain\/([^/]+)\//.exec(module)?.[1] ?? null;

/** Returns the position of a room in this order; -1 if it is not a room. */
export const rankOf = (room: string): number => ROOMS.findIndex((rank) => rank.includes(room));

/** Whether a module is a face of its room, which other rooms may import. Model profiles are data for dialects. */
export const isFace = (module: string): boolean =>
  /^app\/domain\/(?:[^/]+\/(?:index\.server|shared)|catalogue\/profiles(?:\/index)?)$/.test(module);
