import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { contentOf } from "~/content/index.server";
import { plainTextOf } from "~/content/plain-text";
import type { Block, ContentName } from "~/content/shared";
import { CATALOGUE } from "~/errors/catalogue";
import { CONTROLS } from "~/routes/_public/controls/controls";
import { ROOT } from "./source-tree";

const blocksOf = (page: ContentName): readonly Block[] =>
  contentOf(page, "en").sections.flatMap(({ blocks }) => blocks);

const named = CONTROLS.flatMap(({ controls }) => controls.flatMap(({ tests }) => tests));

describe("the page about controls", () => {
  test.each(named)("names a test that exists: $name", ({ file, name }) => {
    expect(readFileSync(join(ROOT, file), "utf8")).toContain(`"${name}"`);
  });

  test("has a place for every area, and no other", () => {
    const shown = blocksOf("controls").map((block) => block.kind === "component" && block.words.area);
    expect(shown).toEqual(CONTROLS.map(({ id }) => id));
    expect(contentOf("controls", "en").sections.map(({ id }) => id)).toEqual(shown);
  });

  test("names a test for every rule", () => {
    const bare = CONTROLS.flatMap(({ controls }) => controls).filter(({ tests }) => tests.length === 0);
    expect(bare).toEqual([]);
  });
});

test("the page for developers names the versions that the tests run", () => {
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    devDependencies: Record<string, string>;
  };
  const [table] = blocksOf("developers").filter((block) => block.kind === "table");
  const rows = table?.rows.map((row) => row.map(plainTextOf)) ?? [];
  expect(rows.length).toBeGreaterThan(5);
  const wrong = rows.filter(([name, versions = ""]) => {
    const installed = Object.entries(devDependencies)
      .filter(([alias, version]) => alias === name || version.startsWith(`npm:${name}@`))
      .map(([, version]) => version.replace(/^npm:.*@/, "").replace(/\.\d+$/, ""));
    return installed.length === 0 || installed.some((version) => !versions.split(" and ").includes(version));
  });
  expect(wrong).toEqual([]);
});

test("the page of resources names documents that exist", () => {
  const documents = [...JSON.stringify(blocksOf("resources")).matchAll(/"(docs\/[^"]*)"/g)].map(
    ([, path = ""]) => path,
  );
  expect(documents.length).toBeGreaterThan(5);
  expect(documents.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test("the page about the architecture names codes of the catalogue", () => {
  const text = JSON.stringify(blocksOf("architecture"));
  const codes = [...text.matchAll(/"\/api-docs\/errors#(\w+)"/g)].map(([, code = ""]) => code);
  expect(codes.length).toBeGreaterThan(10);
  expect(codes.filter((code) => !CATALOGUE.has(code))).toEqual([]);
});
