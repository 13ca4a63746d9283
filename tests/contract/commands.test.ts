import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { testsBeneath } from "../../scripts/test-paths.mjs";
import { filesUnder, ROOT } from "./source-tree";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };

test("every npm command that the documents, the workflows and the scripts name exists", () => {
  const texts = [
    ...filesUnder("docs", /\.md$/),
    ...filesUnder("scripts", /\.mjs$/),
    ...filesUnder(".ci", /^run$/),
    ...[".github", ".changeset"].flatMap((folder) => optional(folder)),
    ...["README.md", "CONTRIBUTING.md", "package.json"].map((path) => ({ path, text: readFileSync(path, "utf8") })),
  ];
  const named = texts.flatMap(({ path, text }) =>
    [...text.matchAll(/\bnpm (?:run ([a-z][\w:-]*\w)|(test|start)\b)/g)].map(([, run, short]) => ({
      path,
      name: (run ?? short) as string,
    })),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ name }) => scripts[name] === undefined)).toEqual([]);
});

test("what runs before a command belongs to one", () => {
  const orphans = Object.keys(scripts).filter((name) => name.startsWith("pre") && name !== "prepare");
  expect(orphans.filter((name) => scripts[name.slice(3)] === undefined)).toEqual([]);
});

test("every file that a script of package.json starts is there", () => {
  const started = Object.values(scripts).flatMap((line) => line.match(/\b(?:scripts|tests)\/\S+\.(?:mjs|ts)\b/g) ?? []);
  const there = [...filesUnder("scripts", /./), ...filesUnder("tests", /\.(mjs|ts)$/)].map(({ path }) => path);
  expect(started.filter((path) => !there.includes(path))).toEqual([]);
});

test("`npm test -- <path>` gives each test to the project that has it", () => {
  const done = spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", "list", "--filesOnly", "--json"], {
    encoding: "utf8",
    cwd: ROOT,
  });
  const listed = JSON.parse(done.stdout.slice(done.stdout.indexOf("["))) as { file: string; projectName: string }[];
  const { e2e, ...projects } = testsBeneath(["."]);
  const given = Object.entries(projects).flatMap(([project, files]) => files.map((file) => `${project} ${file}`));
  const had = listed.map(
    ({ file, projectName }) => `${projectName} ${file.slice(ROOT.length + 1).replaceAll("\\", "/")}`,
  );
  expect(given.toSorted()).toEqual(had.toSorted());
  expect(e2e).toContain("tests/e2e/keys.spec.ts");
});

test.each([
  [["app/values/money"], { unit: ["app/values/money.test.ts"] }],
  [["./app/http/"], { unit: ["app/http/a.test.ts"], database: ["app/http/b.db.test.ts"] }],
  [["app/jobs"], { fresh: ["app/jobs/e.fresh.db.test.ts"] }],
  [["tests/e2e/keys"], { e2e: ["tests/e2e/keys.spec.ts"] }],
  [["tests/e2e", "app/values/money.test.ts"], { unit: ["app/values/money.test.ts"], e2e: ["tests/e2e/keys.spec.ts"] }],
])("%j runs what lies beneath, and nothing else", (paths, expected) => {
  const files = [
    "app/values/money.test.ts",
    "app/http/a.test.ts",
    "app/http/b.db.test.ts",
    "app/http-more/c.test.ts",
    "app/jobs/e.fresh.db.test.ts",
    "tests/e2e/keys.spec.ts",
    "tests/agents/d.test.ts",
  ];
  expect(testsBeneath(paths, files)).toEqual({
    unit: [],
    mock: [],
    database: [],
    fresh: [],
    gateway: [],
    alone: [],
    e2e: [],
    ...expected,
  });
});

test.each([
  ["app/nothing-here", "no test beneath"],
  ["tests/agents", "command of their own"],
  ["--watch", "takes paths"],
])("%s is refused with one line, because a run of nothing looks like one that passed", (path, line) => {
  expect(() => testsBeneath([path])).toThrow(line);
});

function optional(folder: string) {
  try {
    return filesUnder(folder, /\.(ya?ml|md)$/);
  } catch {
    return [];
  }
}
