import { createOpenAI } from "@ai-sdk/openai";
import { generateText, stepCountIs, streamText, tool } from "ai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { expectCleanBooks } from "../../support/chat-gateway";
import { type Gateway, startGateway } from "../../support/gateway";
import { nativeViolations } from "../../support/stream-grammar";

let gateway: Gateway;
beforeAll(async () => {
  globalThis.AI_SDK_LOG_WARNINGS = false;
  gateway = await startGateway();
});
afterAll(() => gateway?.close());

const respond = (model: string) =>
  fetch(`${gateway.url}/v1/vendorb/responses`, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model, stream: true, input: [{ role: "user", content: "Write 20 words about the sea." }] }),
  });

const provider = () => createOpenAI({ baseURL: `${gateway.url}/v1/vendorb`, apiKey: gateway.key });

test("a new installation answers native agents", async () => {
  const response = await respond("sandbox-agent");
  expect(response.status).toBe(200);
  const text = await response.text();
  expect(nativeViolations(text)).toEqual([]);
  expect(text).toContain("response.completed");
});

test("the AI SDK runs a tool of its own with it", async () => {
  const { steps, text } = streamText({
    model: provider().responses("sandbox-agent"),
    prompt: "What is the weather in Paris?",
    tools: { weather: tool({ inputSchema: z.object({ city: z.string() }), execute: ({ city }) => `sun in ${city}` }) },
    stopWhen: stepCountIs(3),
    maxRetries: 0,
  });
  expect(await text).toContain("sun in Paris");
  expect(await steps).toHaveLength(2);
});

test("the AI SDK is told by name that it has to stream", async () => {
  const asked = generateText({ model: provider().responses("sandbox-agent"), prompt: "hi", maxRetries: 0 });
  await expect(asked).rejects.toThrow(/stream must be true/);
});

test.each([
  ["401", 502, "upstream_error"],
  ["429", 429, "rate_limit_exceeded"],
  ["500", 500, "server_error"],
  ["error-event", 500, "overloaded_error"],
  ["cut-before", 502, "upstream_error"],
  ["empty", 502, "upstream_error"],
])("the fault %s is a plain status", async (fault, status, code) => {
  const response = await respond(`sandbox-fault-${fault}`);
  const { error } = (await response.json()) as { error: { code: string } };
  expect([response.status, error.code]).toEqual([status, code]);
});

test.each(["cut", "error-mid", "malformed"])("the fault %s ends the stream with response.failed", async (fault) => {
  const response = await respond(`sandbox-fault-${fault}`);
  expect(response.status).toBe(200);
  const text = await response.text();
  expect(nativeViolations(text)).toEqual([]);
  expect(text).toContain("response.failed");
});

test("the books are in order", () => expectCleanBooks(gateway));
