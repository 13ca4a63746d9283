import { isLanguage, LANGUAGES, type Language } from "./languages";
import type { Words } from "./words";

const BUNDLES: Readonly<Record<Language, () => Promise<{ default: Words }>>> = {
  en: () => import("./bundles/en"),
  de: () => import("./bundles/de"),
  fr: () => import("./bundles/fr"),
  es: () => import("./bundles/es"),
};

/** Returns the language of the document and its texts. For the browser; fetches only that language. */
export async function wordsOfDocument(): Promise<{ language: Language; messages: Words }> {
  const { lang } = document.documentElement;
  const language = isLanguage(lang) ? lang : LANGUAGES[0];
  return { language, messages: (await BUNDLES[language]()).default };
}
