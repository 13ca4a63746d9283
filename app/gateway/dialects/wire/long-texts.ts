import { isAscii } from "node:buffer";
import { randomUUID } from "node:crypto";
import { exactAnswer } from "~/http/exact-numbers";

/** Shorter JSON is parsed as it is. */
const LONG_JSON = 256 * 1024;
/** A text beyond this length that looks like a file's bytes is one. */
const LONG_TEXT = 64 * 1024;

/** Stands in for a file. Random, so that no supplier can have written it. */
const MARK = `gw-file-${randomUUID()}-`;

/** Bytes as text: of ASCII, which pictures in base64 are, that is a copy and no decoding. */
export const decoded = (bytes: Buffer): string =>
  bytes.length > LONG_JSON && isAscii(bytes) ? bytes.toString("latin1") : bytes.toString("utf8");

/**
 * What JSON.parse makes of a text, also where megabytes of it are files in base64: those are cut out of the text, not read letter by
 * letter, so that nobody waits for it. @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  if (text.length < LONG_JSON) return JSON.parse(text);
  const { rest, files } = withoutFiles(text);
  return files.length === 0 ? JSON.parse(text) : withFiles(JSON.parse(rest), files);
}

/** The same with the numbers of calls as they were written. @throws SyntaxError */
export const parseExactJson = (text: string): unknown => exactAnswer(parseJson(text), text);

/** A JSON text with a short mark in place of each file in it, and the files. */
export function withoutFiles(text: string): { rest: string; files: readonly string[] } {
  const files: string[] = [];
  const rest: string[] = [];
  let from = 0;
  for (let open = text.indexOf('"'), texts = 0; open >= 0 && texts < MAX_TEXTS; texts += 1) {
    const close = endOfText(text, open);
    if (close < 0) break;
    if (close - open > LONG_TEXT && BASE64.test(text.slice(open + 1, open + 1 + HEAD_LENGTH))) {
      const file = text.slice(open + 1, close);
      // What is written with escapes is no longer what it stands for.
      if (!file.includes("\\")) {
        rest.push(text.slice(from, open + 1), MARK, String(files.length));
        files.push(file);
        from = close;
      }
    }
    open = text.indexOf('"', close + 1);
  }
  if (files.length === 0) return { rest: text, files };
  rest.push(text.slice(from));
  return { rest: rest.join(""), files };
}

/** Texts that are looked at: a few milliseconds. */
const MAX_TEXTS = 100_000;
const HEAD_LENGTH = 1_024;
const BASE64 = /^(?:data:[^,"\\]{1,200},)?[A-Za-z0-9+/_=-]+$/;

/** The quote that ends a text; -1: none does. */
function endOfText(text: string, open: number): number {
  for (let end = text.indexOf('"', open + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return -1;
}

const BACKSLASH = 92;

/** The value of the shorter text with the files where they stood. */
export function withFiles(value: unknown, files: readonly string[]): unknown {
  if (typeof value === "string") return value.startsWith(MARK) ? files[Number(value.slice(MARK.length))] : value;
  if (typeof value !== "object" || value === null) return value;
  for (const [name, member] of Object.entries(value)) {
    const put = withFiles(member, files);
    if (put !== member)
      Object.defineProperty(value, name, { value: put, enumerable: true, writable: true, configurable: true });
  }
  return value;
}
