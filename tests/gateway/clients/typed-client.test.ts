import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Gateway, startGateway } from "../../support/gateway";

/** The typed client of the management API's page is generated from the served description, type-checked, and run. */
let gateway: Gateway;
let folder: string;
let example: string;
beforeAll(async () => {
  gateway = await startGateway();
  folder = await mkdtemp(join(tmpdir(), "gw-typed-client-"));
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  const described = await (await fetch(`${gateway.url}/openapi.json`)).json();
  await writeFile(join(folder, "gw.d.ts"), astToString(await openapiTS(described)));
  const page = await readFile("docs/management-api.md", "utf8");
  example = /^```ts\n([\s\S]*?)^```$/m.exec(page)![1]!.replaceAll("http://localhost:3000", gateway.url);
}, 180_000);
afterAll(async () => {
  await gateway?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2023.d.ts", "lib.dom.d.ts"],
  types: ["node"],
  noUncheckedIndexedAccess: true,
};

/** Compiles programs with the generated types. Returns the compiler's errors by program name. */
async function mistakesIn(programs: Readonly<Record<string, string>>): Promise<Record<string, string[]>> {
  const paths = Object.keys(programs).map((name) => join(folder, `${name}.ts`));
  for (const [name, text] of Object.entries(programs)) await writeFile(join(folder, `${name}.ts`), text);
  const program = ts.createProgram(paths, OPTIONS);
  const said = Object.fromEntries(Object.keys(programs).map((name): [string, string[]] => [name, []]));
  for (const { file, messageText } of ts.getPreEmitDiagnostics(program)) {
    const name = Object.keys(programs).find((each) => file?.fileName.endsWith(`/${each}.ts`)) ?? "elsewhere";
    said[name] = [...(said[name] ?? []), ts.flattenDiagnosticMessageText(messageText, " ")];
  }
  return said;
}

test("the example has the types that it claims, and what the description does not know is a mistake", async () => {
  const with_ = (from: string, to: string) => {
    expect(example).toContain(from);
    return example.replace(from, to);
  };
  const said = await mistakesIn({
    example,
    path: with_('gw.POST("/v1/manage/keys"', 'gw.POST("/v1/manage/keyz"'),
    field: with_("budget_limit: 25.5", "budget: 25.5"),
    value: with_('"monthly"', '"yearly"'),
    missing: with_('name: "search", ', ""),
    parameter: with_("path: { key_id: key.id }", "path: {}"),
    answer: with_("names: string[]", "names: number[]"),
  });
  const { example: none, ...wrong } = said;
  expect(none).toEqual([]);
  expect(said.elsewhere).toBeUndefined();
  expect(Object.entries(wrong).filter(([, mistakes]) => mistakes.length === 0)).toEqual([]);
}, 300_000);

test("the example does what it says, with the client that it makes", async () => {
  const { outputText } = ts.transpileModule(example, {
    compilerOptions: { ...OPTIONS, module: ts.ModuleKind.ESNext },
  });
  await writeFile(join(folder, "run.mjs"), outputText);
  const env = { PATH: process.env.PATH, GW_ADMIN_KEY: gateway.adminKey };
  const child = spawn(process.execPath, ["run.mjs"], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const code = await new Promise((done) => child.once("close", done));
  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringMatching(/^key_\w+ true\n$/) });
  const made = await fetch(`${gateway.url}/v1/manage/keys/${output.split(" ")[0]}`, {
    headers: { authorization: `Bearer ${gateway.adminKey}` },
  });
  expect(await made.json()).toMatchObject({ name: "search", status: "suspended", budget_limit: 25.5 });
}, 60_000);
