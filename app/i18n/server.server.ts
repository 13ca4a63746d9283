import type { i18n as I18n } from "i18next";
import de from "./bundles/de";
import en from "./bundles/en";
import es from "./bundles/es";
import fr from "./bundles/fr";
import { createI18n } from "./create";
import type { Language } from "./languages";
import type { Words } from "./namespaces-of";

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
 * (a form's problem, an error's message) that the namespace `problems` knows in English. Other texts stay as they are.
 */
export function inLanguage(
  text: string,
  language: Language,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const key = KEY.test(text) ? text : keyOfSentence().get(text);
  if (key === undefined) return text;
  const translate = i18nFor(language).t as (key: string, values: object) => string;
  return translate(key, values);
}

let sentences: ReadonlyMap<string, string> | null = null;

function keyOfSentence(): ReadonlyMap<string, string> {
  sentences ??= new Map(Object.entries(en.problems ?? {}).map(([key, text]) => [String(text), `problems:${key}`]));
  return sentences;
}
