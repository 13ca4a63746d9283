import type { Language } from "~/i18n/languages";
import { inLanguage } from "~/i18n/server.server";
import type { AppError } from "./app-error";
import { entryOf } from "./catalogue";
import { keyOfCode } from "./code-words";
import { say } from "./say.server";

/** What a page tells its reader of a problem, in their language. */
export function problemWords(problem: AppError, language: Language): string {
  if (problem.words !== null) return say(problem.words, language);
  const own = problem.humanMessage;
  if (own !== entryOf(problem.catalogueCode).humanMessage) {
    const translated = inLanguage(own, language);
    if (language === "en" || translated !== own) return translated;
  }
  return say({ key: keyOfCode(problem.catalogueCode) }, language);
}
