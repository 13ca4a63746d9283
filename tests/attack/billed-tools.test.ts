import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { begin, clientOf, linesOf, over } from "../support/batches";
import { expectCleanBooks } from "../support/chat-gateway";
import { type Gateway, startGateway } from "../support/gateway";
import { overAll, report } from "./target";

/** The supplier's received requests, newest last. */
const sent: { path: string; body: Record<string, unknown> }[] = [];
let supplier: Server;
let gateway: Gateway;
let key: string;

const USES = 3;
const PER_USE = 10_000_000n;

beforeAll(async () => {
  supplier = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const path = request.url ?? "";
    const body = JSON.parse(text) as Record<string, unknown>;
    sent.push({ path, body });
    const hasTools = Array.isArray(body.tools) || body.web_search_options != null;
    const [type, answer] = answerTo(path, body.model, hasTools);
    response.setHeader("content-type", type);
    response.end(answer);
  });
  await new Promise<void>((resolve) => supplier.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(supplier.address() as AddressInfo).port}`;
  const one = (name: string, kind: string, more: object = {}) => ({
    ...{ name, kind, base_url: kind === "messages" ? base : `${base}/v1`, region: "eu", cooldown: false },
    ...{ credentials: [{ name: "main", api_key: "sk-far" }], ...more },
  });
  const model = (by: string, more: object = {}) => ({
    ...{ id: `${by}${"per_tool_use" in more ? "-priced" : ""}`, capability: "chat" },
    ...{ context_tokens: 10_000, max_output_tokens: 1_000 },
    routes: [
      { supplier: by, upstream_model: "up", priority: 1, price: { input_per_mtok: 1, output_per_mtok: 1, ...more } },
    ],
  });
  const names = ["chat", "messages", "responses", "native"];
  gateway = await startGateway({
    config: {
      suppliers: [
        one("chat", "chat"),
        one("messages", "messages"),
        one("responses", "chat", { responses: true }),
        one("native", "native_agent"),
      ],
      models: names.flatMap((name) => [model(name), model(name, { per_tool_use: 0.01 })]),
    },
  });
  ({ key } = await gateway.createKey({ budget_limit: 1_000, budget_period: "monthly" }));
}, 180_000);
afterAll(async () => {
  await gateway?.close();
  supplier?.close();
});

/** Returns an answer in the format of the path; if the request offers tools, its usage reports tool uses. */
function answerTo(path: string, model: unknown, hasTools: boolean): [string, string] {
  const told = hasTools ? { server_tool_use: { web_search_requests: USES } } : {};
  if (path.endsWith("/chat/completions")) {
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, ...told };
    const choices = [{ index: 0, message: { role: "assistant", content: "Hello." }, finish_reason: "stop" }];
    return [
      "application/json",
      JSON.stringify({ id: "c", object: "chat.completion", created: 1, model, choices, usage }),
    ];
  }
  if (path.includes("/messages")) {
    const usage = { input_tokens: 10, output_tokens: 5, ...told };
    const content = [{ type: "text", text: "Hello." }];
    const message = { id: "msg_1", type: "message", role: "assistant", model, content, stop_reason: "end_turn", usage };
    return ["application/json", JSON.stringify({ ...message, stop_sequence: null })];
  }
  const search = { id: "ws_1", type: "web_search_call", status: "completed", action: { type: "search", query: "q" } };
  const text = { type: "output_text", text: "Hello.", annotations: [], logprobs: [] };
  const message = { id: "msg_1", type: "message", role: "assistant", status: "completed", content: [text] };
  const output = [...(hasTools ? Array.from({ length: USES }, () => search) : []), message];
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
  const response = {
    ...{ id: "resp_1", object: "response", created_at: 1, status: "completed", model, output, usage, error: null },
    ...{ incomplete_details: null, instructions: null, metadata: {}, parallel_tool_calls: true, temperature: 1 },
    ...{ tool_choice: "auto", tools: [], top_p: 1 },
  };
  const delta = { type: "response.output_text.delta", item_id: "msg_1", output_index: 0, content_index: 0 };
  const events = [
    { ...delta, sequence_number: 0, delta: "Hello.", logprobs: [] },
    { type: "response.completed", sequence_number: 1, response },
  ];
  const lines = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  return ["text/event-stream", lines.join("")];
}

type Format = { path: string; body: object };
const said = [{ role: "user", content: "Hello" }];
const FORMATS: Readonly<Record<string, Format>> = {
  chat: { path: "/v1/chat/completions", body: { messages: said } },
  messages: { path: "/v1/messages", body: { messages: said, max_tokens: 20 } },
  responses: { path: "/v1/responses", body: { input: said, stream: true, store: false } },
  native: { path: "/v1/vendorb/responses", body: { input: said, stream: true, store: false } },
};

async function call(format: string, model: string, more: object) {
  const { path, body } = FORMATS[format] as Format;
  const before = sent.length;
  const response = await fetch(gateway.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ ...body, model, ...more }),
  });
  const text = await response.text();
  const code = response.ok ? null : ((JSON.parse(text) as { error: { code: string } }).error.code ?? null);
  return { response, code, reached: sent.slice(before).map(({ body: seen }) => seen) };
}

/** Types of tools that vendors run; below, fields that start such tools or reach the operator's own data. */
const TOOLS = [
  ...["web_search", "web_search_preview", "web_search_preview_2025_03_11", "browser_search", "browser_automation"],
  ...["code_interpreter", "image_generation", "mcp", "file_search", "x_search", "live_search", "collections_search"],
  ...["openrouter:web_search", "openrouter:datetime", "builtin_function", "visit_website", "wolfram_alpha"],
  ...["web_search_20250305", "web_fetch_20250910", "code_execution_20250825", "mcp_toolset", "a_tool_of_next_year"],
];
const FIELDS: Readonly<Record<string, unknown>> = {
  search_parameters: { mode: "on" },
  enable_search: true,
  search_options: { forced_search: true },
  plugins: [{ id: "web" }],
  compound_custom: { tools: { enabled_tools: ["web_search"] } },
  data_sources: [
    { type: "azure_search", parameters: { authentication: { type: "system_assigned_managed_identity" } } },
  ],
  dataSources: [{ type: "AzureCognitiveSearch" }],
  Data_Sources: [{ type: "azure_search" }],
  models: ["dear"],
  route: "fallback",
  provider: { order: ["dear"] },
  transforms: ["middle-out"],
  preset: "mine",
};

describe("what a supplier bills beside tokens", () => {
  test("without a price, no tool of a supplier is reached in any format", async () => {
    const tries = Object.keys(FORMATS).flatMap((format) => TOOLS.map((type) => ({ format, type })));
    const wrong = await overAll(tries, 1, async ({ format, type }) => {
      const { response, code, reached } = await call(format, format, { tools: [{ type, name: "t" }] });
      const isStrict = format === "chat" || format === "messages";
      if (isStrict)
        return code === "supplier_price_unresolved" && reached.length === 0 ? null : `${format} ${type}: ${code}`;
      if (response.status !== 200 || reached.length !== 1) return `${format} ${type}: ${response.status}`;
      const isNamed = (response.headers.get("x-gw-dropped-params") ?? "").startsWith("tools.");
      return reached[0]?.tools === undefined && isNamed ? null : `${format} ${type}: reached the supplier`;
    });
    report({ group: "tools that suppliers bill", requests: tries.length, wrong });
    expect(wrong).toEqual([]);
  }, 120_000);

  test("no field that steers, searches or reads the operator's data goes on, and each is named", async () => {
    const tries = Object.keys(FORMATS).flatMap((format) => Object.keys(FIELDS).map((field) => ({ format, field })));
    const wrong = await overAll(tries, 1, async ({ format, field }) => {
      const { response, reached } = await call(format, format, { [field]: FIELDS[field] });
      if (response.status !== 200 || reached.length !== 1) return `${format} ${field}: ${response.status}`;
      if (field in (reached[0] as object)) return `${format} ${field}: reached the supplier`;
      return response.headers.get("x-gw-dropped-params") === field ? null : `${format} ${field}: not named`;
    });
    report({ group: "fields that steer suppliers", requests: tries.length, wrong });
    expect(wrong).toEqual([]);
  }, 120_000);

  test.each(Object.keys(FORMATS))("%s: with a price they are held and charged by the use", async (format) => {
    const type = format === "messages" ? "web_search_20250305" : "web_search";
    const plain = await call(format, `${format}-priced`, {});
    const { response, reached } = await call(format, `${format}-priced`, { tools: [{ type, name: "web_search" }] });
    expect(response.status).toBe(200);
    expect(reached[0]?.tools).toEqual([{ type, name: "web_search" }]);
    const charged = async (answer: Response) => {
      const id = answer.headers.get("x-request-id");
      for (;;) {
        const [row] = await gateway.sql(
          "SELECT u.charged, h.amount FROM usage_event u JOIN hold h ON h.id = u.request_id WHERE u.request_id = $1",
          [id],
        );
        if (row) return { charged: BigInt(row.charged), held: BigInt(row.amount) };
      }
    };
    const [without, withTool] = [await charged(plain.response), await charged(response)];
    expect(withTool.charged - without.charged).toBe(BigInt(USES) * PER_USE);
    expect(withTool.held).toBeGreaterThanOrEqual(20n * PER_USE);
    await expectCleanBooks(gateway);
  });

  test("a line of a batch is refused for it as a call is", async () => {
    const before = sent.length;
    const client = clientOf(gateway, key);
    const body = { model: "chat", messages: said, max_tokens: 20, tools: [{ type: "browser_search" }] };
    const made = await begin(client, [{ custom_id: "a", method: "POST", url: "/v1/chat/completions", body }]);
    const batch = await over(client, made.id);
    const told = [...(await linesOf(client, batch.error_file_id)), ...(await linesOf(client, batch.output_file_id))];
    expect(JSON.stringify(told)).toContain("supplier_price_unresolved");
    expect(sent).toHaveLength(before);
  });
});
