import { spawn, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pythonProgram, WITHOUT_PYTHON } from "../../python/environment.mjs";
import { type Gateway, startGateway } from "../../support/gateway";

/** An example of the pages for clients; every example is run unchanged against a fresh installation. */
type Example = { page: string; language: string; number: number; code: string };

const DOCS = resolve("docs");
const PAGES = ["regions-and-failover.md", ...(await readdir(join(DOCS, "clients"))).map((name) => `clients/${name}`)];

async function examplesOf(page: string): Promise<Example[]> {
  const text = await readFile(join(DOCS, page), "utf8");
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, code], index) => ({
    page,
    language: language!,
    number: index + 1,
    code: code!,
  }));
}

const examples = (await Promise.all(PAGES.map(examplesOf))).flat();
const hasCurl = spawnSync("curl", ["--version"]).status === 0;
const python = pythonProgram("python");

let gateway: Gateway;
let folder: string;
beforeAll(async () => {
  gateway = await startGateway();
  folder = await mkdtemp(join(tmpdir(), "gw-examples-"));
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
});
afterAll(async () => {
  await gateway?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** Runs a program in its own folder, as a reader would, with the keys in the environment. */
async function run(program: string, given: readonly string[]): Promise<{ code: number | null; output: string }> {
  const cwd = join(folder, `run-${Math.random().toString(36).slice(2)}`);
  await mkdir(cwd);
  const child = spawn(program, given, {
    cwd,
    env: { PATH: process.env.PATH, HOME: folder, GW_KEY: gateway.key, GW_ADMIN_KEY: gateway.adminKey },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const code = await new Promise<number | null>((done) => child.once("close", done));
  return { code, output };
}

const here = (code: string) => code.replaceAll("http://localhost:3000", gateway.url);
const named = ({ page, number, language }: Example) => `${page}, example ${number} (${language})`;
const of = (language: string) => examples.filter((example) => example.language === language);

test("there are examples in every language, and nothing is written in one that nobody runs", () => {
  const languages = new Set(examples.map(({ language }) => language));
  expect([...languages].toSorted()).toEqual(["js", "json", "python", "sh", "toml", "yaml"]);
  expect(of("js").length).toBeGreaterThan(20);
});

describe("JavaScript", () => {
  for (const example of of("js")) {
    test.concurrent(named(example), async () => {
      const file = join(folder, `${example.page.replace("/", "-")}-${example.number}.mjs`);
      await writeFile(file, here(example.code));
      const { code, output } = await run(process.execPath, [file]);
      expect({ code, output }).toMatchObject({ code: 0 });
      expect(output.trim()).not.toBe("");
    });
  }
});

describe.skipIf(!hasCurl)("the command line", () => {
  for (const example of of("sh").filter(({ code }) => code.includes("curl"))) {
    test(named(example), async () => {
      const { code, output } = await run("sh", ["-ec", here(example.code)]);
      expect(code).toBe(0);
      // Only the nonexistent region is rejected.
      if (example.code.includes("mars")) expect(output).toContain("sovereign_route_unavailable");
      else expect(output).not.toMatch(/"error": ?[{"]/);
      expect(output.trim()).not.toBe("");
    });
  }
});

describe.skipIf(python === null)(python === null ? `Python: ${WITHOUT_PYTHON}` : "Python", () => {
  for (const example of of("python")) {
    test.concurrent(named(example), async () => {
      const { code, output } = await run(python as string, ["-c", here(example.code)]);
      expect({ code, output }).toMatchObject({ code: 0 });
      expect(output.trim()).not.toBe("");
    });
  }
});

test("settings are well formed", () => {
  for (const { code } of of("json")) expect(JSON.parse(code)).toBeTypeOf("object");
});

test("every client has its page, and every link leads somewhere", async () => {
  const index = await readFile(join(DOCS, "clients.md"), "utf8");
  for (const page of PAGES) expect(index).toContain(page);
  for (const page of ["clients.md", ...PAGES]) {
    const text = await readFile(join(DOCS, page), "utf8");
    for (const [, link] of text.matchAll(/\]\((?!http)([^)#]+)/g)) {
      await expect(readFile(join(DOCS, page, "..", link!)), `${link} in ${page}`).resolves.toBeDefined();
    }
  }
});
