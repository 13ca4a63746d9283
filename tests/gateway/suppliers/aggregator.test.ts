import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { eventually, expectCleanBooks, usageRows } from "../../support/chat-gateway";
import { type Gateway, startGateway } from "../../support/gateway";
import { chatViolations, messagesViolations } from "../../support/stream-grammar";

const recorded = (name: string) =>
  readFileSync(new URL(`../../../app/gateway/suppliers/aggregator/__fixtures__/${name}`, import.meta.url));

let server: Server;
let gateway: Gateway;
let next: { status: number; type: string; body: Buffer };
let asked: { path?: string; body: Record<string, unknown> }[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      asked.push({ path: request.url, body: JSON.parse(Buffer.concat(chunks).toString("utf8")) });
      response.writeHead(next.status, { "content-type": next.type }).end(next.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  const model = (id: string, dollars: number) => ({
    id,
    context_tokens: 8_000,
    max_output_tokens: 1_000,
    routes: [
      { supplier: "many", upstream_model: "acme/large", price: { input_per_mtok: dollars, output_per_mtok: dollars } },
    ],
  });
  gateway = await startGateway({
    config: {
      suppliers: [
        {
          name: "many",
          kind: "aggregator",
          base_url,
          region: "eu",
          cooldown: false,
          credentials: [{ name: "a", api_key: "sk-agg" }],
        },
      ],
      models: [model("large", 100), model("too-cheap", 0.01)],
    },
  });
});
afterAll(async () => {
  await gateway?.close();
  server.close();
});
beforeEach(() => {
  asked = [];
  next = { status: 200, type: "text/event-stream", body: recorded("stream.sse") };
});

const ask = (path: string, body: object) =>
  fetch(`${gateway.url}/v1/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "large", messages: [{ role: "user", content: "hi" }], stream: true, ...body }),
  });

describe("a stream by way of an aggregator", () => {
  test("is asked for without anything that steers, and comes with gw's price and not with its cost", async () => {
    const response = await ask("chat/completions", {
      provider: { order: ["abroad"], allow_fallbacks: true },
      models: ["acme/dear"],
      plugins: [{ id: "web" }],
      stream_options: { include_usage: true },
      top_k: 4,
    });
    const text = await response.text();
    expect(chatViolations(text, { asksUsage: true })).toEqual([]);
    expect(text).not.toMatch(/"cost|PROCESSING/);
    const { path, body } = asked[0]!;
    expect(path).toBe("/api/v1/chat/completions");
    expect(body).toMatchObject({ model: "acme/large", top_k: 4, usage: { include: true } });
    for (const name of ["provider", "models", "plugins"]) expect(body).not.toHaveProperty(name);
    const rows = () => usageRows(gateway, response.headers.get("x-request-id")!);
    const [row] = await eventually(rows, ({ length }) => length > 0);
    expect(row).toMatchObject({ tokenSource: "supplier", inputTokens: 12, outputTokens: 2, charged: 14n * 100_000n });
  });

  test("reaches messages clients in their own dialect", async () => {
    const text = await (await ask("messages", { max_tokens: 50 })).text();
    expect(messagesViolations(text)).toEqual([]);
    expect(text).toContain("Hello");
  });

  test("that breaks inside ends with an error in both dialects", async () => {
    next.body = recorded("broken-stream.sse");
    const chat = await (await ask("chat/completions", {})).text();
    expect(chatViolations(chat)).toEqual([]);
    expect(chat).toContain("stream_error");
    const messages = await (await ask("messages", { max_tokens: 50 })).text();
    expect(messagesViolations(messages)).toEqual([]);
    expect(messages).toContain("stream_error");
  });

  test("that costs more than its price brings in is charged by the price, and the operator is told", async () => {
    const response = await ask("chat/completions", { model: "too-cheap" });
    await response.text();
    const rows = () => usageRows(gateway, response.headers.get("x-request-id")!);
    expect((await eventually(rows, ({ length }) => length > 0))[0]).toMatchObject({ charged: 140n });
    const told = await eventually(
      async () => gateway.output(),
      (log) => log.includes("costs more than its price"),
    );
    expect(told).toMatch(/"model":"too-cheap".*"supplierCostUsd":"0\.00042.*"priceUsd":"0\.00000014/);
  });
});

test.each([
  ["refusal-of-a-provider.json", 400, 400, "context_length_exceeded"],
  ["refusal-of-its-own.json", 400, 400, "vendorc_http_error"],
  ["moderation.json", 403, 400, "vendorc_http_error"],
  ["limit.json", 429, 429, "rate_limit_exceeded"],
])("%s is told by its own status and code", async (name, from, status, code) => {
  next = { status: from, type: "application/json", body: recorded(name) };
  const response = await ask("chat/completions", { stream: false });
  const { error } = (await response.json()) as { error: { code: string } };
  expect([response.status, error.code]).toEqual([status, code]);
});

test("the books are in order", () => expectCleanBooks(gateway));
