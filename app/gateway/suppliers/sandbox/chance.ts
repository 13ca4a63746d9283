import { createHash } from "node:crypto";

/** 32 bits that depend on nothing but the text. */
export const hashOf = (text: string): number => createHash("sha256").update(text).digest().readUInt32LE(0);

/** Letters and digits that depend on nothing but the text, for ids. */
export const nameOf = (text: string, length = 24): string =>
  createHash("sha256").update(text).digest("hex").slice(0, length);

/** One of a list, always the same one for the same text. */
export const pick = <Item>(items: readonly Item[], text: string): Item => items[hashOf(text) % items.length]!;
