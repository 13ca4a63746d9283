import type { Language } from "~/i18n/languages";
import { readContent } from "./read-content.server";
import type { Content, ContentName } from "./shared";

// Vite writes the texts into the server's bundle.
const texts = import.meta.glob<string>("./pages/*/*.md", { query: "?raw", import: "default", eager: true });

/** What has been asked for: all pages in all languages would be read at every start, for somebody who opens one or two. */
const read = new Map<string, Content>();

/**
 * A page in a language; null where it is not written in it. Its text is read once, when it is first asked for.
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

/** The words of a page in a language, or in English where there is no translation. */
export function contentOf(name: ContentName, language: Language): Content {
  const content = contentIn(name, language) ?? contentIn(name, "en");
  if (content === null) throw new Error(`the page ${name} has no text`);
  return content;
}
