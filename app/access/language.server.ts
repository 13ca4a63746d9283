import { createContext, type RouterContextProvider } from "react-router";
import { acceptedLanguage } from "~/i18n/accepted-language.server";
import { isLanguage, LANGUAGES, type Language } from "~/i18n/languages";
import { readCookie, setCookie } from "./cookies";

const LANGUAGE_COOKIE = "gw_language";
const ONE_YEAR_SECONDS = 31_536_000;

/** Set once per request by the root's middleware, which does not run for endpoints without a page. */
export const languageContext = createContext<Language | null>(null);

/**
 * Returns the language of the response; for an endpoint without a page, the one that the browser requests in `request`.
 */
export const languageOf = (context: Readonly<RouterContextProvider>, request?: Request): Language =>
  context.get(languageContext) ?? (request === undefined ? LANGUAGES[0] : chooseLanguage(request, null));

/** Returns the language chosen in this browser, else in the profile, else the one that the browser requests. */
export function chooseLanguage(request: Request, profile: string | null): Language {
  const chosen = readCookie(request, LANGUAGE_COOKIE);
  if (isLanguage(chosen)) return chosen;
  return isLanguage(profile) ? profile : acceptedLanguage(request.headers.get("accept-language"));
}

/** Returns the Set-Cookie header that stores a language for a year. */
export const languageCookie = (language: Language): string =>
  setCookie(LANGUAGE_COOKIE, language, { maxAgeSeconds: ONE_YEAR_SECONDS });
