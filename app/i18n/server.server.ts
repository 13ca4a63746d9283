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
