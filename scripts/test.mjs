// npm test: lint, types, all Vitest projects, then the browser journeys. Ends with the sums, and fails when anything failed.
// With TEST_DATABASE_URL (a PostgreSQL server on which databases may be created) the tests run there, else on the embedded one.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { chromiumForTests } from "./chromium.mjs";

process.chdir(join(dirname(fileURLToPath(import.meta.url)), ".."));
const reports = mkdtempSync(join(tmpdir(), "gw-test-reports-"));
const results = [];

check("lint", ["node_modules/@biomejs/biome/bin/biome", "check", "."]);
check("types, generated", ["node_modules/@react-router/dev/bin.js", "typegen"]);
check("types", ["node_modules/typescript/bin/tsc", "--noEmit"]);
vitest();
playwright();
finish();

function check(name, command) {
  const done = node(command);
  results.push({ name, passed: done ? 1 : 0, failed: done ? 0 : 1, skipped: 0 });
}

function vitest() {
  if (!process.env.TEST_DATABASE_URL)
    say("TEST_DATABASE_URL is not set: tests that need a PostgreSQL server are skipped.");
  const file = join(reports, "vitest.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const done = node(["node_modules/vitest/vitest.mjs", "run", ...reporters]);
  const sums = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  // A file that could not even be read fails without counting a test.
  const failed = Math.max(sums.numFailedTests ?? 0, done ? 0 : 1);
  results.push({ name: "vitest", passed: sums.numPassedTests ?? 0, failed, skipped: sums.numPendingTests ?? 0 });
}

function playwright() {
  if (!existsSync("tests/e2e") || !readdirSync("tests/e2e").some((name) => name.endsWith(".spec.ts"))) return;
  const chromium = chromiumForTests();
  if (chromium === null) return say("There is no Chromium: the browser journeys are skipped.");
  const file = join(reports, "playwright.json");
  const env = { ...process.env, CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: file };
  const done = node(["node_modules/@playwright/test/cli.js", "test", "--reporter=list,json"], env);
  const sums = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).stats : {};
  const failed = Math.max(sums.unexpected ?? 0, done ? 0 : 1);
  results.push({
    name: "playwright",
    passed: (sums.expected ?? 0) + (sums.flaky ?? 0),
    failed,
    skipped: sums.skipped ?? 0,
  });
}

function finish() {
  rmSync(reports, { recursive: true, force: true });
  const sum = (field) => results.reduce((total, result) => total + result[field], 0);
  say("");
  for (const result of results) say(line(result.name, result));
  say(line("all", { passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped") }));
  say(`${sum("passed")} passed, ${sum("failed")} failed`);
  process.exit(sum("failed") === 0 ? 0 : 1);
}

function line(name, { passed, failed, skipped }) {
  return `${`${name}:`.padEnd(18)}${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

function node(command, env = process.env) {
  say(`\n> ${command[0].replace(/^node_modules\//, "")} ${command.slice(1).join(" ")}`);
  return spawnSync(process.execPath, command, { stdio: "inherit", env }).status === 0;
}

function say(text) {
  process.stdout.write(`${text}\n`);
}
