import type { z } from "zod";

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

/** Gives a handler its declaration; wrappers that make handlers call it. */
export function declared<Handler extends object>(handler: Handler, declaration: Declaration): Handler {
  return Object.assign(handler, { declaration });
}

/** What a handler says about itself; null when it says nothing. */
export function declarationOf(handler: unknown): Declaration | null {
  return (handler as { declaration?: Declaration } | null | undefined)?.declaration ?? null;
}
