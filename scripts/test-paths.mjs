// Finds the tests beneath a path, and their runner: a project of vitest.config.ts, or Playwright.
import { existsSync, readdirSync } from "node:fs";

/** Runners of test files, first match first. Tests that are not part of `npm test` have their own commands. */
const RUNNERS = [
  { runner: "fresh", files: /^app\/.*\.fresh\.db\.test\.ts$/ },
  { runner: "database", files: /^(app|scripts)\/.*\.db\.test\.ts$/ },
  { runner: "mock", files: /^app\/.*\.mock\.test\.ts$/ },
  { runner: "unit", files: /^((app|scripts)\/.*\.test\.tsx?|tests\/contract\/.*\.test\.ts)$/ },
  { runner: "alone", files: /^tests\/attack\/limits\.test\.ts$/ },
  { runner: "gateway", files: /^tests\/(gateway|portal|attack)\/.*\.test\.ts$/ },
  { runner: "e2e", files: /^tests\/e2e\/[^/]*\.spec\.ts$/ },
];

/** Runners whose tests need the built server. */
export const NEEDS_BUILD = new Set(["gateway", "alone", "e2e"]);

/**
 * Returns the test files at or beneath each path, or whose path starts with it (`tests/e2e/keys` is enough), by runner.
 * @throws Error, in one line, if a path has none: a command without tests would look like a success
 */
export function testsBeneath(paths, files = testFiles()) {
  const found = {
    unit: new Set(),
    mock: new Set(),
    database: new Set(),
    fresh: new Set(),
    gateway: new Set(),
    alone: new Set(),
    e2e: new Set(),
  };
  for (const path of paths) {
    const wanted = path.replaceAll("\\", "/").replace(/^\.\//, "").replace(/\/+$/, "");
    const beneath = files.filter((file) => wanted === "." || file.startsWith(wanted));
    const exact = beneath.filter((file) => file === wanted || file.startsWith(`${wanted}/`));
    const chosen = exact.length > 0 ? exact : beneath;
    const runnable = chosen.map((file) => ({ file, runner: runnerOf(file) })).filter(({ runner }) => runner);
    if (runnable.length === 0) throw new Error(whyNone(path, chosen));
    for (const { file, runner } of runnable) found[runner].add(file);
  }
  return Object.fromEntries(Object.entries(found).map(([runner, chosen]) => [runner, [...chosen].sort()]));
}

/** Returns the runner of a test file; undefined: it has its own command. */
export function runnerOf(file) {
  return RUNNERS.find(({ files }) => files.test(file))?.runner;
}

function whyNone(path, chosen) {
  if (path.startsWith("-"))
    return `npm test takes paths. For ${path}: npx vitest --project unit, or npx playwright test.`;
  if (chosen.length > 0) return `The tests of ${path} have a command of their own: see CONTRIBUTING.md.`;
  return `There is no test beneath ${path}.`;
}

function testFiles() {
  return ["app", "scripts", "tests"]
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((path) => `${folder}/${path}`))
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => /\.(test|spec)\.tsx?$/.test(path));
}
