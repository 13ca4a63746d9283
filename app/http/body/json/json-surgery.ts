// Own code on purpose: it replaces one value and keeps every other byte; JSON packages rewrite the whole text.
import { apiError } from "~/errors/app-error";

/**
 * The position of a top-level member in a JSON object's text: its key's opening quote, and the start and end of its
 * value.
 */
export type Member = { key: string; keyStart: number; valueStart: number; valueEnd: number };

/**
 * Finds the top-level members of a JSON object in its text, so that single values can be replaced while every other
 * byte (big integers, key order, unknown fields) stays as the client wrote it. Lists every occurrence of a repeated
 * key. `text` must have passed JSON.parse and be an object. Skips strings by searching for quotes, so long ones
 * (images) cost little.
 * @throws AppError invalid_json when values are nested too deeply.
 */
export function topLevelMembers(text: string): Member[] {
  const members: Member[] = [];
  let at = skipSpace(text, text.indexOf("{") + 1);
  while (text.charCodeAt(at) === QUOTE) {
    const keyStart = at;
    const keyEnd = stringEnd(text, at);
    const rawKey = text.slice(keyStart + 1, keyEnd - 1);
    const valueStart = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const valueEnd = endOfValue(text, valueStart);
    // A key written with escapes ("mod\u0065l") is the same key.
    members.push({ key: rawKey.includes("\\") ? JSON.parse(`"${rawKey}"`) : rawKey, keyStart, valueStart, valueEnd });
    at = skipSpace(text, valueEnd);
    if (text.charCodeAt(at) !== COMMA) break;
    at = skipSpace(text, at + 1);
  }
  return members;
}

/**
 * Replaces (`string`: the new value's JSON) or removes (`null`) top-level members, and adds missing ones. Treats every
 * occurrence of a repeated key the same. Returns the new text.
 */
export function editMembers(
  text: string,
  members: readonly Member[],
  edits: Readonly<Record<string, string | null>>,
): string {
  let out = text.slice(0, text.indexOf("{") + 1);
  let copiedTo = 0;
  const seen = new Set<string>();
  for (const member of members) {
    const edit = Object.hasOwn(edits, member.key) ? edits[member.key] : undefined;
    if (edit !== undefined) seen.add(member.key);
    if (edit === null) continue;
    if (copiedTo > 0) out += ",";
    out +=
      edit === undefined
        ? text.slice(member.keyStart, member.valueEnd)
        : text.slice(member.keyStart, member.valueStart) + edit;
    copiedTo += 1;
  }
  for (const key of Object.keys(edits)) {
    const edit = edits[key];
    if (edit == null || seen.has(key)) continue;
    out += `${copiedTo > 0 ? "," : ""}${JSON.stringify(key)}:${edit}`;
    copiedTo += 1;
  }
  return `${out}}`;
}

/** Maximum nesting depth; deeper values could not be written again, and no real request has them. */
const MAX_DEPTH = 500;

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;

function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return at;
    at += 1;
  }
}

/** Returns the index after the closing quote of the string that opens at `from`. */
export function stringEnd(text: string, from: number): number {
  let quote = text.indexOf('"', from + 1);
  while (isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote + 1;
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0;
  for (let at = quote - 1; text.charCodeAt(at) === BACKSLASH; at -= 1) backslashes += 1;
  return backslashes % 2 === 1;
}

function endOfValue(text: string, from: number): number {
  const first = text.charCodeAt(from);
  if (first === QUOTE) return stringEnd(text, from);
  let at = from;
  let depth = 0;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = stringEnd(text, at);
      if (depth === 0) return at;
      continue;
    }
    if (code === 123 || code === 91) {
      depth += 1;
      if (depth > MAX_DEPTH) throw apiError("invalid_json", { userMessage: "The request body is nested too deeply." });
    } else if (code === 125 || code === 93) {
      if (depth === 0) return trimEnd(text, at);
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (code === COMMA && depth === 0) return trimEnd(text, at);
    at += 1;
  }
}

function trimEnd(text: string, end: number): number {
  let at = end;
  while (text.charCodeAt(at - 1) <= 32) at -= 1;
  return at;
}
