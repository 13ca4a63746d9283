import { createHash } from "node:crypto";

/** 32 bits that depend on nothing but the text. */
export const hashOf = (text: string): number => createHash("sha256").update(text).digest().readUInt32LE(0);

/** 32 bits that depend on nothing but the text, for thousands of texts at once: FNV-1a with a last mixing of the bits. */
export function quickHashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** Letters and digits that depend on nothing but the text, for ids. */
export const nameOf = (text: string, length = 24): string =>
  createHash("sha256").update(text).digest("hex").slice(0, length);

const MAX_CHARACTERS = 4_096;

/** What stands for a text where it is hashed again and again: itself, unless that would take long. */
export const digested = (text: string): string => (text.length <= MAX_CHARACTERS ? text : nameOf(text, 64));

/** One of a list, always the same one for the same text. */
export const pick = <Item>(items: readonly Item[], text: string): Item => items[hashOf(text) % items.length]!;
