import type { Language } from "~/i18n/languages";
import { i18nFor } from "~/i18n/server.server";
import { type Message, messageOf } from "./message";

/** Translates a message. */
export function say({ key, values }: Message, language: Language): string {
  const translate = i18nFor(language).t as (key: string, values: object) => string;
  return translate(key, values ?? {});
}

/** Translates the message encoded in a text; returns any other text unchanged. */
export function translateText(text: string, language: Language): string {
  const message = messageOf(text);
  return message === null ? text : say(message, language);
}
