import type { Language } from "~/i18n/languages";
import type { AppError } from "./app-error";
import { keyOfCode } from "./code-words";
import { say } from "./say.server";

/**
 * Returns the message of an error for a page, in the reader's language: the error's own message, else that of its code.
 */
export const errorMessage = ({ words, catalogueCode }: AppError, language: Language): string =>
  say(words ?? { key: keyOfCode(catalogueCode) }, language);
