import { EmailField, isLine, NOT_IN_LINES } from "~/domain/identity/shared";

/** The address that a provider tells, as accounts have it; null for anything that is none. */
export const addressIn = (value: unknown): string | null => EmailField.safeParse(value).data ?? null;

/** Only these words are a confirmation: providers differ in whether they send a truth value or a text. */
export const isConfirmed = (value: unknown): boolean => value === true || value === "true";

/** A name as a page can show it; empty for anything that is none. */
export function nameIn(value: unknown): string {
  const name = typeof value === "string" ? value : "";
  const line = name.slice(0, 120).replace(NOT_IN_LINES, " ").trim();
  return isLine(line) ? line : "";
}
