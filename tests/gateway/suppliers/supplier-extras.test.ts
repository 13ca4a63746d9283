import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { expectCleanBooks } from "../../support/chat-gateway";
import { type Gateway, startGateway } from "../../support/gateway";

type Asked = { url: URL; headers: IncomingHttpHeaders; body: Record<string, unknown> };

const KEY = "key-of-the-resource-0123456789";
const SECRET = "secret-of-the-proxy-0123456789";
let asked: Asked[] = [];
let standIn: Server;
let gateway: Gateway;

const answer = (model: string) => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model,
  choices: [{ index: 0, message: { role: "assistant", content: "Hello." }, finish_reason: "stop" }],
  usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 },
});

const eventsOf = (model: string): string => {
  const chunk = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model };
  const choice = (delta: object, finish_reason: string | null = null) => [{ index: 0, delta, finish_reason }];
  const chunks = [
    { ...chunk, choices: choice({ role: "assistant", content: "Hello." }) },
    { ...chunk, choices: choice({}, "stop") },
    { ...chunk, choices: [], usage: answer(model).usage },
  ];
  return `${chunks.map((data) => `data: ${JSON.stringify(data)}\n\n`).join("")}data: [DONE]\n\n`;
};

/** Creates a supplier with deployments in its paths, as the vendor documents it, and a proxy that echoes requests. */
function aSupplier(): Server {
  return createServer(async (request, response) => {
    const url = new URL(request.url ?? "", "http://stand-in");
    let text = "";
    for await (const chunk of request) text += chunk;
    const body = text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
    asked.push({ url, headers: request.headers, body });
    const say = (status: number, what: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(what));
    if (url.pathname.startsWith("/proxy/"))
      return body.user === "wrong"
        ? say(400, {
            error: { message: `no good: ${request.headers["x-proxy-secret"]}`, type: "invalid_request_error" },
          })
        : say(200, answer("proxied"));
    if (request.headers["api-key"] !== KEY)
      return say(401, { error: { code: "401", message: "Access denied due to invalid subscription key." } });
    if (url.searchParams.get("api-version") !== "2024-10-21")
      return say(404, { error: { code: "404", message: "Resource not found" } });
    const deployment = /^\/azure\/openai\/deployments\/([^/]+)\/chat\/completions$/.exec(url.pathname)?.[1];
    if (deployment !== "my%20deployment")
      return say(404, { error: { code: "DeploymentNotFound", message: "The API deployment does not exist." } });
    if (body.stream !== true) return say(200, answer("gpt-4o-2024-08-06"));
    response.writeHead(200, { "content-type": "text/event-stream" }).end(eventsOf("gpt-4o-2024-08-06"));
  });
}

beforeAll(async () => {
  standIn = aSupplier();
  await new Promise<void>((resolve) => standIn.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(standIn.address() as AddressInfo).port}`;
  const price = { input_per_mtok: 1, output_per_mtok: 2 };
  const model = (id: string, supplier: string, upstream_model: string) => ({
    ...{ id, context_tokens: 8_000, max_output_tokens: 1_000 },
    routes: [{ supplier, upstream_model, price }],
  });
  gateway = await startGateway({
    config: {
      suppliers: [
        {
          ...{ preset: "azure", base_url: `${origin}/azure/openai/deployments/{model}`, api_key: KEY, models: [] },
          query: { "api-version": "2024-10-21" },
        },
        {
          ...{ name: "proxy", kind: "messages", base_url: `${origin}/proxy/m` },
          ...{ headers: { "X-Proxy-Secret": SECRET, "anthropic-version": "2024-01-01" }, query: { tenant: "a&b=c" } },
          credentials: [{ name: "main", api_key: "sk-1" }],
        },
        {
          ...{ name: "proxied", kind: "chat", base_url: `${origin}/proxy/c` },
          headers: { "X-Proxy-Secret": SECRET, Authorization: "Basic dXNlcjpwYXNz" },
        },
      ],
      models: [
        model("house", "azure", "my deployment"),
        model("claude", "proxy", "c"),
        model("proxied", "proxied", "p"),
      ],
    },
  });
});
afterAll(async () => {
  await gateway?.close();
  standIn?.close();
});
beforeEach(() => {
  asked = [];
});

const chat = (body: object, headers: Record<string, string> = {}) =>
  fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ messages: [{ role: "user", content: "hi" }], ...body }),
  });

test("a deployment is called under its own path and version, with its key where such a resource takes it", async () => {
  for (const stream of [false, true]) {
    const response = await chat({ model: "house", stream });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("Hello.");
    const { url, headers } = asked.at(-1)!;
    expect(`${url.pathname}${url.search}`).toBe(
      "/azure/openai/deployments/my%20deployment/chat/completions?api-version=2024-10-21",
    );
    expect(headers.authorization).toBeUndefined();
  }
});

test("headers and parameters go with every request, also where its client says something else", async () => {
  await chat({ model: "claude", max_tokens: 9 }, { "x-proxy-secret": "mine", "anthropic-version": "2020-01-01" });
  const { url, headers } = asked.at(-1)!;
  expect(`${url.pathname}${url.search}`).toBe("/proxy/m/messages?tenant=a%26b%3Dc");
  expect(headers).toMatchObject({
    "x-proxy-secret": SECRET,
    "anthropic-version": "2024-01-01",
    "x-api-key": "sk-1",
    "user-agent": "gw",
  });
});

test("a supplier without a key signs in with a header that was written for it, and nobody reads it in an error", async () => {
  expect((await chat({ model: "proxied" })).status).toBe(200);
  expect(asked.at(-1)!.headers).toMatchObject({ authorization: "Basic dXNlcjpwYXNz", "x-proxy-secret": SECRET });
  const refused = await chat({ model: "proxied", user: "wrong" });
  expect(refused.status).toBe(400);
  const said = await refused.text();
  expect(said).toContain("no good");
  expect(said).not.toContain(SECRET);
});

test("none of it is in the database in the clear, and the books are in order", async () => {
  const rows = await gateway.sql("SELECT row_to_json(s)::text AS text FROM supplier s");
  const text = rows.map((row) => row.text).join("\n");
  expect(text).not.toContain(SECRET);
  expect(text).not.toContain("2024-10-21");
  expect(text.match(/"sealed_extras":"gw1\./g)).toHaveLength(3);
  await expectCleanBooks(gateway);
});
