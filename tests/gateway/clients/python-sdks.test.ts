import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pythonProgram, WITHOUT_PYTHON } from "../../python/environment.mjs";
import { type Gateway, startGateway } from "../../support/gateway";

/** Unmodified packages from PyPI: runs the tests of tests/python and reports each as a test here. */
const python = pythonProgram("python");
if (python === null) process.stdout.write(`Python's SDKs are skipped: ${WITHOUT_PYTHON}.\n`);
const FOLDER = "tests/python";
const files = readdirSync(FOLDER).filter((name) => /^test_\w+\.py$/.test(name));

let gateway: Gateway;
let output = "";
beforeAll(async () => {
  if (python === null) return;
  gateway = await startGateway();
  const keys = {
    GW_KEY: gateway.key,
    GW_NARROW_KEY: (await gateway.createKey({ allowed_models: ["sandbox-embed"] })).key,
    GW_CHAT_ONCE_KEY: (await gateway.createKey({ rate_limit_rpm: 1 })).key,
    GW_MESSAGES_ONCE_KEY: (await gateway.createKey({ rate_limit_rpm: 1 })).key,
  };
  const child = spawn(python, ["-m", "pytest", "-v", "--color=no", "-p", "no:cacheprovider", FOLDER], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PYTHONDONTWRITEBYTECODE: "1", GW_URL: gateway.url, ...keys },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  await new Promise((resolve) => child.once("close", resolve));
}, 300_000);
afterAll(() => gateway?.close());

/** Returns pytest's verdicts on a function, one for each of its parameters. */
const verdictsOf = (file: string, name: string): string[] =>
  [...output.matchAll(new RegExp(`^${join(FOLDER, file)}::${name}(?:\\[.*\\])? (\\w+)`, "gm"))].map(
    ([, verdict]) => verdict!,
  );

describe.skipIf(python === null).each(files)(python === null ? `%s: ${WITHOUT_PYTHON}` : "%s", (file) => {
  const names = [...readFileSync(join(FOLDER, file), "utf8").matchAll(/^def (test_\w+)/gm)].map(([, name]) => name!);
  test.each(names)("%s", (name) => {
    const verdicts = verdictsOf(file, name);
    expect(new Set(verdicts), verdicts.includes("PASSED") && verdicts.length === 1 ? "" : output).toEqual(
      new Set(["PASSED"]),
    );
  });
});
