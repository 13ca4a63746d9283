import type { z } from "zod";
import { closed } from "./closed-schema";

export const HTTP_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

/** What a handler says about itself: the description of the service and the contract tests read it off the handler. */
export type Declaration = {
  methods: readonly HttpMethod[];
  /** Who may call: a role, `signed-in` or `anyone`; left out, the area decides. */
  allow?: string;
  params?: z.ZodType;
  query?: Partial<Record<HttpMethod, z.ZodType>>;
  body?: Partial<Record<HttpMethod, z.ZodType>>;
};

/** Gives a handler its declaration; wrappers that make handlers call it. Bodies are closed, as those who read them do. */
export function declared<Handler extends object>(handler: Handler, declaration: Declaration): Handler {
  const bodies = Object.entries(declaration.body ?? {}).map(([method, schema]) => [method, closed(schema)]);
  return Object.assign(handler, { declaration: { ...declaration, body: Object.fromEntries(bodies) } });
}

/** What a handler says about itself; null when it says nothing. */
export function declarationOf(handler: unknown): Declaration | null {
  return (handler as { declaration?: Declaration } | null | undefined)?.declaration ?? null;
}
