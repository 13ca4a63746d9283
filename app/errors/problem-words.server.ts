import type { Language } from "~/i18n/languages";
import type { AppError } from "./app-error";
import { keyOfCode } from "./code-words";
import { say } from "./say.server";

/** What a page tells its reader of a problem, in their language: its own sentence, else the one of its code. */
export const problemWords = ({ words, catalogueCode }: AppError, language: Language): string =>
  say(words ?? { key: keyOfCode(catalogueCode) }, language);
