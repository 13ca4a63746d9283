import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { foldersUnder, ROOT } from "./source-tree";

const MAX_FILES = 30;

// Each language has one file for each namespace.
const UNLIMITED = /^app\/i18n\/locales\/[^/]+$/;

/** Returns the number of files directly in a folder. */
const filesIn = (folder: string): number =>
  readdirSync(join(ROOT, folder), { withFileTypes: true }).filter((entry) => entry.isFile()).length;

test("no folder of the application has more than thirty files", () => {
  const folders = ["app", ...foldersUnder("app")].filter((folder) => !UNLIMITED.test(folder));
  expect(folders.length).toBeGreaterThan(100);
  const large = folders.map((folder) => ({ folder, files: filesIn(folder) })).filter(({ files }) => files > MAX_FILES);
  expect(large).toEqual([]);
});
