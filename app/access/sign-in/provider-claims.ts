import { EmailField, isLine, NOT_IN_LINES } from "~/domain/identity/shared";

/** The address that a provider tells, as accounts have it; null for anything that is none. */
export const addressIn = (value: unknown): string | null => EmailField.safeParse(value).data ?? null;

const MAX_SUBJECT_LENGTH = 255;

/**
 * What a provider calls one person for good: 1 to 255 printable ASCII characters without a space, as OpenID Connect has it.
 * @throws Error for anything that could stand for several people, or for none.
 */
export function subjectIn(value: unknown): string {
  if (typeof value !== "string" || value.length > MAX_SUBJECT_LENGTH || !/^[\x21-\x7e]+$/.test(value))
    throw new Error("the provider names nobody");
  return value;
}

/** Only these words are a confirmation: providers differ in whether they send a truth value or a text. */
export const isConfirmed = (value: unknown): boolean => value === true || value === "true" || value === "1";

/** Whether a provider's email address has letters beyond ASCII, which gw does not support. */
export const isBeyondAscii = (value: unknown): value is string =>
  typeof value === "string" && value.includes("@") && /\P{ASCII}/u.test(value);

/** What stands at a path such as `data.id`; undefined where there is nothing. */
export function valueAt(from: unknown, path: string): unknown {
  let value = from;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value ?? undefined;
}

/** A name as a page can show it; empty for anything that is none. */
export function nameIn(value: unknown): string {
  const name = typeof value === "string" ? value : "";
  const line = name.slice(0, 120).replace(NOT_IN_LINES, " ").trim();
  return isLine(line) ? line : "";
}
