import { expect, test } from "vitest";
import { LANGUAGES } from "~/i18n/languages";
import { WORDS } from "~/i18n/server.server";
import { KEYS_WITHOUT_USE } from "./messages-allowed";
import { filesUnder, type SourceFile } from "./source-tree";

const TEST = /\.test\.tsx?$|\/__fixtures__\/|\.d\.ts$/;
const sources = filesUnder("app", /\.tsx?$/).filter(({ path }) => !TEST.test(path) && !path.startsWith("app/i18n/"));
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");

/** Every text of the language files by its key as `t` takes it, such as `keys:list.empty`; plural forms are one key. */
function keysOf(words: unknown, above: string): string[] {
  if (typeof words === "string") return [above.replace(/_(zero|one|two|few|many|other)$/, "")];
  return Object.entries(words as object).flatMap(([name, inner]) =>
    keysOf(inner, above === "" ? `${name}:` : above.endsWith(":") ? above + name : `${above}.${name}`),
  );
}
const keysIn = (language: (typeof LANGUAGES)[number]) => new Set(keysOf(WORDS[language], ""));

/** Text in quotes that reads like a sentence: words with a space between them. */
const SENTENCE = /(["'`])[A-Za-z][^"'`\n]*[a-z,] [a-zA-Z$][^"'`\n]*\1/;
const sentencesIn = ({ text }: SourceFile, where: RegExp) =>
  withoutComments(text)
    .split("\n")
    .filter((line) => SENTENCE.test(line) && where.test(line));

/** What offends and what is allowed to: a list that can only become shorter. */
function expectOnly(offending: readonly string[], allowed: readonly string[]) {
  expect(offending.filter((one) => !allowed.includes(one)).toSorted(), "offends").toEqual([]);
  expect(
    allowed.filter((one) => !offending.includes(one)),
    "does not offend any more: take it off the list",
  ).toEqual([]);
}

test("every message that the code names is there in every language", () => {
  const named = sources.flatMap(({ path, text }) =>
    [...withoutComments(text).matchAll(/"([a-z][a-zA-Z]*:[a-zA-Z][\w.]*)"/g)].map(([, key]) => ({ path, key: key! })),
  );
  const spaces = new Set(Object.keys(WORDS.en));
  const messages = named.filter(({ key }) => spaces.has(key.split(":")[0]!));
  expect(messages.length).toBeGreaterThan(100);
  for (const language of LANGUAGES) {
    const known = keysIn(language);
    // The icon of a navigation row and the like end in a point: their last part is put together.
    const missing = messages.filter(
      ({ key }) => !known.has(key) && ![...known].some((one) => one.startsWith(`${key}.`)),
    );
    expect(missing, language).toEqual([]);
  }
});

test("schemas name messages and hold no sentence", () => {
  const schemas = sources.filter(({ path }) => path.endsWith(".schema.ts"));
  expect(schemas.length).toBeGreaterThan(0);
  expect(schemas.filter((file) => sentencesIn(file, /./).length > 0).map(({ path }) => path)).toEqual([]);
});

test("the domain refuses by keys, not by sentences", () => {
  const domain = sources.filter(({ path }) => path.startsWith("app/domain/"));
  const offending = domain
    .filter(({ text }) => /\buserMessage\b\s*[:,}]/.test(withoutComments(text)))
    .map(({ path }) => path);
  expect(offending).toEqual([]);
});

test("no text of the language files is there for nobody", () => {
  const code = sources.map(({ text }) => withoutComments(text)).join("\n");
  const quoted = new Set([...code.matchAll(/["'`]([\w:.]+)["'`]/g)].map(([, text]) => text!));
  const begun = [...new Set([...code.matchAll(/["'`]?([\w:.]*\.)\$\{/g)].map(([, text]) => text!))];
  const unused = [...keysIn("en")].filter((key) => {
    const path = key.slice(key.indexOf(":") + 1);
    if (quoted.has(key) || quoted.has(path)) return false;
    if (begun.some((start) => key.startsWith(start) || path.startsWith(start))) return false;
    // A whole branch that is walked over, such as the list of steps.
    const parents = path.split(".").slice(0, -1);
    return !parents.some((_, at) => quoted.has(parents.slice(0, at + 1).join(".")));
  });
  expectOnly(unused, KEYS_WITHOUT_USE);
});
