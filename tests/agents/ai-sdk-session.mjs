// An agent that uses the AI SDK. Arguments: the provider, whether to stream, and the prompt. Its tools read and edit
// files and run commands in the working folder. It asks its model to think.
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import process from "node:process";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { APICallError, generateText, stepCountIs, streamText, tool } from "ai";
import { z } from "zod";

const [provider, how, prompt] = process.argv.slice(2);
const isStreamed = how === "streamText";
const { GW_URL, GW_KEY: apiKey, GW_MODEL } = process.env;
const baseURL = `${GW_URL}/v1`;
globalThis.AI_SDK_LOG_WARNINGS = false;

const tools = {
  read: tool({
    description: "Reads a file.",
    inputSchema: z.object({ path: z.string() }),
    execute: ({ path }) => readFile(path, "utf8"),
  }),
  edit: tool({
    description: "Replaces a text in a file.",
    inputSchema: z.object({ path: z.string(), from: z.string(), to: z.string() }),
    async execute({ path, from, to }) {
      await writeFile(path, (await readFile(path, "utf8")).replace(from, to));
      return { edited: path };
    },
  }),
  run: tool({
    description: "Runs a command.",
    inputSchema: z.object({ command: z.string(), timeoutSeconds: z.number().int().positive().optional() }),
    execute: ({ command }) => execFileSync("sh", ["-c", command], { encoding: "utf8" }),
  }),
};

const PROVIDERS = {
  openai: () => ({
    model: createOpenAI({ baseURL, apiKey })(GW_MODEL),
    // One mode refers to the stored response, the other sends the history again.
    providerOptions: {
      openai: { reasoningEffort: "medium", reasoningSummary: "auto", forceReasoning: true, store: isStreamed },
    },
  }),
  "openai-compatible": () => ({
    model: createOpenAICompatible({ name: "gw", baseURL, apiKey, includeUsage: true })(GW_MODEL),
    providerOptions: { gw: { reasoningEffort: "medium" } },
  }),
  anthropic: () => ({
    model: createAnthropic({ baseURL, apiKey })(GW_MODEL),
    // Newer models take the first form, older ones the second.
    providerOptions: {
      anthropic: { thinking: isStreamed ? { type: "adaptive" } : { type: "enabled", budgetTokens: 2_000 } },
    },
  }),
};

const asked = {
  ...PROVIDERS[provider](),
  prompt,
  tools,
  system: "You are an agent. Work in the present folder.",
  stopWhen: stepCountIs(6),
  maxRetries: 0,
};

try {
  process.stdout.write(`${isStreamed ? await streamed() : (await generateText(asked)).text}\n`);
} catch (problem) {
  const words = APICallError.isInstance(problem) ? `${problem.statusCode} ${problem.responseBody}` : problem.stack;
  process.stderr.write(`${words}\n`);
  process.exitCode = 1;
}

async function streamed() {
  let text = "";
  for await (const part of streamText({ ...asked, onError: () => undefined }).fullStream) {
    if (part.type === "text-delta") text += part.text;
    if (part.type === "error" || part.type === "tool-error") throw part.error;
  }
  return text;
}
