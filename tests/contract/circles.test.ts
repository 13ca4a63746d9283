import { dirname, posix } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { circlesIn, type ImportGraph } from "./circles";
import { filesUnder } from "./source-tree";

/** Returns all imports of all application files, including type-only and dynamic ones. */
function applicationGraph(): ImportGraph {
  const files = filesUnder("app", /\.(tsx?|mjs)$/);
  const known = new Set(files.map(({ path }) => path));
  const endings = ["", ".ts", ".tsx", ".mjs", "/index.ts", "/index.tsx"];
  const fileOf = (from: string, specifier: string): string[] => {
    const plain = specifier.replace(/\?.*$/, "");
    if (!plain.startsWith("~/") && !plain.startsWith(".")) return [];
    const target = plain.startsWith("~/") ? `app/${plain.slice(2)}` : posix.join(dirname(from), plain);
    const found = endings.map((ending) => target + ending).find((path) => known.has(path));
    return found === undefined ? [] : [found];
  };
  return new Map(
    files.map(({ path, text }) => {
      const { importedFiles } = ts.preProcessFile(text, true, true);
      return [path, importedFiles.flatMap(({ fileName }) => fileOf(path, fileName))];
    }),
  );
}

describe("circles of files", () => {
  test("no file of the application is imported by what it imports, not even for a type", () => {
    const graph = applicationGraph();
    expect([...graph.values()].flat().length).toBeGreaterThan(graph.size);
    expect(circlesIn(graph)).toEqual([]);
  });

  test("a circle is found whole, wherever the search begins", () => {
    const graph = new Map([
      ["a", ["b"]],
      ["b", ["c", "d"]],
      ["c", ["b"]],
      ["d", ["e"]],
      ["e", ["f", "a"]],
      ["f", []],
    ]);
    expect(circlesIn(graph)).toEqual([["a", "b", "c", "d", "e"]]);
    expect(
      circlesIn(
        new Map([
          ["a", ["b", "c"]],
          ["b", ["c"]],
          ["c", []],
        ]),
      ),
    ).toEqual([]);
  });
});
