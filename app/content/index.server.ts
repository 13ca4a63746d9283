import { isLanguage, type Language } from "~/i18n/languages";
import { readContent } from "./read-content.server";
import { CONTENT_NAMES, type Content, type ContentName } from "./shared";

// Vite writes the texts into the server's bundle, and they are parsed when the process starts: a page looks its words up.
const files = import.meta.glob<string>("./pages/*/*.md", { query: "?raw", import: "default", eager: true });

/** Every page in every language it is written in. */
export const CONTENTS: Readonly<Record<ContentName, Partial<Record<Language, Content>>>> = contentsOf(files);

/** The words of a page in a language, or in English where there is no translation. */
export function contentOf(name: ContentName, language: Language): Content {
  const content = CONTENTS[name][language] ?? CONTENTS[name].en;
  if (content === undefined) throw new Error(`the page ${name} has no text`);
  return content;
}

function contentsOf(texts: Readonly<Record<string, string>>) {
  const contents = Object.fromEntries(CONTENT_NAMES.map((name) => [name, {}])) as Record<
    ContentName,
    Partial<Record<Language, Content>>
  >;
  for (const [path, text] of Object.entries(texts)) {
    const [, name = "", language] = /^\.\/pages\/(\w+)\/(\w+)\.md$/.exec(path) ?? [];
    if (!Object.hasOwn(contents, name) || !isLanguage(language)) throw new Error(`${path} is not a page of prose`);
    contents[name as ContentName][language] = readContent(text, language);
  }
  return contents;
}
