import { isAscii } from "node:buffer";
import { randomUUID } from "node:crypto";
import { exactAnswer } from "~/http/body/json/exact-numbers";

/** Minimum length of JSON that is searched for files before it is parsed. */
const LONG_JSON = 256 * 1024;
/** Minimum length of a base64 text that counts as a file. */
const LONG_TEXT = 64 * 1024;

/** Placeholder for a file. Random, so that no supplier's text can contain it. */
const MARK = `gw-file-${randomUUID()}-`;

/** Decodes bytes as UTF-8. Long ASCII, such as pictures in base64, is copied as Latin-1, which is faster. */
export const decoded = (bytes: Buffer): string =>
  bytes.length > LONG_JSON && isAscii(bytes) ? bytes.toString("latin1") : bytes.toString("utf8");

/**
 * Parses JSON like JSON.parse. Megabytes of base64 files are cut out first instead of parsed, so that the event loop is
 * not held.
 * @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  if (text.length < LONG_JSON) return JSON.parse(text);
  const { rest, files } = withoutFiles(text);
  return files.length === 0 ? JSON.parse(text) : withFiles(JSON.parse(rest), files);
}

/** Same, with the digits of numbers in tool calls as they were written. @throws SyntaxError */
export const parseExactJson = (text: string): unknown => exactAnswer(parseJson(text), text);

/** Returns a JSON text with a short placeholder for each file in it, and the files. */
export function withoutFiles(text: string): { rest: string; files: readonly string[] } {
  const files: string[] = [];
  const rest: string[] = [];
  let from = 0;
  for (let open = text.indexOf('"'), texts = 0; open >= 0 && texts < MAX_TEXTS; texts += 1) {
    const close = endOfText(text, open);
    if (close < 0) break;
    if (close - open > LONG_TEXT && BASE64.test(text.slice(open + 1, open + 1 + HEAD_LENGTH))) {
      const file = text.slice(open + 1, close);
      // A text with escapes differs from its value, so it is not cut out.
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

/** Maximum texts examined per body, which takes a few milliseconds. */
const MAX_TEXTS = 100_000;
const HEAD_LENGTH = 1_024;
const BASE64 = /^(?:data:[^,"\\]{1,200},)?[A-Za-z0-9+/_=-]+$/;

/** Returns the index of the quote that ends a text; -1 if there is none. */
function endOfText(text: string, open: number): number {
  for (let end = text.indexOf('"', open + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return -1;
}

const BACKSLASH = 92;

/** Puts the files back into the parsed value of the shortened text. */
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
