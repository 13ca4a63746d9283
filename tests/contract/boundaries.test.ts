import { describe, expect, test } from "vitest";
import { isFace, MAY_USE, partOf, rankOf, roomOf } from "./layers";
import { filesUnder, foldersUnder, type Import, importsOf, type SourceFile } from "./source-tree";

const TEST = /\.test\.tsx?$|\/__fixtures__\//;
const sources = filesUnder("app", /\.(tsx?|mjs)$/).filter(({ path }) => !TEST.test(path));
const imports = sources.flatMap(importsOf);
const own = imports.filter(({ target }) => target.startsWith("app/"));
const moduleOf = (path: string) => path.replace(/\.(tsx?|mjs)$/, "");
const shown = ({ from, target }: Import) => `${from} → ${target}`;

describe("what may use what", () => {
  test("parts use only the parts beneath them", () => {
    const wrong = own.filter(({ from, target, typeOnly }) => {
      const user = partOf(moduleOf(from));
      const used = partOf(target);
      if (user === null || used === user) return false;
      // A `+types` module describes the route itself, and types do not exist at run time.
      if (typeOnly && (target.includes("/+types/") || used !== null)) return false;
      return used === null || !MAY_USE[user]?.includes(used);
    });
    expect(wrong.map(shown)).toEqual([]);
  });

  test("rooms use each other through their faces, and only to the left", () => {
    const wrong = own.filter(({ from, target }) => {
      const user = roomOf(from);
      const used = roomOf(target);
      if (used === null || used === user) return false;
      if (!isFace(target)) return true;
      return user !== null && (rankOf(user) < 0 || rankOf(used) < 0 || rankOf(used) >= rankOf(user));
    });
    expect(wrong.map(shown)).toEqual([]);
  });

  test("a supplier's folder uses nothing of another supplier", () => {
    const supplierOf = (path: string) => /^app\/gateway\/suppliers\/([^/]+)\//.exec(path)?.[1];
    const wrong = own.filter(({ from, target }) => {
      const [user, used] = [supplierOf(from), supplierOf(target)];
      return user && used && user !== used && used !== "toolkit";
    });
    expect(wrong.map(shown)).toEqual([]);
  });

  test("what the browser gets uses nothing of the server", () => {
    const browser = own.filter(({ from }) => from.startsWith("app/ui/") || from.endsWith("/shared.ts"));
    expect(
      browser.filter(({ target, typeOnly }) => !typeOnly && /\.server$|\/(?:[a-z-]+-)?store$/.test(target)).map(shown),
    ).toEqual([]);
  });
});

describe("what lives in one place", () => {
  const outside = (allowed: RegExp) => sources.filter(({ path }) => !allowed.test(path));
  const reading = (files: SourceFile[], packages: RegExp) =>
    files.flatMap(importsOf).filter(({ target, typeOnly }) => !typeOnly && packages.test(target));

  test("only stores speak to the database's client", () => {
    const files = outside(/^app\/(?:connection\/db\.server\.ts$|database\/)|\/(?:[a-z-]+-)?store\.ts$/);
    expect(reading(files, /^pg$|^@prisma\/|^app\/generated\/prisma/).map(shown)).toEqual([]);
  });

  test("only config.server.ts reads the environment", () => {
    // Code examples on pages are texts, not code of this program.
    const code = (text: string) => text.replace(/`[^`]*`/g, "");
    const readers = outside(/^app\/config\.server\.ts$/).filter(({ text }) => /process\.env\b/.test(code(text)));
    expect(readers.map(({ path }) => path)).toEqual([]);
  });
});

describe("how the tree is kept", () => {
  test("no folder is named after nothing in particular", () => {
    const vague = new Set(["utils", "util", "helpers", "common", "misc", "lib", "services", "shared"]);
    const folders = ["app", "scripts", "tests", "prisma"].flatMap(foldersUnder);
    expect(folders.filter((folder) => vague.has(folder.split("/").at(-1) as string))).toEqual([]);
  });

  test("no file is longer than 400 lines", () => {
    const files = ["app", "scripts", "tests", "prisma", "public"].flatMap((folder) =>
      filesUnder(folder, /\.(tsx?|[cm]?js|css|prisma)$/),
    );
    const long = files
      .map(({ path, text }) => ({ path, lines: text.split("\n").length - 1 }))
      .filter(({ lines }) => lines > 400);
    expect(long).toEqual([]);
  });

  test("nothing is left for later in a comment", () => {
    const words = new RegExp(`\\b(?:${["TO", "DO|FIX", "ME"].join("")})\\b`);
    const files = ["app", "scripts", "tests"].flatMap((folder) => filesUnder(folder, /\.(tsx?|[cm]?js|css)$/));
    expect(files.filter(({ text }) => words.test(text)).map(({ path }) => path)).toEqual([]);
  });
});
