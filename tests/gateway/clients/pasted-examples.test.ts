import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contentOf } from "~/content/index.server";
import { exampleParts, modelsToTry } from "~/routes/_public/guide/models-to-try";
import { firstCall } from "~/routes/_public/guide/samples/first-call";
import { autoChoice, budgetKey, regionLock } from "~/routes/_public/guide/samples/limits";
import { jsonAnswer, streaming, tools } from "~/routes/_public/guide/samples/streams";
import { filled } from "~/routes/_public/parts/content-parts";
import { pythonProgram } from "../../python/environment.mjs";
import { type Gateway, startGateway } from "../../support/gateway";

const run = promisify(execFile);
const BASE = "http://gw.example";
const MODELS = modelsToTry([
  { id: "sandbox-chat", capability: "chat" },
  { id: "sandbox-messages", capability: "chat" },
  { id: "sandbox-rerank", capability: "rerank" },
]);

let gateway: Gateway;
let folder: string;
let keyId: string;

beforeAll(async () => {
  gateway = await startGateway();
  keyId = (await gateway.createKey()).id;
  // Inside the repository, so that Node finds its packages.
  mkdirSync("test-results", { recursive: true });
  folder = mkdtempSync(join(process.cwd(), "test-results", "pasted-"));
});
afterAll(async () => {
  await gateway?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs an example unchanged with the key in the environment. Returns its output. */
async function pasted(text: string, beginning = ""): Promise<string> {
  const here = text.replaceAll(BASE, gateway.url).replaceAll("key_…", keyId);
  const env = { ...process.env, GW_KEY: gateway.key, GW_ADMIN_KEY: gateway.adminKey };
  const file = join(folder, `example-${Math.random().toString(36).slice(2)}.mjs`);
  const isPlain = here.startsWith("curl") || isPython(here);
  writeFileSync(file, isPlain ? here : `${beginning.replaceAll(BASE, gateway.url)}\n${here}`);
  const program = isPython(here) ? (python as string) : isPlain ? "sh" : process.execPath;
  const { stdout } = await run(program, [file], { env, timeout: 30_000 });
  return stdout;
}

const python = pythonProgram("python");
const isPython = (text: string) => text.startsWith("import os");

/** Returns the runnable examples; those in Python only where its packages are installed. */
const examples = (samples: readonly { name: string; text: string }[]) =>
  samples.filter(({ text }) => /^(?:curl|import|const|\/\/)/.test(text) && (python !== null || !isPython(text)));
const CHAT = `import OpenAI from "openai";\nconst client = new OpenAI({ baseURL: "${BASE}/v1", apiKey: process.env.GW_KEY });`;
const MESSAGES = `import Anthropic from "@anthropic-ai/sdk";\nconst client = new Anthropic({ baseURL: "${BASE}", apiKey: process.env.GW_KEY });`;
const beginningOf = ({ name, text }: { name: string; text: string }) =>
  /^import os|\bnew (?:OpenAI|Anthropic)\b|^import \{ (?:ChatOpenAI|createOpenAI)/m.test(text)
    ? ""
    : name.startsWith("Messages")
      ? MESSAGES
      : CHAT;

describe("the guide’s examples work when they are pasted:", () => {
  const sections = {
    "first call": firstCall(BASE, MODELS),
    stream: streaming(BASE, MODELS),
    tools: tools(BASE, MODELS),
    json: jsonAnswer(BASE, MODELS),
    budget: budgetKey(BASE, MODELS),
    auto: autoChoice(BASE),
  };
  const all = Object.entries(sections).flatMap(([section, samples]) =>
    examples(samples).map((sample) => ({ title: `${section}, ${sample.name}`, sample })),
  );
  test.each(all)("$title", async ({ sample }) => {
    expect(await pasted(sample.text, beginningOf(sample))).not.toMatch(/"error": ?[{"]/);
  });

  test("a region where nobody serves refuses, as the guide says", async () => {
    const [oneCall, wholeKey] = regionLock(BASE, MODELS);
    expect(await pasted(oneCall!.text)).toContain("sovereign_route_unavailable");
    expect(await pasted(wholeKey!.text)).toContain('"key":"gw_');
  });
});

describe("the programs of the page for developers run as they stand:", () => {
  const { values } = exampleParts(BASE, MODELS);
  const programs = contentOf("developers", "en").sections.flatMap(({ title, blocks }) =>
    blocks.flatMap((block) =>
      block.kind === "code" && block.name !== "Install" ? [{ title, text: filled(block.text, values) }] : [],
    ),
  );
  test("there are some", () => expect(programs.length).toBeGreaterThan(4));
  test.each(programs)("$title", async ({ text }) => {
    expect((await pasted(text)).length).toBeGreaterThan(20);
  });
});
