import { createContext, type RouterContextProvider } from "react-router";
import { acceptedLanguage } from "~/i18n/accepted-language.server";
import { isLanguage, LANGUAGES, type Language } from "~/i18n/languages";
import { readCookie, setCookie } from "./cookies";

const LANGUAGE_COOKIE = "gw_language";
const ONE_YEAR_SECONDS = 31_536_000;

/** Written once per request by the root's middleware, which addresses without a page do not reach. */
export const languageContext = createContext<Language | null>(null);

/** The language that a request is answered in; of one without a page, `request` tells what the browser asks for. */
export const languageOf = (context: Readonly<RouterContextProvider>, request?: Request): Language =>
  context.get(languageContext) ?? (request === undefined ? LANGUAGES[0] : chooseLanguage(request, null));

/** What somebody has chosen on this browser, else on their profile, else what the browser asks for. */
export function chooseLanguage(request: Request, profile: string | null): Language {
  const chosen = readCookie(request, LANGUAGE_COOKIE);
  if (isLanguage(chosen)) return chosen;
  return isLanguage(profile) ? profile : acceptedLanguage(request.headers.get("accept-language"));
}

/** The Set-Cookie header that remembers a language for a year. */
export const languageCookie = (language: Language): string =>
  setCookie(LANGUAGE_COOKIE, language, { maxAgeSeconds: ONE_YEAR_SECONDS });
