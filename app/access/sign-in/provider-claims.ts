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
export const isConfirmed = (value: unknown): boolean => value === true || value === "true";

/** A name as a page can show it; empty for anything that is none. */
export function nameIn(value: unknown): string {
  const name = typeof value === "string" ? value : "";
  const line = name.slice(0, 120).replace(NOT_IN_LINES, " ").trim();
  return isLine(line) ? line : "";
}
