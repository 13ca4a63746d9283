import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Gateway, startGateway } from "../../support/gateway";

// No process listens on this port, so all rejections happen before a supplier call.
const supplier = (name: string, kind: string) => ({
  name,
  kind,
  base_url: "http://127.0.0.1:9/v1",
  region: "eu",
  credentials: [{ name: "main", api_key: "sk-supplier" }],
});
const model = (id: string, served_by: string | null, more: object = {}) => ({
  id,
  capability: "chat",
  context_tokens: 8_000,
  max_output_tokens: 1_000,
  ...more,
  routes:
    served_by === null
      ? []
      : [{ supplier: served_by, upstream_model: id, price: { input_per_mtok: 1, output_per_mtok: 1, per_mchar: 1 } }],
});

let gateway: Gateway;
let requests = 0;
let chat: OpenAI;
let native: OpenAI;
let messages: Anthropic;
beforeAll(async () => {
  gateway = await startGateway({
    config: {
      suppliers: [supplier("chatty", "chat"), supplier("messenger", "messages"), supplier("agents", "native_agent")],
      models: [
        model("fast-chat", "chatty"),
        model("said", "messenger"),
        model("agent", "agents"),
        model("fast-embed", "chatty", { capability: "embedding" }),
        model("voice", "chatty", { capability: "speech" }),
        model("no-voice", "messenger", { capability: "speech" }),
        model("plain", "chatty", { tools: false, images: false }),
        model("lonely", null),
      ],
    },
  });
  const counting: typeof fetch = (input, init) => {
    requests += 1;
    return fetch(input, init);
  };
  const { key: apiKey, url } = gateway;
  // With default options: they retry temporary errors twice, after the time in Retry-After.
  chat = new OpenAI({ baseURL: `${url}/v1`, apiKey, fetch: counting });
  native = new OpenAI({ baseURL: `${url}/v1/vendorb`, apiKey, fetch: counting });
  messages = new Anthropic({ baseURL: url, apiKey, fetch: counting });
});
afterAll(() => gateway?.close());

const hi = [{ role: "user" as const, content: "hi" }];
const complete = (name: string, more: object = {}) =>
  chat.chat.completions.create({ model: name, messages: hi, ...more });
const respond = (name: string) => native.responses.create({ model: name, input: hi, stream: true });
const say = (name: string) => messages.messages.create({ model: name, max_tokens: 9, messages: hi });
const count = (name: string) => messages.messages.countTokens({ model: name, messages: hi });
const TOOL = { type: "function" as const, function: { name: "t", parameters: { type: "object", properties: {} } } };
const PICTURE = [{ type: "image_url" as const, image_url: { url: "https://pictures.example/a.png" } }];

const CHAT_AND_MESSAGES =
  "It serves POST /v1/chat/completions, POST /v1/completions, POST /v1/messages and POST /v1/responses.";
test.each<[string, () => Promise<unknown>, string]>([
  [
    "an embedding model, chat",
    () => complete("fast-embed"),
    "“fast-embed” does not serve chat completions. It serves POST /v1/embeddings.",
  ],
  [
    "a native model, chat",
    () => complete("agent"),
    "“agent” does not serve chat completions. It serves POST /v1/responses and POST /v1/vendorb/responses.",
  ],
  [
    "a native model, messages",
    () => say("agent"),
    "“agent” does not serve messages. It serves POST /v1/responses and POST /v1/vendorb/responses.",
  ],
  [
    "a native model, a token count",
    () => count("agent"),
    "“agent” does not serve messages. It serves POST /v1/responses and POST /v1/vendorb/responses.",
  ],
  [
    "a chat-style model, responses",
    () => respond("fast-chat"),
    `“fast-chat” does not serve native agents' responses. ${CHAT_AND_MESSAGES}`,
  ],
  [
    "a messages-style model, responses",
    () => respond("said"),
    `“said” does not serve native agents' responses. ${CHAT_AND_MESSAGES}`,
  ],
  [
    "a chat model, embeddings",
    () => chat.embeddings.create({ model: "fast-chat", input: "a" }),
    `“fast-chat” does not serve embeddings. ${CHAT_AND_MESSAGES}`,
  ],
  ["a speech model, messages", () => say("voice"), "“voice” does not serve messages. It serves POST /v1/audio/speech."],
  [
    "a model of a supplier without its endpoint",
    () => chat.audio.speech.create({ model: "no-voice", input: "a", voice: "x" }),
    "“no-voice” does not serve speech. It serves no endpoint here.",
  ],
  [
    "pictures for a model that reads none",
    () => complete("plain", { messages: [{ role: "user", content: PICTURE }] }),
    "“plain” does not read images.",
  ],
])("%s: the SDK raises its typed error at once, with the reason and the way out", async (_name, ask, reason) => {
  requests = 0;
  const error = (await ask().then(
    () => null,
    (problem: unknown) => problem,
  )) as { message: string; headers: Headers } | null;
  expect(error instanceof OpenAI.BadRequestError || error instanceof Anthropic.BadRequestError, String(error)).toBe(
    true,
  );
  expect(error!.message).toContain(`capability_unsupported - ${reason}`);
  expect(error!.headers.get("x-should-retry")).toBe("false");
  expect(error!.headers.get("retry-after")).toBeNull();
  expect(requests).toBe(1);
});

test("tools for a model that has none are refused by the code for it", async () => {
  requests = 0;
  await expect(complete("plain", { tools: [TOOL] })).rejects.toMatchObject({
    status: 400,
    code: "model_does_not_support_tools",
    param: "tools",
  });
  expect(requests).toBe(1);
});

test("a model without any supplier is not waited for", async () => {
  requests = 0;
  await expect(complete("lonely")).rejects.toMatchObject({ status: 404, code: "model_not_configured" });
  expect(requests).toBe(1);
});

test("what is refused leaves neither a hold nor a usage row", async () => {
  expect(await gateway.sql("SELECT id FROM hold")).toEqual([]);
  expect(await gateway.sql("SELECT request_id FROM usage_event")).toEqual([]);
});
