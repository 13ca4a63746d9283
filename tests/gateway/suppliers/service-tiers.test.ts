import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually, expectCleanBooks, usageRows } from "../../support/chat-gateway";
import { type Gateway, startGateway } from "../../support/gateway";

/** The supplier's next answer: the reported service tier, and whether its stream breaks. */
const next: { tier: string; breaks: boolean } = { tier: "default", breaks: false };
const seen: { path: string; tier: unknown }[] = [];

let supplier: Server;
let gateway: Gateway;
let key: string;

beforeAll(async () => {
  supplier = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      const path = request.url!;
      seen.push({ path, tier: body.service_tier });
      const type = body.stream === true ? "text/event-stream" : "application/json";
      response.writeHead(200, { "content-type": type });
      if (body.stream !== true) return response.end(JSON.stringify(WHOLE[path]!(next.tier)));
      for (const event of STREAMED[path]!(next.tier)) {
        // Break after a delay, so that the sent bytes arrive first.
        if (next.breaks && event.includes("finish_reason")) return void setTimeout(() => response.destroy(), 200);
        response.write(event);
      }
      return response.end();
    });
  });
  await new Promise<void>((resolve) => supplier.listen(0, "127.0.0.1", resolve));
  const base_url = `http://127.0.0.1:${(supplier.address() as AddressInfo).port}/v1`;
  const ordinary = { input_per_mtok: 2, output_per_mtok: 8 };
  const tiers = { flex: { factor: 0.5 }, priority: { input_per_mtok: 3, output_per_mtok: 16 } };
  const model = (id: string, price: object, ...suppliers: string[]) => ({
    ...{ id, context_tokens: 10_000, max_output_tokens: 100 },
    routes: suppliers.map((name, index) => ({ supplier: name, priority: index + 1, price })),
  });
  const credentials = [{ name: "main", api_key: "sk-1" }];
  const config = {
    suppliers: [
      { name: "chat", kind: "chat", base_url, credentials, responses: true },
      { name: "messages", kind: "messages", base_url, credentials },
    ],
    models: [
      model("tiered", { ...ordinary, tiers }, "chat"),
      model("asked", { ...ordinary, tiers: { priority: { ...tiers.priority, asked_only: true } } }, "chat"),
      model("plain", ordinary, "chat"),
      model("claude", { ...ordinary, tiers }, "messages"),
      {
        ...model("mixed", ordinary, "chat"),
        routes: [
          { supplier: "chat", upstream_model: "mixed-plain", priority: 1, price: ordinary },
          { supplier: "chat", upstream_model: "mixed-tiered", priority: 2, price: { ...ordinary, tiers } },
        ],
      },
    ],
  };
  gateway = await startGateway({ config });
  ({ key } = await gateway.createKey({ budget_limit: 1_000, budget_period: "monthly" }));
});
afterAll(async () => {
  await gateway?.close();
  await new Promise((resolve) => supplier?.close(resolve));
});

const sse = (data: object, name?: string) => `${name ? `event: ${name}\n` : ""}data: ${JSON.stringify(data)}\n\n`;
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const chunk = (more: object) => sse({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", ...more });
const response = (tier: string) => ({
  ...{ id: "resp_1", object: "response", created_at: 1, model: "m", status: "completed", service_tier: tier },
  output: [{ type: "message", id: "msg_1", role: "assistant", content: [{ type: "output_text", text: "Hello" }] }],
  usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
});
const message = (tier: string) => ({
  ...{ id: "msg_1", type: "message", role: "assistant", model: "m", stop_reason: "end_turn", stop_sequence: null },
  content: [{ type: "text", text: "Hello" }],
  usage: { input_tokens: 10, output_tokens: 5, service_tier: tier },
});

const WHOLE: Record<string, (tier: string) => object> = {
  "/v1/chat/completions": (service_tier) => ({
    ...{ id: "c", object: "chat.completion", created: 1, model: "m", service_tier, usage },
    choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
  }),
  "/v1/responses": response,
  "/v1/messages": message,
};
const STREAMED: Record<string, (tier: string) => string[]> = {
  "/v1/chat/completions": (service_tier) => [
    chunk({ service_tier, choices: [{ index: 0, delta: { role: "assistant", content: "Hello " } }] }),
    chunk({ choices: [{ index: 0, delta: { content: "you" } }] }),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
    chunk({ choices: [], usage }),
    "data: [DONE]\n\n",
  ],
  "/v1/responses": (tier) => [
    sse({ type: "response.created", response: { ...response("auto"), status: "in_progress", output: [] } }),
    sse({ type: "response.output_text.delta", delta: "Hello" }),
    sse({ type: "response.completed", response: response(tier) }),
  ],
  "/v1/messages": (tier) => [
    sse({ type: "message_start", message: { ...message(tier), content: [] } }, "message_start"),
    sse({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }, "content_block_start"),
    sse({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello" } }, "content_block_delta"),
    sse({ type: "content_block_stop", index: 0 }, "content_block_stop"),
    sse({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 5 } }, "message_delta"),
    sse({ type: "message_stop" }, "message_stop"),
  ],
};

const BODIES = {
  "/v1/chat/completions": { max_tokens: 100, messages: [{ role: "user", content: "Hi" }] },
  "/v1/responses": { max_output_tokens: 100, input: "Hi", store: false },
  "/v1/messages": { max_tokens: 100, messages: [{ role: "user", content: "Hi" }] },
} as const;

async function call(path: keyof typeof BODIES, body: object, does: Partial<typeof next> = {}) {
  Object.assign(next, { tier: "default", breaks: false, ...does });
  seen.length = 0;
  const answer = await fetch(`${gateway.url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "tiered", ...BODIES[path], ...body }),
  });
  const text = await answer.text();
  const id = answer.headers.get("x-request-id")!;
  if (answer.status !== 200) return { status: answer.status, error: JSON.parse(text).error, held: 0n, cost: 0n };
  const rows = await eventually(
    () => usageRows(gateway, id),
    (found) => found.length === 1,
  );
  const [hold] = await gateway.sql("SELECT amount, absorbed FROM hold WHERE id = $1", [id]);
  const [row] = await gateway.sql("SELECT routing->>'tier' AS tier FROM usage_event WHERE request_id = $1", [id]);
  const { cost, charged, inputTokens, outputTokens } = rows[0]!;
  expect([charged, hold.absorbed]).toEqual([cost, 0n]);
  return { status: 200, cost, held: BigInt(hold.amount), tier: row.tier, tokens: [inputTokens, outputTokens] };
}

/** Price of ten input and five output tokens in nano-USD. */
const ORDINARY = 60_000n;
const FLEX = 30_000n;
const PRIORITY = 110_000n;

describe.each([
  ["/v1/chat/completions", "tiered"],
  ["/v1/responses", "tiered"],
] as const)("%s", (path, model) => {
  test.each([false, true])("is charged at the tier that its answer names, stream: %s", async (stream) => {
    const cost = async (service_tier: string | undefined, tier: string) => {
      const booked = await call(path, { model, stream, service_tier }, { tier });
      expect(seen).toEqual([{ path, tier: service_tier }]);
      return booked;
    };
    expect(await cost("flex", "flex")).toMatchObject({ cost: FLEX, tier: "flex" });
    expect(await cost("priority", "priority")).toMatchObject({ cost: PRIORITY, tier: "priority" });
    expect(await cost(undefined, "priority")).toMatchObject({ cost: PRIORITY, tier: "priority" });
    // The reported tier may differ from the requested one.
    expect(await cost("priority", "default")).toMatchObject({ cost: ORDINARY, tier: null });
    expect(await cost("flex", "default")).toMatchObject({ cost: ORDINARY, tier: null });
    expect(await cost("default", "default")).toMatchObject({ cost: ORDINARY, tier: null });
  });
});

test.each([false, true])("a message is charged at the tier of its usage, stream: %s", async (stream) => {
  const asked = { model: "claude", stream };
  expect(await call("/v1/messages", asked, { tier: "priority" })).toMatchObject({ cost: PRIORITY, tier: "priority" });
  expect(await call("/v1/messages", asked, { tier: "standard" })).toMatchObject({ cost: ORDINARY, tier: null });
  // The same applies to chat clients.
  expect(await call("/v1/chat/completions", asked, { tier: "priority" })).toMatchObject({ cost: PRIORITY });
});

test("what is held is the most at the tiers that can answer", async () => {
  const held = async (service_tier?: string, model = "tiered") =>
    (await call("/v1/chat/completions", { model, service_tier })).held;
  const most = async (input: bigint, output: bigint, service_tier?: string, model = "tiered") => {
    const bytes = JSON.stringify({ model, ...BODIES["/v1/chat/completions"], service_tier }).length;
    return BigInt(bytes) * input + 100n * output;
  };
  expect(await held("default")).toBe(await most(2_000n, 8_000n, "default"));
  expect(await held("flex")).toBe(await most(2_000n, 8_000n, "flex"));
  expect(await held("priority")).toBe(await most(3_000n, 16_000n, "priority"));
  expect(await held()).toBe(await most(3_000n, 16_000n));
  expect(await held(undefined, "asked")).toBe(await most(2_000n, 8_000n, undefined, "asked"));
});

test("a stream that breaks off is charged at the tier that had begun to answer", async () => {
  const ask = { stream: true, service_tier: "flex" };
  const [cheap, plain] = [
    await call("/v1/chat/completions", ask, { tier: "flex", breaks: true }),
    await call("/v1/chat/completions", ask, { tier: "default", breaks: true }),
  ];
  expect(cheap.tokens).toEqual(plain.tokens);
  expect(cheap.cost * 2n).toBe(plain.cost);
  expect(cheap.cost).toBeGreaterThan(0n);
});

test("a dearer tier goes to suppliers alone that have a price for it, and is refused where none has", async () => {
  const refused = await call("/v1/chat/completions", { model: "plain", service_tier: "priority" });
  expect([refused.status, refused.error.code, refused.error.param]).toEqual([
    400,
    "unsupported_parameter",
    "service_tier",
  ]);
  expect(seen).toEqual([]);
  expect(
    await call("/v1/chat/completions", { model: "mixed", service_tier: "priority" }, { tier: "priority" }),
  ).toMatchObject({
    cost: PRIORITY,
  });
  // A cheaper tier without its own price costs the ordinary price.
  expect(await call("/v1/chat/completions", { model: "plain", service_tier: "flex" }, { tier: "flex" })).toMatchObject({
    cost: ORDINARY,
  });
});

test("the books are clean", () => expectCleanBooks(gateway));
