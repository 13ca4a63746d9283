import { expect, test } from "vitest";
import { filesUnder } from "./source-tree";

/** Files that lock rows against new references, because they delete the rows afterwards. */
const DELETED_AFTERWARDS = ["app/domain/organisations/parts/department-store.ts"];

test("rows are locked with FOR NO KEY UPDATE: a bare FOR UPDATE holds off whatever points to the row", () => {
  const sources = filesUnder("app", /(?<!\.test)\.(?:ts|sql)$/);
  expect(sources.length).toBeGreaterThan(500);
  const bare = sources.filter(({ text }) => /(?<!NO KEY )\bFOR UPDATE\b/.test(text));
  expect(bare.map(({ path }) => path)).toEqual(DELETED_AFTERWARDS);
});
