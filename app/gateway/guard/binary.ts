import { isUtf8 } from "node:buffer";

/** A text inside a URL or base64 value, and the function that writes another text in the same encoding. */
type WrittenText = { text: string; written(text: string): string };

const DATA_URL = /^\s*data:([^,]{0,200}),/i;
/** Standard and URL-safe alphabet. */
const BASE64 = /^[\w+/-]*={0,2}$/;
/** Minimum length of a value without a `data:` prefix to count as base64; shorter ones may be words. */
const MIN_BASE64 = 64;
/** Bytes decoded to test whether a value is text. */
const HEAD = 1_024;
const TEXT_TYPE =
  /^(?:text\/|application\/(?:json|xml|xhtml|yaml|x-yaml|javascript|x-ndjson|toml|sql)\b|[^;]*\+(?:json|xml)\b)/i;

/**
 * Returns the text that a model reads from a value of a binary field. Null for a picture, sound or document in base64;
 * otherwise the text itself, also if it is encoded as a `data:` URL or base64. `mediaType`: the type from another
 * field.
 */
export function textOfBinary(value: string, mediaType: unknown): WrittenText | null {
  const url = DATA_URL.exec(value);
  if (url === null) return isBase64(value) && value.length >= MIN_BASE64 ? decoded("", value, mediaType) : plain(value);
  const [head, type = ""] = url;
  const rest = value.slice(head.length);
  if (/;\s*base64\s*$/i.test(type)) return isBase64(rest) ? decoded(head, rest, type || mediaType) : plain(value);
  const text = percentDecoded(rest);
  return { text, written: (clean) => head + (text === rest ? clean : encodeURIComponent(clean)) };
}

const plain = (text: string): WrittenText => ({ text, written: (clean) => clean });

const isBase64 = (text: string): boolean => text.length % 4 === 0 && BASE64.test(text);

function decoded(head: string, base64: string, mediaType: unknown): WrittenText | null {
  const isSaidToBeText = typeof mediaType === "string" && TEXT_TYPE.test(mediaType.trim());
  if (!isSaidToBeText && !mayBeText(Buffer.from(base64.slice(0, HEAD), "base64"))) return null;
  const bytes = Buffer.from(base64, "base64");
  if (!isSaidToBeText && !isUtf8(bytes)) return null;
  return { text: bytes.toString("utf8"), written: (clean) => head + Buffer.from(clean).toString("base64") };
}

/** Whether bytes may be the beginning of a text, whose last character may be cut off. */
const mayBeText = (head: Buffer): boolean => [0, 1, 2, 3].some((cut) => isUtf8(head.subarray(0, head.length - cut)));

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
