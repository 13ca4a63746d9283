import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { filesUnder, ROOT, type SourceFile } from "./source-tree";

// Texts and code use the standard terms of the field. `sentences` are forbidden even within a longer text; `labels` are
// ordinary words that are forbidden as a complete text. `identifiers` are forbidden in all sources, `prefixes` at the
// beginning of a name, and `declared` words as the name of a declaration. Paths in `allowed` are exempt.
const LIST = "tests/contract/retired-words.json";
type Retired = Record<"sentences" | "labels" | "identifiers" | "prefixes" | "declared" | "allowed", string[]>;
const retired: Retired = JSON.parse(readFileSync(join(ROOT, LIST), "utf8"));

const READ = /\.(?:[cm]?[jt]sx?|md|mdx|py|sql|ya?ml|json|css)$/;
const files: SourceFile[] = [
  ...["app", "docs", "tests", "scripts", "public"].flatMap((folder) => filesUnder(folder, READ)),
  ...["README.md", "CONTRIBUTING.md"].map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") })),
].filter(({ path }) => path !== LIST);

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/ /g, "\\s+");

/** Returns the matches of a pattern as `path:line`. */
function placesOf(pattern: RegExp, among = files): string[] {
  return among.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map(({ index }) => `${path}:${text.slice(0, index).split("\n").length}`),
  );
}

const sources = files.filter(
  ({ path }) => /\.[cm]?[jt]sx?$/.test(path) && !retired.allowed.some((allowed) => path.startsWith(allowed)),
);
const DECLARES = "(?:function|class|type|interface|export const|export let)";

describe("retired words stand nowhere", () => {
  test.each(retired.sentences)("sentence: %s", (sentence) => {
    expect(placesOf(new RegExp(`(?<!\\w)${escaped(sentence)}(?!\\w)`, "g"))).toEqual([]);
  });

  test.each(retired.labels)("label: %s", (label) => {
    expect(placesOf(new RegExp(`["'\`>*]\\s*${escaped(label)}\\s*["'\`<*]`, "g"))).toEqual([]);
  });

  test.each(retired.identifiers)("identifier: %s", (identifier) => {
    expect(placesOf(new RegExp(`(?<![\\w$-])${escaped(identifier)}(?![\\w-])`, "g"), sources)).toEqual([]);
  });

  test.each(retired.prefixes)("prefix: %s", (prefix) => {
    expect(placesOf(new RegExp(`(?<![\\w$])${prefix}(?=[A-Z])`, "g"), sources)).toEqual([]);
  });

  test.each(retired.declared)("declared: %s", (word) => {
    expect(placesOf(new RegExp(`\\b${DECLARES}\\s+${word}(?!\\w)`, "g"), sources)).toEqual([]);
  });
});
