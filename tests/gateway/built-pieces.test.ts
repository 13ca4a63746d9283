import { readdirSync, readFileSync } from "node:fs";
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
