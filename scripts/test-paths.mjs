// Which tests lie beneath a path, and who runs them: the projects of vitest.config.ts, and Playwright.
import { existsSync, readdirSync } from "node:fs";

/** What runs a test file, first match first. Tests that are no part of `npm test` have commands of their own. */
const RUNNERS = [
  { runner: "fresh", files: /^app\/.*\.fresh\.db\.test\.ts$/ },
  { runner: "database", files: /^(app|scripts)\/.*\.db\.test\.ts$/ },
  { runner: "mock", files: /^app\/.*\.mock\.test\.ts$/ },
  { runner: "unit", files: /^(app\/.*\.test\.tsx?|tests\/contract\/.*\.test\.ts)$/ },
  { runner: "alone", files: /^tests\/attack\/limits\.test\.ts$/ },
  { runner: "gateway", files: /^tests\/(gateway|portal|attack)\/.*\.test\.ts$/ },
  { runner: "e2e", files: /^tests\/e2e\/[^/]*\.spec\.ts$/ },
];

/** The runners that talk to the built server. */
export const NEEDS_BUILD = new Set(["gateway", "alone", "e2e"]);

/**
 * The test files at or beneath each path, or whose path begins with it (`tests/e2e/keys` is enough), by what runs them.
 * @throws Error, in one line, when a path has none: a command that ran nothing would look like one that passed.
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

/** What runs a test file; undefined: a command of its own does. */
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
