import { createInstance, type i18n as I18n } from "i18next";
import { initReactI18next } from "react-i18next";
import type { Language } from "./languages";
import { moneyText } from "./money-text";
import type { Words } from "./words";
import "./resources";

/** The translator of one language. It is ready at once and never loads anything. */
export function createI18n(language: Language, words: Words): I18n {
  const i18n = createInstance();
  void i18n.use(initReactI18next).init({
    lng: language,
    resources: { [language]: words as Record<string, Record<string, string>> },
    ns: Object.keys(words),
    initAsync: false,
    fallbackLng: false,
    // React escapes what it writes; mails escape their own.
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  // `{{amount, usd}}`: nano-USD, whole or as text, for what carries no other numbers than JSON does.
  i18n.services.formatter?.add("usd", (nanoUsd: bigint | number | string, lng) =>
    moneyText(BigInt(nanoUsd), lng ?? language),
  );
  return i18n;
}
