import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LANGUAGES } from "~/i18n/languages";
import { WORDS } from "~/i18n/server.server";
import { filesUnder, ROOT } from "./source-tree";

const PLURAL = /_(zero|one|two|few|many|other)$/;
type Texts = Map<string, string>;

/** Returns every text by its path, such as `keys.list.empty`. */
function textsIn(words: unknown, above = ""): Texts {
  if (typeof words === "string") return new Map([[above, words]]);
  if (typeof words !== "object" || words === null) throw new Error(`${above} is not a text`);
  return new Map(
    Object.entries(words).flatMap(([name, inner]) => [...textsIn(inner, above ? `${above}.${name}` : name)]),
  );
}

/** Returns the keys as `t` takes them: the plural forms of a text are one key. */
const keysOf = (texts: Texts) => [...new Set([...texts.keys()].map((key) => key.replace(PLURAL, "")))].sort();

const placeholders = (text: string) =>
  [...new Set([...text.matchAll(/\{\{\s*([\w.]+)/g)].map(([, name]) => name as string))].sort();
const tags = (text: string) => [...text.matchAll(/<\/?\w+\/?>/g)].map(([tag]) => tag).sort();

const byLanguage = Object.fromEntries(LANGUAGES.map((language) => [language, textsIn(WORDS[language])]));
const english = byLanguage.en as Texts;

describe.each(LANGUAGES)("the words of %s", (language) => {
  const texts = byLanguage[language] as Texts;

  test("have the same keys as the English ones", () => {
    const [own, wanted] = [keysOf(texts), keysOf(english)];
    expect({
      missing: wanted.filter((key) => !own.includes(key)),
      extra: own.filter((key) => !wanted.includes(key)),
    }).toEqual({
      missing: [],
      extra: [],
    });
  });

  test("have a text for every key", () => {
    expect([...texts].filter(([, text]) => text.trim() === "" || text !== text.trim()).map(([key]) => key)).toEqual([]);
  });

  test("have all plural forms of the language, and no others", () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();
    const found = new Map<string, string[]>();
    for (const key of texts.keys()) {
      const [, form] = PLURAL.exec(key) ?? [];
      const base = key.replace(PLURAL, "");
      if (form) found.set(base, [...(found.get(base) ?? []), form].sort());
    }
    expect([...found].filter(([, has]) => has.join() !== forms.join())).toEqual([]);
  });

  test("use the same placeholders and marks", () => {
    const differing = [...texts].filter(([key, text]) => {
      const original = english.get(key) ?? english.get(key.replace(PLURAL, "_other")) ?? "";
      // "One day" may omit the number, but no form may use a placeholder that is not passed.
      const given = new Set([...placeholders(original), ...(PLURAL.test(key) ? ["count"] : [])]);
      const used = placeholders(text);
      const missing = placeholders(original).filter((name) => name !== "count" && !used.includes(name));
      return used.some((name) => !given.has(name)) || missing.length > 0 || tags(text).join() !== tags(original).join();
    });
    expect(differing.map(([key]) => key)).toEqual([]);
  });
});

test("every namespace is known to the compiler", () => {
  const files = readdirSync(join(ROOT, "app/i18n/locales/en")).map((file) => file.replace(/\.ts$/, ""));
  const [{ text = "" } = {}] = filesUnder("app/i18n", /resources\.ts$/);
  const listed = [...text.matchAll(/^ {2}(\w+): typeof import\("\.\/locales\/en\/(\w+)"\)/gm)].map(([, name]) => name);
  expect(listed.toSorted()).toEqual(files.toSorted());
});

test("a sentence of the server has one translation", () => {
  const sentences = [...english].filter(([key]) => key.startsWith("problems.")).map(([, text]) => text);
  expect(sentences).toEqual([...new Set(sentences)]);
});

/** One word for each thing: requests are rejected, and money is held. A tool of a model may still be called. */
const OTHER_WORDS = {
  en: /\brefus|\breserv(?:e[ds]?|ations?)\b|(?<!tool )\bcalls?\b(?! (?:tools|my webhook))/i,
  de: /(?<!Tool-)\bAufruf(?:e[ns]?|s)?\b|[Vv]ormerk|[Vv]orgemerkt|[Vv]erweiger/,
  fr: /\bappels?\b(?! d’outils?)|(?:requête|champ|réponse)s? [^.:]{0,30}refus|\bretenue?s?\b/i,
  es: /\bpetici|\bllamadas?\b(?! a herramienta)|\bretenid|\bretenci(?!ón de datos)/i,
} as const;

test.each(LANGUAGES)("the words of %s for requests, rejections and holds are the same everywhere", (language) => {
  const texts = [...(byLanguage[language] as Texts)].map(([key, text]) => [
    key,
    text.replace(/\{\{.*?\}\}|<.*?>/g, ""),
  ]);
  expect(texts.filter(([, text]) => OTHER_WORDS[language].test(text ?? ""))).toEqual([]);
});
