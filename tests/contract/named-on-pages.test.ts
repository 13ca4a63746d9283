import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CATALOGUE } from "~/errors/catalogue";
import { STAGES } from "~/routes/_public/architecture/stages";
import { CONTROLS } from "~/routes/_public/controls/controls";
import { clientLibraries } from "~/routes/_public/developers/client-libraries";
import { DOCUMENTS } from "~/routes/_public/resources/documents";
import { ROOT } from "./source-tree";

const named = CONTROLS.flatMap(({ controls }) => controls.flatMap(({ tests }) => tests));

describe("the page about controls", () => {
  test.each(named)("names a test that exists: $name", ({ file, name }) => {
    expect(readFileSync(join(ROOT, file), "utf8")).toContain(`"${name}"`);
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
  const wrong = clientLibraries("").filter(([name, versions]) => {
    const installed = Object.entries(devDependencies)
      .filter(([alias, version]) => alias === name || version.startsWith(`npm:${name}@`))
      .map(([, version]) => version.replace(/^npm:.*@/, "").replace(/\.\d+$/, ""));
    return installed.length === 0 || installed.some((version) => !versions.split(" and ").includes(version));
  });
  expect(wrong).toEqual([]);
});

test("the page of resources names documents that exist", () => {
  expect(DOCUMENTS.filter(([path]) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test("the page about the architecture names codes of the catalogue", () => {
  expect(STAGES.flatMap(({ refuses }) => refuses).filter((code) => !CATALOGUE.has(code))).toEqual([]);
});
