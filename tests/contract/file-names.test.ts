import { expect, test } from "vitest";
import { filesUnder } from "./source-tree";

// macOS and Windows ignore the case of file names, and a resolver tries several extensions: on these systems
// `~/ui/Figures` resolves to figures.ts.
test("no two files of a folder have names that are equal without case and extension", () => {
  const byName = new Map<string, string[]>();
  for (const folder of ["app", "scripts", "tests", "prisma", "public", "docs"])
    for (const { path } of filesUnder(folder, /\.[cm]?[jt]sx?$|\.(?:sql|css|svg|md|ya?ml|json)$/)) {
      const same = /\.[cm]?[jt]sx?$/.test(path) ? path.replace(/\.[cm]?[jt]sx?$/, "") : path;
      byName.set(same.toLowerCase(), [...(byName.get(same.toLowerCase()) ?? []), path]);
    }
  expect([...byName.values()].filter((paths) => paths.length > 1)).toEqual([]);
});

// Pure test files share their modules, so the effect of a mock would depend on the order of the files.
test("files that mock modules are named *.mock.test.ts, and run with modules of their own", () => {
  const mocking = filesUnder("app", /\.test\.tsx?$/).filter(({ text }) => /^\s*vi\.(mock|doMock)\(/m.test(text));
  expect(mocking.map(({ path }) => path).filter((path) => !path.endsWith(".mock.test.ts"))).toEqual([]);
});
