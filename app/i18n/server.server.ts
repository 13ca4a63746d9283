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
  const made = withoutCopies(createI18n(language, WORDS[language]));
  translators.set(language, made);
  return made;
}

/**
 * The same translator without properties of its own. `useTranslation` copies all of these wherever it is used, and the `t` that it asks for copies all
 * options with each text; on a page with a long table that was a good part of the time. This one's `t` is made once for each namespace.
 */
function withoutCopies(translator: I18n): I18n {
  const known = new Map<string, I18n["t"]>();
  const text = translator.t as (key: string, options: object) => string;
  const getFixedT = (lng: string, ns: string): I18n["t"] => {
    const name = `${lng} ${ns}`;
    const there = known.get(name);
    if (there !== undefined) return there;
    const fixed = (key: string, options?: object | string) =>
      text(key, { lng, ns, ...(typeof options === "string" ? { defaultValue: options } : options) });
    known.set(name, fixed as I18n["t"]);
    return fixed as I18n["t"];
  };
  return Object.create(translator, { getFixedT: { value: getFixedT } }) as I18n;
}
