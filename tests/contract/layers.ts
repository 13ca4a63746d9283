/** The parts of the application, and for each the parts whose code it may use besides its own. */
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

// The process starts everything and the root and the entry frame every page: they stand above the parts.
const ABOVE = /^app\/(?:server|bootstrap\.server|metrics-gauges\.server|root|entry\.(?:server|client)|routes)$/;

/** The part that a module of the application belongs to; null for the files that stand above all parts. */
export function partOf(module: string): string | null {
  if (ABOVE.test(module)) return null;
  const inside = module.slice("app/".length);
  return PARTS.find((part) => inside.startsWith(`${part}/`)) ?? "base";
}

/** Rooms from left to right; a room may use the faces of rooms further left only. */
const ROOMS: readonly (readonly string[])[] = [
  ["activity", "credentials", "accounting"],
  ["identity", "catalogue"],
  ["guardrails"],
  ["organisations"],
  ["keys"],
  ["routing", "budgets", "billing", "promotions"],
  ["metering", "idempotency", "statements"],
  ["reports", "conversations", "responses", "files"],
  ["batches"],
];

export const roomOf = (module: string): string | null => /^app\/domain\/([^/]+)\//.exec(module)?.[1] ?? null;

/** How far right a room stands; -1 when it is not one of the rooms. */
export const rankOf = (room: string): number => ROOMS.findIndex((rank) => rank.includes(room));

/** Whether a module is a face of its room: what others may see of it. Dialects read profiles of models, which are data alone. */
export const isFace = (module: string): boolean =>
  /^app\/domain\/(?:[^/]+\/(?:index\.server|shared)|catalogue\/profiles(?:\/index)?)$/.test(module);
