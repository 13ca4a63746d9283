import { malformed } from "../unsupported";

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns `value` as an object. @throws AppError invalid_request naming `at`. */
export function objectAt(value: unknown, at: string): JsonObject {
  if (!isObject(value)) throw malformed(at, "must be an object");
  return value;
}

/** Returns `value` as a string. @throws AppError invalid_request naming `at`. */
export function textAt(value: unknown, at: string): string {
  if (typeof value !== "string") throw malformed(at, "must be a text");
  return value;
}

/** Returns `value` as a list; null and undefined become an empty list. @throws AppError invalid_request naming `at`. */
export function listAt(value: unknown, at: string): readonly unknown[] {
  if (value == null) return [];
  if (!Array.isArray(value)) throw malformed(at, "must be a list");
  return value;
}

export const numberOrNull = (value: unknown): number | null => (typeof value === "number" ? value : null);

/** Parses a `data:` URL with base64 content; null for anything else. */
export function readDataUrl(url: string): { mediaType: string; data: string } | null {
  const head = /^data:([^;,]*)(?:;[^;,]*)*?;base64,/i.exec(url.slice(0, 200));
  if (head === null) return null;
  return { mediaType: (head[1] ?? "").toLowerCase(), data: url.slice(head[0].length) };
}
