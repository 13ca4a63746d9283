import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { operationsOf } from "~/openapi/operations-of";
import { servedRows } from "../contract/served-rows";
import { wav } from "../support/audio";
import { type Gateway, startGateway } from "../support/gateway";
import { report } from "./target";

let supplier: Server;
let seen: { path: string; body: string }[] = [];
let gateway: Gateway;
let key: string;

/** The supplier rejects every request, so that gw makes only one attempt; it answers token counts with 1. */
beforeAll(async () => {
  supplier = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const path = request.url ?? "";
    seen.push({ path, body: Buffer.concat(pieces).toString("utf8") });
    const isCount = path.endsWith("count_tokens");
    response.writeHead(isCount ? 200 : 400, { "content-type": "application/json" });
    response.end(JSON.stringify(isCount ? { input_tokens: 42 } : { error: { message: "not today" } }));
  });
  await new Promise<void>((resolve) => supplier.listen(0, "127.0.0.1", resolve));
  gateway = await startGateway({
    config: catalogueFor(`http://127.0.0.1:${(supplier.address() as AddressInfo).port}/v1`),
  });
  const rules = [
    { id: "000000000001", name: "No", on: "input", action: "refuse", kind: "words", words: ["forbidden"] },
    { id: "000000000002", name: "Hush", on: "input", action: "redact", kind: "words", words: ["confidential"] },
  ];
  await gateway.sql("UPDATE organisation SET guardrails = $1::jsonb", [JSON.stringify(rules)]);
  ({ key } = await gateway.createKey());
}, 120_000);
beforeEach(() => {
  seen = [];
});
afterAll(async () => {
  await gateway?.close();
  supplier?.closeAllConnections();
  supplier?.close();
});

function catalogueFor(base_url: string): object {
  const one = (name: string, kind: string) => ({
    ...{ name, kind, base_url, region: "eu", timeout_ms: 10_000, idle_timeout_ms: 10_000, cooldown: false },
    credentials: [{ name: "main", api_key: "sk-test" }],
  });
  const model = (id: string, capability: string, by: string, price: object) => ({
    ...{ id, capability, context_tokens: 100_000, max_output_tokens: 1_000 },
    routes: [{ supplier: by, upstream_model: id, priority: 1, price }],
  });
  const tokens = { input_per_mtok: 1, output_per_mtok: 1 };
  return {
    suppliers: [one("chat", "chat"), one("messages", "messages"), one("agent", "native_agent")],
    models: [
      model("chat", "chat", "chat", tokens),
      model("messages", "chat", "messages", tokens),
      model("agent", "chat", "agent", tokens),
      model("embed", "embedding", "chat", { input_per_mtok: 1 }),
      model("rank", "rerank", "chat", { per_request: 0.001 }),
      model("moderate", "moderation", "chat", { input_per_mtok: 0 }),
      model("paint", "image", "chat", { per_request: 0.04 }),
      model("tts", "speech", "chat", { per_mchar: 15 }),
      model("hear", "transcription", "chat", { per_second: 0.0001 }),
    ],
  };
}

const said = (content: string) => [{ role: "user", content }];
const sound = (prompt: string) => form({ model: "hear", prompt }, ["file", wav(1), "a.wav"]);
const png = () => Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(64, 7)]);
function form(fields: Record<string, string>, [name, bytes, file]: [string, Buffer, string]): FormData {
  const made = new FormData();
  for (const [field, value] of Object.entries(fields)) made.append(field, value);
  made.append(name, new Blob([bytes as BlobPart]), file);
  return made;
}

/** A request with a text for each route that passes texts to suppliers. */
const ASKING: Readonly<Record<string, (text: string) => object | FormData>> = {
  "v1/chat/completions": (text) => ({ model: "chat", messages: said(text) }),
  "v1/completions": (prompt) => ({ model: "chat", prompt, max_tokens: 5 }),
  "v1/messages": (text) => ({ model: "messages", max_tokens: 5, messages: said(text) }),
  "v1/messages/count_tokens": (text) => ({ model: "messages", messages: said(text) }),
  "v1/vendorb/responses": (content) => ({
    ...{ model: "agent", stream: true },
    input: [{ type: "message", role: "user", content }],
  }),
  "v1/responses": (input) => ({ model: "chat", input, store: false }),
  "v1/embeddings": (input) => ({ model: "embed", input: ["one", input] }),
  "v1/rerank": (text) => ({ model: "rank", query: "q", documents: ["one", text] }),
  "v2/rerank": (text) => ({ model: "rank", query: text, documents: ["one"] }),
  "v1/moderations": (input) => ({ model: "moderate", input }),
  "v1/images/generations": (prompt) => ({ model: "paint", prompt }),
  "v1/images/edits": (prompt) => form({ model: "paint", prompt }, ["image", png(), "a.png"]),
  "v1/audio/speech": (input) => ({ model: "tts", input, voice: "alloy" }),
  "v1/audio/transcriptions": sound,
  "v1/audio/translations": sound,
};
/** Routes that pass no text to suppliers. Lines of a batch run as calls; a test below covers them. */
const SENDS_NOTHING = /^v1\/(?:files|batches|manage|models|responses\/|\*)/;

const ask = (path: string, body: object | FormData, bearer = key) =>
  fetch(`${gateway.url}/${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${bearer}`,
      ...(body instanceof FormData ? {} : { "content-type": "application/json" }),
    },
    body: body instanceof FormData ? body : JSON.stringify(body),
  });

test("every route of the gateway that takes a request is known to send texts on, or not to", async () => {
  const rows = (await servedRows()).filter(({ path }) => /^v\d+\//.test(path));
  const posts = rows.filter((row) => operationsOf(row).some(({ method }) => method === "POST"));
  const paths = posts.map(({ path }) => path).filter((path) => !SENDS_NOTHING.test(path));
  expect(paths.toSorted()).toEqual(Object.keys(ASKING).toSorted());
});

test.each(Object.keys(ASKING))(
  "%s: what a guardrail refuses reaches no supplier, and what it redacts redacted",
  async (path) => {
    const bodyOf = ASKING[path]!;
    await ask(path, bodyOf("a harmless text"));
    expect(seen.map(({ body }) => body).join(), "the route sends its text to a supplier").toContain("harmless");
    seen = [];
    const redacted = await ask(path, bodyOf("a confidential text"));
    await redacted.text();
    expect(seen.map(({ body }) => body).join()).toContain("a [redacted] text");
    seen = [];
    const refused = await ask(path, bodyOf("a for\u200bbidden text"));
    expect({ status: refused.status, text: await refused.text() }).toEqual({
      ...{ status: 400, text: expect.stringContaining("request_rejected") },
    });
    expect(seen).toEqual([]);
    report({ group: `guarded routes: ${path}`, requests: 3, wrong: [] });
  },
);

test("a line of a batch that a guardrail refuses reaches no supplier", async () => {
  const lines = ["a forbidden text", "a harmless text"].map((text, index) =>
    JSON.stringify({
      ...{ custom_id: `line-${index}`, method: "POST", url: "/v1/chat/completions" },
      body: ASKING["v1/chat/completions"]!(text),
    }),
  );
  const upload = form({ purpose: "batch" }, ["file", Buffer.from(lines.join("\n")), "lines.jsonl"]);
  const { id } = (await (await ask("v1/files", upload)).json()) as { id: string };
  const asked = { input_file_id: id, endpoint: "/v1/chat/completions", completion_window: "24h" };
  const batch = (await (await ask("v1/batches", asked)).json()) as { id: string };
  const headers = { authorization: `Bearer ${key}` };
  await expect
    .poll(
      async () =>
        ((await (await fetch(`${gateway.url}/v1/batches/${batch.id}`, { headers })).json()) as { status: string })
          .status,
      { timeout: 60_000, interval: 200 },
    )
    .toBe("completed");
  const bodies = seen.map(({ body }) => body).join();
  expect(bodies).toContain("harmless");
  expect(bodies).not.toContain("forbidden");
}, 90_000);

/** Chat bodies that disguise a text, so that guardrails might miss it. */
const DISGUISES: Readonly<Record<string, object>> = {
  "a data address in a text": { messages: said("data:,forbidden") },
  "a data address in a picture": {
    messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "data:,forbidden" } }] }],
  },
  "a file that is a text": {
    messages: [
      { role: "user", content: [{ type: "file", file: { file_data: `data:text/plain;base64,${btoa("forbidden")}` } }] },
    ],
  },
  "a parameter called name": {
    messages: said("hi"),
    tools: [
      {
        type: "function",
        function: {
          name: "f",
          parameters: { type: "object", properties: { name: { type: "string", description: "forbidden" } } },
        },
      },
    ],
  },
  "an output schema": {
    messages: said("hi"),
    response_format: {
      type: "json_schema",
      json_schema: { name: "s", schema: { type: "object", properties: { a: { description: "forbidden" } } } },
    },
  },
  "a person's name": { messages: [{ role: "user", name: "forbidden", content: "hi" }] },
  "NUL inside of a word": { messages: said("for\u0000bidden") },
  "a tag inside of a word": { messages: said("for\u{e0020}bidden") },
};

describe("no disguise gets past", () => {
  test.each(Object.keys(DISGUISES))("%s", async (name) => {
    const answer = await ask("v1/chat/completions", { model: "chat", ...DISGUISES[name] });
    expect(((await answer.json()) as { error: { code: string } }).error.code).toBe("request_rejected");
    expect(seen).toEqual([]);
  });

  test.each([
    '{"model":"chat","messages":[{"role":"user","content":"forbidden","content":"ok"}]}',
    '{"model":"chat","messages":[{"role":"user","c\\u006fntent":"forbidden","content":"ok"}]}',
  ])("a member that stands twice: %s", async (body) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const answer = await fetch(`${gateway.url}/v1/chat/completions`, { method: "POST", headers, body });
    expect(((await answer.json()) as { error: { code: string } }).error.code).toBe("invalid_json");
    expect(seen).toEqual([]);
  });

  test.each([
    ["v1/embeddings", { model: "embed", input: [[1, 2, 3]] }],
    ["v1/embeddings", { model: "embed", input: [1, 2, 3] }],
    ["v1/completions", { model: "chat", prompt: [1, 2, 3] }],
    ["v1/chat/completions", { model: "chat", messages: said("hi"), prompt_token_ids: [1, 2] }],
  ])("token ids: %s %j", async (path, body) => {
    const answer = await ask(path, body);
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as { error: { code: string } }).error.code).toMatch(
      /^(?:unsupported_parameter|invalid_request)$/,
    );
    expect(seen).toEqual([]);
  });
});

describe("a count of tokens", () => {
  const count = (bearer: string) =>
    ask("v1/messages/count_tokens", { model: "messages", messages: said("hi") }, bearer);

  test("counts against the key's rate limit", async () => {
    const { key: slow } = await gateway.createKey({ rate_limit_rpm: 2 });
    const statuses = [];
    for (let turn = 0; turn < 4; turn += 1) statuses.push((await count(slow)).status);
    expect(statuses).toEqual([200, 200, 429, 429]);
    expect(seen).toHaveLength(2);
    const call = await ask("v1/messages", { model: "messages", max_tokens: 5, messages: said("hi") }, slow);
    expect(call.status).toBe(429);
    expect(Number((await count(slow)).headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("is gw's own, and as limited in rate, for a budget that is used up", async () => {
    const { key: poor } = await gateway.createKey({ budget_limit: 0, budget_period: "monthly", rate_limit_rpm: 3 });
    for (let turn = 0; turn < 3; turn += 1) {
      const answer = await count(poor);
      expect(answer.headers.get("x-gw-token-source")).toBe("estimated");
      expect(((await answer.json()) as { input_tokens: number }).input_tokens).toBeGreaterThan(0);
    }
    expect((await count(poor)).status).toBe(429);
    expect(seen).toEqual([]);
    const held = await gateway.sql(
      "SELECT 1 FROM hold WHERE state IN ('reserved', 'dispatched', 'review') AND amount <= 1",
    );
    expect(held).toEqual([]);
  });
});
