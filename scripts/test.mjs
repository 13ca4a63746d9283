// npm test: lint, types, all Vitest projects, then the browser journeys. Prints totals at the end; fails if anything
// failed. npm test -- <path> …: only the tests beneath these paths, with only the preparation that they need.
// With TEST_DATABASE_URL (a PostgreSQL server with permission to create databases) the tests run there, else on the
// embedded one.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { chromiumForTests } from "./chromium.mjs";
import { NEEDS_BUILD, runnerOf, testsBeneath } from "./test-paths.mjs";

process.chdir(join(dirname(fileURLToPath(import.meta.url)), ".."));
const reports = mkdtempSync(join(tmpdir(), "gw-test-reports-"));
const results = [];
const failures = [];
const flaky = [];

const paths = process.argv.slice(2);
if (paths.length > 0) someTests(paths);
else await everything();
finish();

async function everything() {
  prepare("dev");
  check("lint", ["node_modules/@biomejs/biome/bin/biome", "check", "."]);
  check("types, generated", ["node_modules/@react-router/dev/bin.js", "typegen"]);
  // Each keeps one processor busy; the build only at times.
  const [, , isBuilt] = await Promise.all([
    checkBeside("unused code", ["node_modules/knip/bin/knip.js", "--no-progress"]),
    checkBeside("types", ["node_modules/typescript/bin/tsc", "--noEmit"]),
    beside(["scripts/prepare.mjs", "test"]),
  ]);
  // Without the build, tests would run on an older one.
  if (!isBuilt) process.exit(1);
  vitest();
  playwright();
}

function someTests(paths) {
  const { e2e, ...projects } = chosen(paths);
  const used = Object.keys(projects).filter((project) => projects[project].length > 0);
  prepare(e2e.length > 0 || used.some((project) => NEEDS_BUILD.has(project)) ? "build" : "dev");
  const files = used.flatMap((project) => projects[project]);
  if (files.length > 0) vitest([...used.flatMap((project) => ["--project", project]), ...files]);
  if (e2e.length > 0) playwright(e2e);
}

function chosen(paths) {
  try {
    return testsBeneath(paths);
  } catch (error) {
    say(error.message);
    process.exit(1);
  }
}

function prepare(purpose) {
  if (spawnSync(process.execPath, ["scripts/prepare.mjs", purpose], { stdio: "inherit" }).status !== 0) process.exit(1);
}

function check(name, command) {
  checked(name, node(command));
}

async function checkBeside(name, command) {
  checked(name, await beside(command));
}

/** Runs a command concurrently with others; its output is printed in one piece. */
async function beside(command) {
  const child = spawn(process.execPath, command, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const code = await new Promise((done) => child.once("close", done));
  say(`${heading(command)}\n${output}`);
  return code === 0;
}

function checked(name, done) {
  results.push({ name, passed: done ? 1 : 0, failed: done ? 0 : 1, skipped: 0 });
}

function vitest(options = []) {
  if (!process.env.TEST_DATABASE_URL)
    say("TEST_DATABASE_URL is not set: tests that need a PostgreSQL server are skipped.");
  const run = vitestRun("vitest", options);
  const again = seenOnceMore(run);
  const failed = again === null ? run.failed : again.failed;
  results.push({ name: "vitest", passed: run.passed + run.failed - failed, failed, skipped: run.skipped });
  failures.push(...(again ?? run).failures.map(({ text }) => text));
  if (again?.failed === 0) flaky.push(...run.failures.map(({ text }) => text));
}

/**
 * Black-box tests share two cores with two other files, their servers and databases: if at most six of their files
 * failed, these run again, alone. Tests that then pass are reported as flaky at the end. Unit and database tests have
 * no second run.
 */
function seenOnceMore({ failures: failed }) {
  const files = [...new Set(failed.map(({ path }) => path))];
  const isBlackBox = files.every((path) => NEEDS_BUILD.has(runnerOf(path)));
  if (files.length === 0 || files.length > 6 || !isBlackBox) return null;
  return vitestRun("again", ["--project", "gateway", "--project", "alone", "--no-file-parallelism", ...files]);
}

function vitestRun(name, options) {
  const file = join(reports, `${name}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const done = node(["node_modules/vitest/vitest.mjs", "run", ...reporters, ...options]);
  const sums = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  // A file that cannot be loaded fails without counting a test.
  const failed = Math.max(sums.numFailedTests ?? 0, done ? 0 : 1);
  const failures = (sums.testResults ?? []).flatMap(failuresOf);
  return { failed, passed: sums.numPassedTests ?? 0, skipped: sums.numPendingTests ?? 0, failures };
}

function failuresOf({ name, status, message, assertionResults }) {
  const path = relative(process.cwd(), name).replaceAll("\\", "/");
  const wrong = assertionResults.filter((test) => test.status === "failed");
  if (wrong.length === 0 && status === "failed") return [{ path, text: failure(path, "the file itself", message) }];
  return wrong.map((test) => ({ path, text: failure(path, test.fullName, test.failureMessages?.[0]) }));
}

/** A failed test in a few lines: its name, and the start of its message. */
function failure(path, name, message) {
  const text = stripVTControlCharacters(message ?? "").slice(0, 600);
  return [`${path} > ${name}`, ...text.split("\n").slice(0, 6)].join("\n    ");
}

function playwright(files = []) {
  const chromium = chromiumForTests();
  if (chromium === null) {
    say("There is no Chromium: the browser journeys are skipped.");
    // A run that explicitly requests these tests must fail.
    if (files.length > 0) results.push({ name: "playwright", passed: 0, failed: 1, skipped: files.length - 1 });
    return;
  }
  const file = join(reports, "playwright.json");
  const env = { ...process.env, CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: file };
  // A journey shares its core with a browser, a server and a database, so a failed one is repeated in a fresh portal.
  const options = ["--reporter=list,json", "--retries=1"];
  const done = node(["node_modules/@playwright/test/cli.js", "test", ...options, ...files], env);
  const sums = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).stats : {};
  const failed = Math.max(sums.unexpected ?? 0, done ? 0 : 1);
  results.push({
    name: "playwright",
    passed: (sums.expected ?? 0) + (sums.flaky ?? 0),
    failed,
    skipped: sums.skipped ?? 0,
  });
  const suites = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).suites : [];
  for (const spec of suites.flatMap(specsOf)) {
    failures.push(...runsThat("unexpected", spec));
    flaky.push(...runsThat("flaky", spec));
  }
}

function specsOf(suite) {
  return [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];
}

function runsThat(became, spec) {
  const those = spec.tests.filter(({ status }) => status === became);
  const messageOf = ({ results: runs }) => runs.findLast(({ error }) => error !== undefined)?.error.message;
  return those.map((test) => failure(`tests/e2e/${spec.file}`, spec.title, messageOf(test)));
}

function finish() {
  rmSync(reports, { recursive: true, force: true });
  const sum = (field) => results.reduce((total, result) => total + result[field], 0);
  if (flaky.length > 0) say(`\nFlaky, passed when run again alone:\n${flaky.join("\n")}`);
  if (failures.length > 0) say(`\nFailed:\n${failures.join("\n")}`);
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
  say(heading(command));
  return spawnSync(process.execPath, command, { stdio: "inherit", env }).status === 0;
}

function heading(command) {
  return `\n> ${command[0].replace(/^node_modules\//, "")} ${command.slice(1).join(" ")}`;
}

function say(text) {
  process.stdout.write(`${text}\n`);
}
