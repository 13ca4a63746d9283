import type { z } from "zod";
import { closed } from "./body/closed-schema";

export const HTTP_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

/** The declaration of a handler, attached to it; the API description and the contract tests read it. */
export type Declaration = {
  methods: readonly HttpMethod[];
  /** Allowed callers: a role, `signed-in` or `anyone`; by default, those of the area. */
  allow?: string;
  params?: z.ZodType;
  query?: Partial<Record<HttpMethod, z.ZodType>>;
  body?: Partial<Record<HttpMethod, z.ZodType>>;
};

/**
 * Attaches a declaration to a handler; called by functions that create handlers. Body schemas reject unknown fields, as
 * the readers do.
 */
export function declared<Handler extends object>(handler: Handler, declaration: Declaration): Handler {
  const bodies = Object.entries(declaration.body ?? {}).map(([method, schema]) => [method, closed(schema)]);
  return Object.assign(handler, { declaration: { ...declaration, body: Object.fromEntries(bodies) } });
}

/** Returns the declaration of a handler; null when it has none. */
export function declarationOf(handler: unknown): Declaration | null {
  return (handler as { declaration?: Declaration } | null | undefined)?.declaration ?? null;
}
