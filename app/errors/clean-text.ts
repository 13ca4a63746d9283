const MAX_TEXT_LENGTH = 1_000;
const MAX_CODE_LENGTH = 100;

// Control, format and surrogate characters, and the two separators that some programs treat as line ends.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+/gu;
const LOOKS_LIKE_HTML = /<(?:!|\/?[a-z])/i;

/**
 * Sanitises a text from outside for display: one line, at most 1,000 characters.
 * Returns undefined when no readable text remains, or for markup, which is an error page rather than a message.
 */
export function cleanText(text: string | null | undefined): string | undefined {
  if (typeof text !== "string") return undefined;
  const bounded = text.length > 2 * MAX_TEXT_LENGTH ? text.slice(0, 2 * MAX_TEXT_LENGTH) : text;
  const line = bounded.replace(UNPRINTABLE, " ").replace(/\s+/g, " ").trim();
  if (line === "" || LOOKS_LIKE_HTML.test(line)) return undefined;
  return line.length > MAX_TEXT_LENGTH ? `${line.slice(0, MAX_TEXT_LENGTH - 1).trimEnd()}…` : line;
}

/** Additional fields of an error for programs: codes, names and numbers, not nested. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

const MAX_DETAILS = 20;

/**
 * Sanitises details from outside: retains texts, lists of texts, numbers, booleans and nulls. Returns null when nothing
 * remains.
 */
export function cleanDetails(details: unknown): ErrorDetails | null {
  if (typeof details !== "object" || details === null || Array.isArray(details)) return null;
  const cleanedDetails = Object.entries(details)
    .slice(0, MAX_DETAILS)
    .flatMap(([name, value]): [string, ErrorDetails[string]][] => {
      const key = cleanCode(name);
      const safe = cleanDetail(value);
      return key === null || safe === undefined ? [] : [[key, safe]];
    });
  return cleanedDetails.length === 0 ? null : Object.fromEntries(cleanedDetails);
}

function cleanDetail(value: unknown): ErrorDetails[string] | undefined {
  if (value === null || typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value === "string") return cleanText(value);
  if (!Array.isArray(value)) return undefined;
  return value.slice(0, MAX_DETAILS).flatMap((text) => (typeof text === "string" ? (cleanText(text) ?? []) : []));
}

/** Sanitises a code from outside: invalid characters become `_`. Returns null when nothing remains. */
export function cleanCode(code: string | null | undefined): string | null {
  if (typeof code !== "string") return null;
  const cleanedCode = code
    .trim()
    .slice(0, MAX_CODE_LENGTH)
    .replace(/[^A-Za-z0-9_.:/-]+/g, "_");
  return /[A-Za-z0-9]/.test(cleanedCode) ? cleanedCode : null;
}
