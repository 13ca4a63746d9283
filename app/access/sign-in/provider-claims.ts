import { EmailField, isLine, NOT_IN_LINES } from "~/domain/accounts/shared";

/** Returns a provider's email address in the form of accounts; null for an invalid one. */
export const addressIn = (value: unknown): string | null => EmailField.safeParse(value).data ?? null;

const MAX_SUBJECT_LENGTH = 255;

/**
 * Returns the provider's permanent id of a person: 1 to 255 printable ASCII characters without spaces, as in OpenID
 * Connect.
 * @throws Error for a value that could identify several people, or none.
 */
export function subjectIn(value: unknown): string {
  if (typeof value !== "string" || value.length > MAX_SUBJECT_LENGTH || !/^[\x21-\x7e]+$/.test(value))
    throw new Error("the provider names nobody");
  return value;
}

/** Whether a value confirms an address; providers send a boolean or a text. */
export const isConfirmed = (value: unknown): boolean => value === true || value === "true" || value === "1";

/** Whether a provider's email address has non-ASCII characters, which gw does not support. */
export const isBeyondAscii = (value: unknown): value is string =>
  typeof value === "string" && value.includes("@") && /\P{ASCII}/u.test(value);

/**
 * Returns the value at a path such as `data.id`, or `emails.0` for the first list element; undefined without one. A
 * claim's own name may contain dots, such as `https://acme.example/email`.
 */
export function valueAt(from: unknown, path: string): unknown {
  if (typeof from === "object" && from !== null && Object.hasOwn(from, path))
    return (from as Record<string, unknown>)[path] ?? undefined;
  let value = from;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value ?? undefined;
}

/** Returns a name in displayable form; empty for another value. */
export function nameIn(value: unknown): string {
  const name = typeof value === "string" ? value : "";
  const line = name.slice(0, 120).replace(NOT_IN_LINES, " ").trim();
  return isLine(line) ? line : "";
}
