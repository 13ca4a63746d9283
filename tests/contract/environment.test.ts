import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ENVIRONMENT_NAMES, noteOf } from "~/config/environment";

const DOCUMENT = "docs/configuration.md";

/** The expected table of the document; variables are described only in app/config/environment.ts. */
const rows = ENVIRONMENT_NAMES.flatMap((name) => {
  const note = noteOf(name);
  return note === undefined ? [] : [`| \`${name}\` | ${note.meaning} | ${note.shown} |`];
});

test("the configuration table says what has an effect, and nothing else", () => {
  const lines = readFileSync(DOCUMENT, "utf8").split("\n");
  expect(lines.filter((line) => /^\| `[A-Z_]+` \|/.test(line))).toEqual(rows);
});

test(".env.example names every variable that has one, commented out, and no other", () => {
  const named = [...readFileSync(".env.example", "utf8").matchAll(/^# ?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name);
  expect(named.toSorted()).toEqual(ENVIRONMENT_NAMES.filter((name) => noteOf(name) !== undefined).toSorted());
});

test(".env.example sets nothing, so that a copy of it changes nothing", () => {
  const lines = readFileSync(".env.example", "utf8").split("\n");
  expect(lines.filter((line) => line !== "" && !line.startsWith("#"))).toEqual([]);
});
