import { isUtf8 } from "node:buffer";

/**
 * A line of a file without its line break: `bytes` long, from byte `at`. `number` counts from 1. `text`: null if it is
 * too long or not UTF-8.
 */
export type FileLine = { number: number; at: number; bytes: number; text: string | null };

const NEWLINE = 10;
/** Length of U+FEFF in UTF-8. */
const MARK_BYTES = 3;

/** Splits a stream into lines and omits blank ones. Keeps at most `maxBytes` of a line in memory. */
export async function* splitLines(
  pieces: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<FileLine, void, undefined> {
  let pending: Buffer[] = [];
  let bytes = 0;
  let at = 0;
  let number = 1;
  const line = (): FileLine | null => {
    const joined = Buffer.concat(pending);
    const text = bytes > maxBytes || !isUtf8(joined) ? null : joined.toString("utf8");
    // Some editors begin a file with a byte order mark.
    if (number === 1 && text?.startsWith("\ufeff") && text.trim() !== "")
      return { number, at: MARK_BYTES, bytes: bytes - MARK_BYTES, text: text.slice(1) };
    return text !== null && text.trim() === "" ? null : { number, at, bytes, text };
  };
  const keep = (part: Buffer) => {
    bytes += part.length;
    if (bytes > maxBytes) pending = [];
    else pending.push(part);
  };
  for await (const piece of pieces) {
    let start = 0;
    for (let end = piece.indexOf(NEWLINE); end !== -1; end = piece.indexOf(NEWLINE, start)) {
      keep(piece.subarray(start, end));
      const lastLine = line();
      if (lastLine !== null) yield lastLine;
      at += bytes + 1;
      number += 1;
      pending = [];
      bytes = 0;
      start = end + 1;
    }
    keep(piece.subarray(start));
  }
  const last = line();
  if (last !== null) yield last;
}
