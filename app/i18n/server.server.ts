import type { i18n as I18n } from "i18next";
import de from "./bundles/de";
import en from "./bundles/en";
import es from "./bundles/es";
import fr from "./bundles/fr";
import { createI18n } from "./create";
import type { Language } from "./languages";
import type { Words } from "./words";

/** All texts of all languages; a browser gets those of one. */
export const WORDS: Readonly<Record<Language, Words>> = { en, de, fr, es };

const translators = new Map<Language, I18n>();

/** Returns the translator of a language. All requests share it, because it never changes. */
export function i18nFor(language: Language): I18n {
  const there = translators.get(language);
  if (there) return there;
  const instance = lean(createI18n(language, WORDS[language]));
  translators.set(language, instance);
  return instance;
}

/**
 * A lighter translator for rendering pages. `useTranslation` copies all own properties of a translator on each use, and
 * its `t` copies all options for each text: a third of the render time of a page with a long table. This one has almost
 * no own properties, one `t` for each namespace, and a cache of texts without placeholders.
 */
function lean(translator: I18n): I18n {
  const known = new Map<string, I18n["t"]>();
  const translate = translator.getFixedT.bind(translator) as (...options: unknown[]) => I18n["t"];
  const getFixedT = (lng: unknown, ns?: unknown, ...more: unknown[]): I18n["t"] => {
    const [keyPrefix] = more;
    if (typeof lng !== "string" || typeof ns !== "string" || keyPrefix) return translate(lng, ns, ...more);
    const name = `${lng} ${ns}`;
    const there = known.get(name);
    if (there !== undefined) return there;
    const fixedTranslator = fixed(translator, lng, ns);
    known.set(name, fixedTranslator);
    return fixedTranslator;
  };
  return Object.create(translator, { getFixedT: { value: getFixedT } }) as I18n;
}

function fixed(translator: I18n, lng: string, ns: string): I18n["t"] {
  const text = translator.t.bind(translator) as (key: unknown, options: object) => string;
  const cache = new Map<unknown, string>();
  const t = (key: unknown, options?: Record<string, unknown> | string, ...rest: unknown[]): string => {
    if (typeof options === "object" && options !== null)
      return text(key, { ...options, lng: options.lng || lng, ns: options.ns || ns });
    if (options !== undefined || rest.length > 0) return text(key, { defaultValue: options, lng, ns });
    const there = cache.get(key);
    if (there !== undefined) return there;
    const translated = text(key, { lng, ns });
    // Cache existing keys only, whose number is bounded.
    if (typeof key === "string" && typeof translated === "string" && translator.exists(key, { lng, ns: ns as never }))
      cache.set(key, translated);
    return translated;
  };
  // `Trans` reads these properties.
  return Object.assign(t, { lng, ns, keyPrefix: undefined }) as unknown as I18n["t"];
}
