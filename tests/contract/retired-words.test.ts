import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { filesUnder, ROOT, type SourceFile } from "./source-tree";

// People and programmers read the field's own words. `sentences` stand nowhere, not even within a longer text; `labels` are
// ordinary words otherwise and are not a whole text of their own.
const LIST = "tests/contract/retired-words.json";
const retired: { sentences: string[]; labels: string[] } = JSON.parse(readFileSync(join(ROOT, LIST), "utf8"));

const READ = /\.(?:[cm]?[jt]sx?|md|mdx|py|sql|ya?ml|json|css)$/;
const files: SourceFile[] = [
  ...["app", "docs", "tests", "scripts", "public"].flatMap((folder) => filesUnder(folder, READ)),
  ...["README.md", "CONTRIBUTING.md"].map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") })),
].filter(({ path }) => path !== LIST);

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/ /g, "\\s+");

/** Where a pattern stands, as `path:line`. */
function placesOf(pattern: RegExp): string[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map(({ index }) => `${path}:${text.slice(0, index).split("\n").length}`),
  );
}

describe("retired words stand nowhere", () => {
  test.each(retired.sentences)("sentence: %s", (sentence) => {
    expect(placesOf(new RegExp(`(?<!\\w)${escaped(sentence)}(?!\\w)`, "g"))).toEqual([]);
  });

  test.each(retired.labels)("label: %s", (label) => {
    expect(placesOf(new RegExp(`["'\`>*]\\s*${escaped(label)}\\s*["'\`<*]`, "g"))).toEqual([]);
  });
});
