import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventsOf, textOf, usageRows } from "../../support/chat-gateway";
import { type Gateway, startGateway } from "../../support/gateway";
import { type CohereStandIn, startCohereStandIn } from "../../support/stand-in-cohere";
import { type StandIn, startStandIn } from "../../support/stand-in-supplier";

let worker: StandIn;
let cohere: CohereStandIn;
let other: Server;
let gateway: Gateway;
/** Paths of the supplier's requests other than chat. */
const paths: string[] = [];

beforeAll(async () => {
  worker = await startStandIn();
  cohere = await startCohereStandIn(worker.url);
  other = createServer((request, response) => {
    paths.push(request.url!);
    response.setHeader("content-type", "application/json");
    const isRerank = request.url!.endsWith("/rerank");
    const embedded = { data: [{ index: 0, embedding: [0.5] }], usage: { prompt_tokens: 3, total_tokens: 3 } };
    const ranked = { results: [{ index: 0, relevance_score: 0.9 }], meta: { billed_units: { search_units: 1 } } };
    response.end(JSON.stringify(isRerank ? ranked : embedded));
  });
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  const api_key = "sk-supplier";
  gateway = await startGateway({
    config: {
      suppliers: [
        { preset: "cohere", base_url: cohere.url, api_key, models: ["command-a-03-2025"] },
        { name: "vectors", kind: "cohere", base_url: `${origin}/v2`, credentials: [{ name: "main", api_key }] },
        {
          name: "older",
          kind: "cohere",
          base_url: `${origin}/compatibility/v1`,
          credentials: [{ name: "main", api_key }],
        },
      ],
      models: [
        ...["vectors", "older"].flatMap((supplier) => [
          { id: `embed-${supplier}`, capability: "embedding", routes: [{ supplier, price: { input_per_mtok: 1 } }] },
          { id: `rerank-${supplier}`, capability: "rerank", routes: [{ supplier, price: { per_request: 0.002 } }] },
        ]),
      ],
    },
  });
});
afterAll(async () => {
  await gateway?.close();
  await cohere?.close();
  await worker?.close();
  await new Promise((resolve) => other?.close(resolve));
});

const ask = (path: string, body: object) =>
  fetch(`${gateway.url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "command-a-03-2025", ...body }),
  });
const messages = [{ role: "user", content: "Write 20 words about the sea." }];

describe("Cohere's own API", () => {
  test("answers chat clients, charged by what it bills and not by the tokens around it", async () => {
    const response = await ask("/v1/chat/completions", { messages, max_tokens: 20 });
    const answer = await response.json();
    expect([response.status, answer.model]).toEqual([200, "command-a-03-2025"]);
    const bill = (await worker.bill()).at(-1)!;
    const [row] = await usageRows(gateway, response.headers.get("x-request-id")!);
    expect(row).toMatchObject({ inputTokens: answer.usage.prompt_tokens, tokenSource: "supplier" });
    expect(row!.cost).toBe(BigInt(row!.inputTokens) * 2_500n + BigInt(row!.outputTokens) * 10_000n);
    expect(JSON.stringify(bill)).toContain(String(row!.outputTokens));
    expect(cohere.asked.at(-1)).toMatchObject({ path: "/v2/chat", body: { stream: false, max_tokens: 20 } });
  });

  test("streams to chat and messages clients", async () => {
    const chat = await ask("/v1/chat/completions", {
      ...{ messages, max_tokens: 20, stream: true },
      stream_options: { include_usage: true },
    });
    const events = await eventsOf(chat);
    expect(textOf(events)).not.toBe("");
    expect(events.at(-1)).toBe("[DONE]");
    const told = await ask("/v1/messages", { messages, max_tokens: 20, stream: true });
    const names = (await eventsOf(told)).map((event) => (event as { type: string }).type);
    expect([names[0], names.at(-1)]).toEqual(["message_start", "message_stop"]);
  });

  test("calls tools, and takes their results back", async () => {
    const tools = [{ type: "function", name: "weather", parameters: { type: "object" } }];
    const input = [
      { role: "user", content: "Weather?" },
      { type: "function_call", call_id: "c1", name: "weather", arguments: "{}" },
      { type: "function_call_output", call_id: "c1", output: "sunny" },
    ];
    const response = await ask("/v1/responses", { input, tools, store: false });
    expect(response.status).toBe(200);
    expect(cohere.asked.at(-1)!.body).toMatchObject({
      messages: [
        { role: "user" },
        { role: "assistant", tool_calls: [{ id: "c1" }] },
        { role: "tool", tool_call_id: "c1" },
      ],
      tools: [{ type: "function", function: { name: "weather" } }],
    });
  });

  test("says what it finds wrong in its own words", async () => {
    const refused = await ask("/v1/chat/completions", { messages, model: "command-nobody" });
    expect(refused.status).toBe(404);
    await worker.plan({});
    const wrong = await ask("/v1/chat/completions", { messages, max_tokens: 5, user: "u", documents: ["x"] });
    expect([wrong.status, (await wrong.json()).error.param]).toEqual([400, "documents"]);
  });

  test.each([
    ["vectors", ["/compatibility/v1/embeddings", "/v2/rerank"]],
    ["older", ["/compatibility/v1/embeddings", "/v2/rerank"]],
  ])("takes vectors by the compatible API and rerank by its own, by either address: %s", async (name, expected) => {
    paths.length = 0;
    const vectors = await ask("/v1/embeddings", { model: `embed-${name}`, input: "a" });
    const ranked = await ask("/v1/rerank", { model: `rerank-${name}`, query: "a", documents: ["b"] });
    expect([vectors.status, ranked.status, paths]).toEqual([200, 200, expected]);
  });
});
