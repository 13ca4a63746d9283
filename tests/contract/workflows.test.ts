import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { filesUnder } from "./source-tree";

type Workflow = {
  permissions?: Record<string, string>;
  concurrency?: unknown;
  jobs: Record<string, Record<string, unknown>>;
};
const workflows = filesUnder(".github/workflows", /\.yml$/).map(({ path, text }) => ({
  path,
  text,
  ...(parse(text) as Workflow),
}));
const { engines, version } = JSON.parse(readFileSync("package.json", "utf8")) as {
  engines: { node: string };
  version: string;
};

test("every action is pinned to a commit, with the version that it was", () => {
  const uses = workflows.flatMap(({ text }) => text.match(/uses: .*/g) ?? []);
  expect(uses.length).toBeGreaterThan(3);
  expect(uses.filter((line) => !/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
});

test("workflows may read only, unless a job says more, and end by themselves", () => {
  expect(workflows.map(({ path }) => path)).toContain(".github/workflows/ci.yml");
  for (const { permissions, concurrency, jobs } of workflows) {
    expect(permissions).toEqual({ contents: "read" });
    expect(concurrency).toBeDefined();
    for (const job of Object.values(jobs)) expect(job["timeout-minutes"]).toEqual(expect.any(Number));
  }
});

test("what runs here runs there: the suite, and types and unit tests on macOS and Windows", () => {
  const { text = "", jobs } = workflows.find(({ path }) => path.endsWith("/ci.yml"))!;
  for (const command of [".ci/run", "npm ci", "npm run typecheck", "npm run test:unit"])
    expect(text).toContain(command);
  expect(JSON.stringify(Object.values(jobs))).toMatch(/macos-\d+.*windows-\d+/);
});

test("one version of Node is named everywhere, and `engines` allows it", () => {
  const major = readFileSync(".nvmrc", "utf8").trim();
  expect(Number(major)).toBeGreaterThanOrEqual(Number(/\d+/.exec(engines.node)?.[0]));
  const images = readFileSync("Dockerfile", "utf8").match(/node:\d+/g) ?? [];
  expect(new Set(images)).toEqual(new Set([`node:${major}`]));
});

test("the configuration of Changesets versions this private package, and each changeset names it", () => {
  const config = JSON.parse(readFileSync(".changeset/config.json", "utf8"));
  expect(config.privatePackages).toEqual({ version: true, tag: true });
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  const changesets = filesUnder(".changeset", /\.md$/).filter(({ path }) => !path.endsWith("README.md"));
  expect(changesets.filter(({ text }) => !/^---\n(?:"gw": (?:major|minor|patch)\n---\n\n\S|---\n)/.test(text))).toEqual(
    [],
  );
});

test("a pull request is asked for its changeset", () => {
  const { jobs } = workflows.find(({ path }) => path.endsWith("/ci.yml"))!;
  expect(jobs.changeset).toMatchObject({ if: expect.stringContaining("pull_request") });
  expect(JSON.stringify(jobs.changeset)).toContain("npx changeset status --since=origin/main");
  // The comparison needs the Git history, which a checkout omits by default.
  expect(JSON.stringify(jobs.changeset)).toContain('"fetch-depth":0');
});
