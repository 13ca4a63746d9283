import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";

const assets = join(import.meta.dirname, "../../build/server/assets");
const pieces = readdirSync(assets).filter((name) => name.endsWith(".js"));

test("the server is built in pieces, of which none takes much memory to read", () => {
  const sizes = pieces.map((name) => readFileSync(join(assets, name)).length);
  expect(Math.max(...sizes)).toBeLessThan(400_000);
  expect(pieces.length).toBeGreaterThan(10);
});

test("hardly a piece has a letter that makes the engine keep it in two bytes a letter", () => {
  const wide = pieces.filter((name) => /[^\0-\xff]/.test(readFileSync(join(assets, name), "utf8")));
  // Such letters cannot be written otherwise in templates with a tag, which SQL is.
  expect(wide.length).toBeLessThanOrEqual(4);
});

test("Prisma's query compiler is a file beside them", () => {
  const compiler = readFileSync(join(assets, "query-compiler.wasm"));
  expect(WebAssembly.validate(compiler)).toBe(true);
  for (const name of pieces) expect(readFileSync(join(assets, name), "utf8")).not.toContain("wasm-base64");
});

test("what they import is Node's, or comes with an installation for production", () => {
  const { dependencies } = JSON.parse(readFileSync(join(assets, "../../../package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  const texts = pieces.map((name) => readFileSync(join(assets, name), "utf8"));
  const imported = texts.flatMap((text) => [...text.matchAll(IMPORTED)].map(([, name]) => name!));
  const packages = new Set(imported.filter((name) => !isBuiltin(name)).map((name) => PACKAGE.exec(name)![0]));
  expect([...packages]).toEqual(expect.arrayContaining(["undici", "react", "@prisma/client", "openid-client"]));
  expect([...packages].filter((name) => !(name in dependencies))).toEqual([]);
});

/** As the build writes it; examples in texts have a space. */
const IMPORTED = /\b(?:from|import|import\()"([\w@][^"\n]*)"/g;
const PACKAGE = /^(?:@[^/]+\/)?[^/]+/;
