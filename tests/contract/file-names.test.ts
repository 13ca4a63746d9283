import { expect, test } from "vitest";
import { filesUnder } from "./source-tree";

// macOS and Windows ignore the case of file names, and a resolver tries one extension after the other: there `~/ui/Figures`
// finds figures.ts.
test("no two files of a folder have names that are equal without case and extension", () => {
  const byName = new Map<string, string[]>();
  for (const folder of ["app", "scripts", "tests", "prisma", "public", "docs"])
    for (const { path } of filesUnder(folder, /\.[cm]?[jt]sx?$|\.(?:sql|css|svg|md|ya?ml|json)$/)) {
      const same = /\.[cm]?[jt]sx?$/.test(path) ? path.replace(/\.[cm]?[jt]sx?$/, "") : path;
      byName.set(same.toLowerCase(), [...(byName.get(same.toLowerCase()) ?? []), path]);
    }
  expect([...byName.values()].filter((paths) => paths.length > 1)).toEqual([]);
});
