import type { z } from "zod";

type Def = Readonly<Record<string, unknown>> & { error?: (issue: object) => unknown };

/** Returns the custom messages of a schema and its parts, without those of zod and of `issueMessage`. */
export function ownMessagesOf(schema: z.ZodType): string[] {
  const seen = new Set<object>();
  const found: string[] = [];
  visit(schema);
  return found;

  function visit(value: unknown): void {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    const def = (value as { _zod?: { def: Def } })._zod?.def;
    if (def === undefined) return void (isPlain(value) && Object.values(value).forEach(visit));
    if (typeof def.error === "function") found.push(textOf(def.error({ code: "custom", path: [], input: "" })));
    Object.values(def).forEach(visit);
  }
}

const isPlain = (value: object): boolean => Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;

const textOf = (message: unknown): string =>
  typeof message === "string" ? message : String((message as { message?: unknown } | null | undefined)?.message);
