import type { Resources } from "~/i18n/resources";

type Plural = "zero" | "one" | "two" | "few" | "many" | "other";
/** A path through nested words; the forms of a plural are one key. */
type PathIn<Words> = {
  [Name in keyof Words & string]: Words[Name] extends string
    ? Name extends `${infer Base}_${Plural}`
      ? Base
      : Name
    : `${Name}.${PathIn<Words[Name]>}`;
}[keyof Words & string];

/** A sentence of the language files, such as `keys:problem.nameEmpty`. */
export type MessageKey = {
  [Space in keyof Resources & string]: `${Space}:${PathIn<Resources[Space]>}`;
}[keyof Resources & string];
export type MessageValues = Readonly<Record<string, string | number>>;

/** What to tell somebody, whatever language they read: a sentence of the language files and what stands in it. */
export type Message = { key: MessageKey; values?: MessageValues };

const ENCODED = /^([a-z][a-zA-Z]*:[\w.-]+)(?:\?(\{.*\}))?$/s;

/**
 * A message as text, for what carries texts only, such as the issues of a schema:
 * `z.string().min(1, issue("keys:problem.nameEmpty"))`. `messageOf` reads it back.
 */
export const issue = (key: MessageKey, values?: MessageValues): string =>
  values === undefined ? key : `${key}?${JSON.stringify(values)}`;

/** The message that a text carries; null for any other text. */
export function messageOf(text: string): Message | null {
  const [, key, values] = ENCODED.exec(text) ?? [];
  if (key === undefined) return null;
  return values === undefined ? { key: key as MessageKey } : { key: key as MessageKey, values: JSON.parse(values) };
}
