import type { Language } from "~/i18n/languages";
import { readContent } from "./read-content.server";
import type { Content, ContentName } from "./shared";

// Vite bundles the texts with the server code.
const texts = import.meta.glob<string>("./pages/*/*.md", { query: "?raw", import: "default", eager: true });

/**
 * Parsed pages. Parsing is lazy: visitors read few of the pages, so parsing all languages at startup would be wasted.
 */
const read = new Map<string, Content>();

/**
 * Returns a page in a language; null if it is not written in that language. The text is parsed once, on first use.
 * @throws Error when a part of the text is missing or cannot be shown.
 */
export function contentIn(name: ContentName, language: Language): Content | null {
  const path = `./pages/${name}/${language}.md`;
  const known = read.get(path);
  if (known !== undefined) return known;
  const text = texts[path];
  if (text === undefined) return null;
  const content = readContent(text, language);
  read.set(path, content);
  return content;
}

/** Returns a page in a language, or in English if there is no translation. */
export function contentOf(name: ContentName, language: Language): Content {
  const content = contentIn(name, language) ?? contentIn(name, "en");
  if (content === null) throw new Error(`the page ${name} has no text`);
  return content;
}
