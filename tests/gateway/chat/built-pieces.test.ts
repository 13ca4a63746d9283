import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const assets = join(import.meta.dirname, "../../../build/server/assets");
const pieces = readdirSync(assets).filter((name) => name.endsWith(".js"));

test("the server is built in pieces, of which none takes much memory to read", () => {
  const sizes = pieces.map((name) => readFileSync(join(assets, name)).length);
  expect(Math.max(...sizes)).toBeLessThan(400_000);
  expect(pieces.length).toBeGreaterThan(10);
});

test("hardly a piece has a letter that makes the engine keep it in two bytes a letter", () => {
  const wide = pieces.filter((name) => /[^\0-\xff]/.test(readFileSync(join(assets, name), "utf8")));
  // The build cannot escape such letters in tagged templates, which contain SQL.
  expect(wide.length).toBeLessThanOrEqual(4);
});

test("Prisma's query compiler is a file beside them", () => {
  const compiler = readFileSync(join(assets, "query-compiler.wasm"));
  expect(WebAssembly.validate(compiler)).toBe(true);
  for (const name of pieces) expect(readFileSync(join(assets, name), "utf8")).not.toContain("wasm-base64");
});

test("behind it other modules of WebAssembly are optimised as ever: HTTP is read by one", async () => {
  const [text = ""] = pieces
    .map((name) => readFileSync(join(assets, name), "utf8"))
    .filter((piece) => piece.includes("query-compiler.wasm"));
  const flags = [...text.matchAll(/"((?:no-)?(?:wasm|liftoff)-[a-z-]+)"/g)].map(([, flag]) => `--${flag}`);
  expect(flags[0]).toBe("--liftoff-only");
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--allow-natives-syntax",
    "-e",
    OPTIMISED,
    "--",
    ...flags,
  ]);
  expect(stdout).toBe("true");
});

/** Runs a WebAssembly loop until the engine has optimised it, at most 1,000 times. Prints whether it has. */
const OPTIMISED = `
  for (const flag of process.argv.slice(1)) require("node:v8").setFlagsFromString(flag);
  const code = "0061736d0100000001060160017f017f03020100070501016600000a120110000340200041016b22000d000b20000b";
  WebAssembly.instantiate(Buffer.from(code, "hex")).then(async ({ instance: { exports: { f } } }) => {
    for (let turn = 0; turn < 1_000 && !%IsTurboFanFunction(f); turn += 1) {
      f(100_000);
      await new Promise(setImmediate);
    }
    process.stdout.write(String(%IsTurboFanFunction(f)));
  });`;

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

/** An import in the build's own format; examples in texts have a space. */
const IMPORTED = /\b(?:from|import|import\()"([\w@][^"\n]*)"/g;
const PACKAGE = /^(?:@[^/]+\/)?[^/]+/;
