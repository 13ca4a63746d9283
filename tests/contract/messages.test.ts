import { expect, test } from "vitest";
import { messageOf } from "~/errors/message";
import { declarationOf } from "~/http/declaration";
import { LANGUAGES } from "~/i18n/languages";
import { WORDS } from "~/i18n/server.server";
import type { ServedRow } from "~/openapi/shared";
import { ownMessagesOf } from "./schema-messages";
import { servedRows } from "./served-rows";
import { filesUnder, type SourceFile } from "./source-tree";

const TEST = /\.test\.tsx?$|\/__fixtures__\/|\.d\.ts$/;
const sources = filesUnder("app", /\.tsx?$/).filter(({ path }) => !TEST.test(path) && !path.startsWith("app/i18n/"));
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");

/** Returns the keys of the language files as `t` takes them, such as `keys:list.empty`; plural forms are one key. */
function keysOf(words: unknown, above: string): string[] {
  if (typeof words === "string") return [above.replace(/_(zero|one|two|few|many|other)$/, "")];
  return Object.entries(words as object).flatMap(([name, inner]) =>
    keysOf(inner, above === "" ? `${name}:` : above.endsWith(":") ? above + name : `${above}.${name}`),
  );
}
const keysIn = (language: (typeof LANGUAGES)[number]) => new Set(keysOf(WORDS[language], ""));

/** Matches a quoted sentence: words separated by spaces. */
const SENTENCE = /(["'`])[A-Za-z][^"'`\n]*[a-z,] [a-zA-Z$][^"'`\n]*\1/;
const sentencesIn = ({ text }: SourceFile) =>
  withoutComments(text)
    .split("\n")
    .filter((line) => SENTENCE.test(line));

test("every message that the code names is there in every language", () => {
  const named = sources.flatMap(({ path, text }) =>
    [...withoutComments(text).matchAll(/"([a-z][a-zA-Z]*:[a-zA-Z][\w.]*)"/g)].map(([, key]) => ({ path, key: key! })),
  );
  const spaces = new Set(Object.keys(WORDS.en));
  const messages = named.filter(({ key }) => spaces.has(key.split(":")[0]!));
  expect(messages.length).toBeGreaterThan(100);
  for (const language of LANGUAGES) {
    const known = keysIn(language);
    // The list contains only the prefix of keys that code composes, such as those of navigation icons.
    const missing = messages.filter(
      ({ key }) => !known.has(key) && ![...known].some((one) => one.startsWith(`${key}.`)),
    );
    expect(missing, language).toEqual([]);
  }
});

/** Whether a route belongs to the portal. The API is excluded, because it is only in English. */
const ofPortal = ({ path }: ServedRow) => !/^(?:v1|v2|health)(?:\/|$)/.test(path);

test("every message of a schema that the portal checks by is a message of the language files", async () => {
  const rows = (await servedRows()).filter(ofPortal);
  const checked = rows.flatMap(({ path, module: { loader, action } }) =>
    [declarationOf(loader), declarationOf(action)].flatMap((says) =>
      [says?.params, ...Object.values(says?.query ?? {}), ...Object.values(says?.body ?? {})].flatMap((schema) =>
        schema === undefined ? [] : ownMessagesOf(schema).map((message) => ({ path, message })),
      ),
    ),
  );
  expect(checked.length).toBeGreaterThan(100);
  expect(checked.filter(({ message }) => messageOf(message) === null)).toEqual([]);
}, 60_000);

// Errors in the catalogue file are reported in the log, to the operator.
const TOLD_IN_THE_LOG = /^app\/domain\/catalogue\/file\/file-(?:schema|extras|fields|tiers)\.ts$/;
const SAID_HERE = /\b(?:message|userMessage|humanMessage)\??:\s*["'`](?=[^"'`]*[a-z,] [a-z])/;

test("the portal and the domain refuse by keys, not by sentences", () => {
  const where = /^app\/(?:access|domain|routes\/(?!v1\/|v2\/))/;
  const refusing = sources.filter(({ path }) => where.test(path) && !TOLD_IN_THE_LOG.test(path));
  expect(refusing.length).toBeGreaterThan(200);
  expect(refusing.filter(({ text }) => SAID_HERE.test(withoutComments(text))).map(({ path }) => path)).toEqual([]);
  const domain = refusing.filter(({ path }) => path.startsWith("app/domain/"));
  expect(domain.filter(({ text }) => /\buserMessage\b/.test(withoutComments(text))).map(({ path }) => path)).toEqual(
    [],
  );
});

test("a schema that no operation declares holds no sentence either", () => {
  const fields = sources.filter(({ path }) => path === "app/http/body/fields.ts");
  expect(fields).toHaveLength(1);
  const schemas = [...fields, ...sources.filter(({ path }) => path.endsWith(".schema.ts"))];
  expect(schemas.filter((file) => sentencesIn(file).length > 0).map(({ path }) => path)).toEqual([]);
});

test("no text of the language files is there for nobody", () => {
  const code = sources.map(({ text }) => withoutComments(text)).join("\n");
  const quoted = new Set([...code.matchAll(/["'`]([\w:.]+)["'`]/g)].map(([, text]) => text!));
  const begun = [...new Set([...code.matchAll(/["'`]?([\w:.]*\.)\$\{/g)].map(([, text]) => text!))];
  const unused = [...keysIn("en")].filter((key) => {
    const path = key.slice(key.indexOf(":") + 1);
    if (quoted.has(key) || quoted.has(path)) return false;
    if (begun.some((start) => key.startsWith(start) || path.startsWith(start))) return false;
    // A key may be part of a branch that code iterates over, such as the list of steps.
    const parents = path.split(".").slice(0, -1);
    return !parents.some((_, at) => quoted.has(parents.slice(0, at + 1).join(".")));
  });
  expect(unused).toEqual([]);
});
