import type { Resources } from "~/i18n/resources";

type Plural = "zero" | "one" | "two" | "few" | "many" | "other";
/** A path through nested messages; all plural forms of a message are one key. */
type PathIn<Words> = {
  [Name in keyof Words & string]: Words[Name] extends string
    ? Name extends `${infer Base}_${Plural}`
      ? Base
      : Name
    : `${Name}.${PathIn<Words[Name]>}`;
}[keyof Words & string];

/** Key of a message in the language files, such as `keys:problem.nameEmpty`. */
export type MessageKey = {
  [Space in keyof Resources & string]: `${Space}:${PathIn<Resources[Space]>}`;
}[keyof Resources & string];
export type MessageValues = Readonly<Record<string, string | number>>;

/** A message that is not translated yet: a key of the language files and the values to insert. */
export type Message = { key: MessageKey; values?: MessageValues };

const ENCODED = /^([a-z][a-zA-Z]*:[\w.-]+)(?:\?(\{.*\}))?$/s;

/**
 * Encodes a message as text, for APIs that accept only texts, such as the issues of a schema:
 * `z.string().min(1, issue("keys:problem.nameEmpty"))`. `messageOf` decodes it.
 */
export const issue = (key: MessageKey, values?: MessageValues): string =>
  values === undefined ? key : `${key}?${JSON.stringify(values)}`;

/** Decodes a message from text; null for any other text. */
export function messageOf(text: string): Message | null {
  const [, key, values] = ENCODED.exec(text) ?? [];
  if (key === undefined) return null;
  return values === undefined ? { key: key as MessageKey } : { key: key as MessageKey, values: JSON.parse(values) };
}
