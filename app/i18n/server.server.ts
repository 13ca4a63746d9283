import type { i18n as I18n } from "i18next";
import de from "./bundles/de";
import en from "./bundles/en";
import es from "./bundles/es";
import fr from "./bundles/fr";
import { createI18n } from "./create";
import type { Language } from "./languages";
import type { Words } from "./words";

/** All words of all languages; the browser gets those of one. */
export const WORDS: Readonly<Record<Language, Words>> = { en, de, fr, es };

const translators = new Map<Language, I18n>();

/** The translator of a language; one for all requests, because nothing in it ever changes. */
export function i18nFor(language: Language): I18n {
  const there = translators.get(language);
  if (there) return there;
  const made = createI18n(language, WORDS[language]);
  translators.set(language, made);
  return made;
}

const KEY = /^[a-zA-Z]+:[\w.]+$/;

/**
 * A text for people in their language: of a key of the language files ("keys:revoked"), or of a sentence of the server's
 * (a form's problem, an error's message) that the namespace `problems` knows in English, with `{{amount}}` for a number in it.
 * Other texts stay as they are.
 */
export function inLanguage(
  text: string,
  language: Language,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const found = KEY.test(text) ? { key: text, values } : sentenceOf(text);
  if (found === null) return text;
  const translate = i18nFor(language).t as (key: string, values: object) => string;
  return translate(found.key, found.values);
}

const AMOUNT = "{{amount}}";
const NUMBER = /\d+(?:\.\d+)?/;
let sentences: ReadonlyMap<string, string> | null = null;

function sentenceOf(text: string): { key: string; values: { amount?: string } } | null {
  sentences ??= new Map(Object.entries(en.problems ?? {}).map(([key, known]) => [String(known), `problems:${key}`]));
  const plain = sentences.get(text);
  if (plain !== undefined) return { key: plain, values: {} };
  const [amount] = NUMBER.exec(text) ?? [];
  const key = amount === undefined ? undefined : sentences.get(text.replace(amount, AMOUNT));
  return key === undefined ? null : { key, values: { amount } };
}
