import { createHash } from "node:crypto";

/** Returns 32 bits that depend only on the text. */
export const hashOf = (text: string): number => createHash("sha256").update(text).digest().readUInt32LE(0);

/**
 * Returns 32 bits that depend only on the text; fast enough for thousands of texts. FNV-1a with a final mix of the
 * bits.
 */
export function quickHashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** Returns letters and digits that depend only on the text, for ids. */
export const nameOf = (text: string, length = 24): string =>
  createHash("sha256").update(text).digest("hex").slice(0, length);

const MAX_CHARACTERS = 4_096;

/** Returns a short substitute of a text that is hashed repeatedly: the text itself unless it is long. */
export const digested = (text: string): string => (text.length <= MAX_CHARACTERS ? text : nameOf(text, 64));

/** Returns an item of a list, always the same for the same text. */
export const pick = <Item>(items: readonly Item[], text: string): Item => items[hashOf(text) % items.length]!;
