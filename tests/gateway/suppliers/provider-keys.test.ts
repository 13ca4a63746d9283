import { mkdtemp, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { calcPrice } from "@pydantic/genai-prices";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Gateway, startGateway } from "../../support/gateway";
import { startGoogleStandIn } from "../../support/stand-in-google";
import { startStandIn } from "../../support/stand-in-supplier";

/** Each provider's name in the environment and in the price catalogue, and a model that no other provider has. */
const PROVIDERS = [
  { name: "openai", variable: "OPENAI", prices: "openai", model: "gpt-5.4" },
  { name: "anthropic", variable: "ANTHROPIC", prices: "anthropic", model: "claude-haiku-4-5" },
  { name: "gemini", variable: "GEMINI", prices: "google", model: "gemini-2.5-pro" },
  { name: "mistral", variable: "MISTRAL", prices: "mistral", model: "mistral-small-latest" },
  { name: "groq", variable: "GROQ", prices: "groq", model: "llama-3.3-70b-versatile" },
  { name: "deepseek", variable: "DEEPSEEK", prices: "deepseek", model: "deepseek-v4-flash" },
  { name: "xai", variable: "XAI", prices: "x-ai", model: "grok-4.5" },
  { name: "cohere", variable: "COHERE", prices: "cohere", model: "command-a-03-2025" },
  { name: "openrouter", variable: "OPENROUTER", prices: "openrouter", model: "anthropic/claude-sonnet-4.5" },
  { name: "azure", variable: "AZURE_OPENAI", prices: "azure", model: "o3-2025-04-16" },
  { name: "bedrock", variable: "BEDROCK", prices: "aws", model: "openai.gpt-oss-20b-1:0" },
  { name: "ollama", variable: "OLLAMA", prices: null, model: "llama3.2:3b" },
] as const;

/** Token counts that are plausible for the request and the answer. */
const USAGE = { input: 1_507, cached: 301, output: 3 };
const QUESTION = "Hello! ".repeat(750);
const keyOf = (name: string) => `sk-secret-of-${name}`;

type Asked = { path: string; key: string; model: string };
let asked: Asked[] = [];
let standIn: Server;
let gateway: Gateway;

/** A stand-in for all providers, each on its own path. */
function standInForAll(): Server {
  return createServer(async (request, response) => {
    response.setHeader("content-type", "application/json");
    const path = request.url ?? "";
    if (path.endsWith("/models")) return response.end(JSON.stringify({ data: [{ id: "llama3.2:3b" }] }));
    let text = "";
    for await (const chunk of request) text += chunk;
    const named = /\/model\/([^/]+)\/converse$/.exec(path)?.[1];
    const model = named === undefined ? (JSON.parse(text) as { model: string }).model : decodeURIComponent(named);
    const key = request.headers["x-api-key"] ?? request.headers.authorization?.replace("Bearer ", "") ?? "";
    asked.push({ path, key: String(key), model });
    const answer =
      named !== undefined
        ? CONVERSED
        : path.endsWith("/messages")
          ? message(model)
          : path.endsWith("/cohere/v1/chat")
            ? COHERE
            : completion(model);
    response.end(JSON.stringify(answer));
  });
}

const completion = (model: string) => ({
  id: "c-1",
  object: "chat.completion",
  created: 1,
  model,
  choices: [{ index: 0, message: { role: "assistant", content: "Hello." }, finish_reason: "stop" }],
  usage: {
    prompt_tokens: USAGE.input,
    completion_tokens: USAGE.output,
    total_tokens: USAGE.input + USAGE.output,
    prompt_tokens_details: { cached_tokens: USAGE.cached },
  },
});

const CONVERSED = {
  output: { message: { role: "assistant", content: [{ text: "Hello." }] } },
  stopReason: "end_turn",
  usage: {
    inputTokens: USAGE.input - USAGE.cached,
    cacheReadInputTokens: USAGE.cached,
    outputTokens: USAGE.output,
    totalTokens: USAGE.input + USAGE.output,
  },
};

const COHERE = {
  id: "c-1",
  finish_reason: "COMPLETE",
  message: { role: "assistant", content: [{ type: "text", text: "Hello." }] },
  usage: {
    billed_units: { input_tokens: USAGE.input, output_tokens: USAGE.output },
    tokens: { input_tokens: USAGE.input + 60, output_tokens: USAGE.output + 2 },
    cached_tokens: USAGE.cached,
  },
};

const message = (model: string) => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model,
  content: [{ type: "text", text: "Hello." }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: {
    input_tokens: USAGE.input - USAGE.cached,
    cache_read_input_tokens: USAGE.cached,
    output_tokens: USAGE.output,
  },
});

beforeAll(async () => {
  standIn = standInForAll();
  await new Promise<void>((resolve) => standIn.listen(0, "127.0.0.1", resolve));
  const { port } = standIn.address() as AddressInfo;
  const env: Record<string, string> = { GW_PROVIDER_KEYS: "true" };
  for (const { name, variable } of PROVIDERS) {
    env[`${variable}_BASE_URL`] = `http://127.0.0.1:${port}/${name}/v1`;
    if (name === "bedrock") env.AWS_BEARER_TOKEN_BEDROCK = keyOf(name);
    else if (name !== "ollama") env[`${variable}_API_KEY`] = keyOf(name);
  }
  env.AZURE_OPENAI_DEPLOYMENTS = "o3-2025-04-16";
  gateway = await startGateway({ env });
});

afterAll(async () => {
  await gateway.close();
  standIn.close();
});

function pathOf(name: string, model: string): string {
  if (name === "bedrock") return `/model/${encodeURIComponent(model)}/converse`;
  if (name === "cohere") return "/chat";
  return name === "anthropic" ? "/messages" : "/chat/completions";
}

const ask = (model: string) =>
  fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model, messages: [{ role: "user", content: QUESTION }] }),
  });

describe("an installation with nothing but the keys of providers", () => {
  test("says which it has found, and of which day the prices are, and prints no key", () => {
    for (const { name } of PROVIDERS) expect(gateway.output()).toMatch(new RegExp(`${name} \\([1-9]\\d* models?\\)`));
    expect(gateway.output()).toContain("List prices of 2026-");
    expect(gateway.output()).not.toContain("sk-secret");
  });

  test.each(PROVIDERS)("$name: the first answer is charged at the list price", async ({ name, prices, model }) => {
    asked = [];
    // A time-dependent price takes effect within a minute.
    const moments = [Date.now(), Date.now() - 90_000].map((at) => new Date(at));
    const response = await ask(model);
    expect(await response.clone().json()).toMatchObject({ choices: [{ message: { content: "Hello." } }] });
    expect(response.headers.get("x-gw-supplier")).toBe(name);
    const path = pathOf(name, model);
    expect(asked).toEqual([{ path: `/${name}/v1${path}`, key: name === "ollama" ? "" : keyOf(name), model }]);
    const usage = { input_tokens: USAGE.input, cache_read_tokens: USAGE.cached, output_tokens: USAGE.output };
    const listed = moments.map((timestamp) =>
      prices === null ? 0 : calcPrice(usage, model, { providerId: prices, timestamp })!.total_price,
    );
    const shown = listed.map((usd) => (Math.ceil(Number((usd * 1e9).toPrecision(14))) / 1e9).toFixed(9));
    expect(shown).toContain(response.headers.get("x-gw-cost-usd"));
    expect(shown.includes("0.000000000")).toBe(name === "ollama");
  });

  test("a model that no list has a price for is not served", async () => {
    const response = await ask("gpt-nobody-knows");
    expect(response.status).toBe(404);
  });
});

test("vertex: the key file of a service account makes it, and the first answer is charged at the list price", async () => {
  const worker = await startStandIn();
  const google = await startGoogleStandIn(worker.url);
  const keyFile = join(await mkdtemp(join(tmpdir(), "gw-vertex-")), "key.json");
  await writeFile(keyFile, google.serviceAccount);
  const only = await startGateway({
    env: {
      GW_PROVIDER_KEYS: "true",
      GOOGLE_APPLICATION_CREDENTIALS: keyFile,
      GOOGLE_CLOUD_PROJECT: "p",
      GOOGLE_CLOUD_LOCATION: "l",
      VERTEX_BASE_URL: google.vertexUrl,
    },
  });
  try {
    expect(only.output()).toMatch(/vertex \([1-9]\d* models?\)/);
    const response = await fetch(`${only.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${only.key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "gemini-2.5-flash", messages: [{ role: "user", content: QUESTION }] }),
    });
    const { usage } = (await response.json()) as { usage: { prompt_tokens: number; completion_tokens: number } };
    const counts = { input_tokens: usage.prompt_tokens, output_tokens: usage.completion_tokens };
    const listed = calcPrice(counts, "gemini-2.5-flash", { providerId: "google" })!.total_price;
    expect(response.headers.get("x-gw-supplier")).toBe("vertex");
    expect(response.headers.get("x-gw-cost-usd")).toBe(listed.toFixed(9));
  } finally {
    await only.close();
    await google.close();
    await worker.close();
  }
});
