// npm run test:python: Python's SDKs and every example in Python, against the built server. npm run test:description: a
// long test of the OpenAPI description. Both use an embedded database; without the packages nothing is tested.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { makeEnvironment } from "./environment.mjs";

const FILES = {
  sdks: ["python-sdks", "docs-clients", "pasted-examples"],
  description: ["description"],
};
const [what, ...options] = process.argv.slice(2);

process.chdir(join(dirname(fileURLToPath(import.meta.url)), "../.."));
if (!makeEnvironment((line) => process.stdout.write(`${line}\n`))) process.exit(0);
const { TEST_DATABASE_URL: _, ...env } = process.env;
const files = FILES[what].map((name) => `tests/gateway/${name}.test.ts`);
const tests = ["node_modules/vitest/vitest.mjs", "run", "--project", "gateway", ...files, ...options];
const { status } = spawnSync(process.execPath, tests, { stdio: "inherit", env: { ...env, DESCRIPTION: "long" } });
process.exit(status ?? 1);
