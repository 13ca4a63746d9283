import { createContext, type RouterContextProvider } from "react-router";
import { acceptedLanguage } from "~/i18n/accepted-language.server";
import { isLanguage, LANGUAGES, type Language } from "~/i18n/languages";
import { readCookie, setCookie } from "./cookies";

const LANGUAGE_COOKIE = "gw_language";
const ONE_YEAR_SECONDS = 31_536_000;

/** Written once per request by the root's middleware. */
export const languageContext = createContext<Language>(LANGUAGES[0]);

/** The language that a request is answered in. */
export const languageOf = (context: Readonly<RouterContextProvider>): Language => context.get(languageContext);

/** What somebody has chosen on this browser, else on their profile, else what the browser asks for. */
export function chooseLanguage(request: Request, profile: string | null): Language {
  const chosen = readCookie(request, LANGUAGE_COOKIE);
  if (isLanguage(chosen)) return chosen;
  return isLanguage(profile) ? profile : acceptedLanguage(request.headers.get("accept-language"));
}

/** The Set-Cookie header that remembers a language for a year. */
export const languageCookie = (language: Language): string =>
  setCookie(LANGUAGE_COOKIE, language, { maxAgeSeconds: ONE_YEAR_SECONDS });
