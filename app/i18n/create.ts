import { createInstance, type i18n as I18n } from "i18next";
import { initReactI18next } from "react-i18next";
import type { Language } from "./languages";
import { moneyText } from "./money-text";
import type { Words } from "./words";
import "./resources";

/** Creates the translator of one language. It is ready at once and never loads anything. */
export function createI18n(language: Language, messages: Words): I18n {
  const i18n = createInstance();
  void i18n.use(initReactI18next).init({
    lng: language,
    resources: { [language]: messages as Record<string, Record<string, string>> },
    ns: Object.keys(messages),
    initAsync: false,
    fallbackLng: false,
    // React escapes all text, and emails escape their own.
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  // `{{amount, usd}}` formats nano-USD: a bigint, or a number or text where the value comes from JSON.
  i18n.services.formatter?.add("usd", (nanoUsd: bigint | number | string, lng) =>
    moneyText(BigInt(nanoUsd), lng ?? language),
  );
  return i18n;
}
