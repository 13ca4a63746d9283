import Anthropic from "@anthropic-ai/sdk";
import AnthropicBefore from "@anthropic-ai/sdk-0";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type BothDialects, SUPPLIER_KEY, startBothDialects } from "../../support/both-dialects";
import { USAGE } from "../../support/scripted-supplier";
import { messagesViolations } from "../../support/stream-grammar";

let both: BothDialects;
beforeAll(async () => {
  both = await startBothDialects();
});
afterAll(() => both?.close());
beforeEach(() => both.supplier.say({ text: "Hello there" }));

const SDKS = { "1.x": Anthropic, "0.x": AnthropicBefore as unknown as typeof Anthropic };
const clientOf = (sdk: keyof typeof SDKS) =>
  new SDKS[sdk]({ baseURL: both.gateway.url, apiKey: both.gateway.key, maxRetries: 0 });

const weather = {
  name: "get_weather",
  description: "Today's weather",
  input_schema: { type: "object" as const, properties: { city: { type: "string" } }, required: ["city"] },
};
const PNG = "iVBORw0KGgo=";

describe.each(["1.x", "0.x"] as const)("the official messages SDK %s, unchanged", (sdk) => {
  describe.each(["messages-model", "chat-model"])("with %s", (model) => {
    const ask = { model, max_tokens: 100, messages: [{ role: "user" as const, content: "hi" }] };

    test("gets a whole message", async () => {
      const { data, response, request_id } = await clientOf(sdk).messages.create(ask).withResponse();
      expect(data).toMatchObject({
        type: "message",
        role: "assistant",
        content: [{ type: "text", text: "Hello there" }],
        stop_reason: "end_turn",
        stop_sequence: null,
        usage: { input_tokens: 20, cache_read_input_tokens: 100, output_tokens: 9 },
      });
      expect(response.headers.get("x-gw-input-tokens")).toBe(String(USAGE.input));
      expect(request_id).toBe(response.headers.get("x-request-id"));
      const { headers, body } = both.supplier.last();
      expect(body.model).toBe("upstream");
      const sent = JSON.stringify(headers);
      expect(sent).toContain(SUPPLIER_KEY);
      expect(sent).not.toContain(both.gateway.key);
    });

    test("gets a stream through its helper, with every kind of block", async () => {
      both.supplier.say({
        thinking: "Rome it is",
        text: "Let me look",
        calls: [{ input: { city: "Rome" } }, { input: { city: "Paris" } }],
        usage: { input: 50, cached: 10, output: 30, reasoning: 12 },
      });
      const events: string[] = [];
      const stream = clientOf(sdk)
        .messages.stream({
          ...ask,
          tools: [weather],
          thinking: { type: "enabled", budget_tokens: 1024 },
          max_tokens: 2000,
        })
        .on("streamEvent", ({ type }) => events.push(type));
      const message = await stream.finalMessage();
      expect(message.content.map((block) => block.type)).toEqual(["thinking", "text", "tool_use", "tool_use"]);
      expect(message.content).toMatchObject([
        { thinking: "Rome it is" },
        { text: "Let me look" },
        { name: "get_weather", input: { city: "Rome" } },
        { name: "get_weather", input: { city: "Paris" } },
      ]);
      expect(message.stop_reason).toBe("tool_use");
      expect(message.usage).toMatchObject({ input_tokens: 40, cache_read_input_tokens: 10, output_tokens: 30 });
      expect(events[0]).toBe("message_start");
      expect(events.at(-1)).toBe("message_stop");
    });

    test("has a tool conversation with pictures and failures in its results", async () => {
      await clientOf(sdk).messages.create({
        ...ask,
        system: [{ type: "text", text: "Be kind.", cache_control: { type: "ephemeral" } }],
        stop_sequences: ["END"],
        tools: [weather],
        tool_choice: { type: "any", disable_parallel_tool_use: true },
        messages: [
          { role: "user", content: [{ type: "text", text: "look" }, imageBlock()] },
          {
            role: "assistant",
            content: [
              { type: "tool_use", id: "toolu_1", name: "get_weather", input: { city: "Rome" } },
              { type: "tool_use", id: "toolu_2", name: "get_weather", input: {} },
            ],
          },
          {
            role: "user",
            content: [
              { type: "tool_result", tool_use_id: "toolu_1", content: [{ type: "text", text: "sun" }, imageBlock()] },
              { type: "tool_result", tool_use_id: "toolu_2", content: "no such city", is_error: true },
              { type: "text", text: "so?" },
            ],
          },
        ],
      });
      const { body } = both.supplier.last();
      if (model === "messages-model") {
        expect(body.messages[2].content).toHaveLength(3);
        expect(body).toMatchObject({ stop_sequences: ["END"], tool_choice: { type: "any" } });
        return;
      }
      expect(body).toMatchObject({ stop: ["END"], tool_choice: "required", parallel_tool_calls: false });
      expect(body.messages.map(({ role }: { role: string }) => role)).toEqual([
        ...["system", "user", "assistant", "tool", "tool", "user"],
      ]);
      expect(JSON.stringify(body.messages.at(-1))).toContain(`data:image/png;base64,${PNG}`);
      expect(body.messages[4].content).toBe("Error: no such city");
    });

    test.each([
      [400, "invalid_request_error", "BadRequestError"],
      [404, "not_found_error", "NotFoundError"],
      [413, "request_too_large", undefined],
      [429, "rate_limit_error", "RateLimitError"],
      [529, "overloaded_error", undefined],
    ])("raises its typed error for %i, with the supplier's words", async (status, type, name) => {
      both.supplier.say({
        failure: { status, type, message: "prompt is too long: 9 tokens > 8 maximum", retryAfter: 7 },
      });
      const problem = await clientOf(sdk)
        .messages.create(ask)
        .catch((error: unknown) => error);
      expect(problem).toBeInstanceOf(SDKS[sdk].APIError);
      const error = problem as InstanceType<typeof Anthropic.APIError>;
      expect(error.status).toBe(status);
      if (name) expect(error).toBeInstanceOf(SDKS[sdk][name as "BadRequestError"]);
      expect((error.error as { error: { type: string } }).error.type).toBe(type);
      expect(error.message).toContain("prompt is too long: 9 tokens > 8 maximum");
      expect(error.requestID).toMatch(/^[0-9a-f-]{36}$/);
      if (status === 429) expect(error.headers?.get("retry-after")).toBe("7");
    });

    test.each(["error", "cut"] as const)(
      "raises an error when the stream breaks off by %s, and gets no end",
      async (breaks) => {
        both.supplier.say({ text: "one two three four five six", breaks });
        const seen: string[] = [];
        const reading = (async () => {
          for await (const event of await clientOf(sdk).messages.create({ ...ask, stream: true }))
            seen.push(event.type);
        })();
        await expect(reading).rejects.toBeInstanceOf(SDKS[sdk].APIError);
        expect(seen).toContain("message_start");
        expect(seen).not.toContain("message_stop");
      },
    );

    test("leaves, and the supplier is left", async () => {
      both.supplier.say({ text: "word ".repeat(200), paceMs: 20 });
      for await (const event of await clientOf(sdk).messages.create({ ...ask, stream: true })) {
        if (event.type === "content_block_delta") break;
      }
      await expect.poll(() => both.supplier.last().aborted, { timeout: 2_000 }).toBe(true);
    });

    test("counts tokens", async () => {
      const { data, response } = await clientOf(sdk)
        .messages.countTokens({
          model,
          messages: [{ role: "user", content: "How many tokens are these?" }],
          tools: [weather],
        })
        .withResponse();
      const isSupplier = model === "messages-model";
      expect(response.headers.get("x-gw-token-source")).toBe(isSupplier ? "supplier" : "estimated");
      if (isSupplier) {
        expect(data.input_tokens).toBe(42);
        expect(both.supplier.last().path).toBe("/v1/messages/count_tokens");
      } else {
        expect(data.input_tokens).toBeGreaterThan(10);
        expect(data.input_tokens).toBeLessThan(100);
      }
    });
  });

  test("sends its own version and key header on", async () => {
    await clientOf(sdk).messages.create({
      model: "messages-model",
      max_tokens: 5,
      messages: [{ role: "user", content: "hi" }],
    });
    const { headers } = both.supplier.last();
    expect(headers["anthropic-version"]).toBe(sdk === "1.x" ? "2026-10-21" : "2023-06-01");
    expect(headers["x-api-key"]).toBe(SUPPLIER_KEY);
  });
});

describe("over plain HTTP", () => {
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${both.gateway.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": both.gateway.key, ...headers },
      body: JSON.stringify(body),
    });
  const hi = { max_tokens: 20, messages: [{ role: "user" as const, content: "hi" }] };

  test.each(["messages-model", "chat-model"])("every stream of %s follows the grammar", async (model) => {
    for (const script of [
      { text: "a b c" },
      { thinking: "x y", text: "a", calls: [{ input: {} }, { input: { a: 1 } }] },
      { text: "a b c d e f", breaks: "error" as const },
      { text: "a b c d e f", breaks: "cut" as const },
    ]) {
      both.supplier.say(script);
      const response = await post("/v1/messages?beta=true", {
        ...hi,
        model,
        stream: true,
        thinking: { type: "adaptive" },
      });
      expect(response.status).toBe(200);
      expect(messagesViolations(await response.text())).toEqual([]);
    }
  });

  test("what only tunes is left out and named, or refused for those who ask for that", async () => {
    const body = { ...hi, model: "chat-model", top_k: 5 };
    const response = await post("/v1/messages", body);
    expect([response.status, response.headers.get("x-gw-dropped-params")]).toEqual([200, "top_k"]);
    const streamed = await post("/v1/messages", { ...body, stream: true });
    expect(streamed.headers.get("x-gw-dropped-params")).toBe("top_k");
    await streamed.text();
    const plain = await post("/v1/messages", { ...hi, model: "chat-model" });
    expect(plain.headers.get("x-gw-dropped-params")).toBeNull();
    const strict = await post("/v1/messages", body, { "x-gw-strict-params": "true" });
    expect(strict.status).toBe(400);
    expect(await strict.json()).toMatchObject({ error: { code: "unsupported_parameter", param: "top_k" } });
  });

  test("what the other dialect cannot express is refused by name, and costs nothing", async () => {
    const before = both.supplier.calls.length;
    const response = await post("/v1/messages", { ...hi, model: "chat-model", container: "c" });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      type: "error",
      error: { type: "invalid_request_error", code: "unsupported_parameter", param: "container" },
    });
    expect(both.supplier.calls).toHaveLength(before);
    const id = response.headers.get("x-request-id");
    expect(
      await both.gateway.sql("SELECT charged FROM usage_event WHERE request_id = $1 AND charged > 0", [id]),
    ).toEqual([]);
  });

  test.each(["messages-model", "chat-model"])("the SDK's tool runner gets to its end with %s", async (model) => {
    const before = both.supplier.calls.length;
    both.supplier.answer(({ body }) => {
      if (body.thread != null) {
        const details = { error_code: "thread_unsupported_request", unsupported: ["organization"] };
        return { failure: { status: 400, type: "invalid_request_error", message: "no threads", details } };
      }
      return body.messages.length > 1 ? { text: "Sunny" } : { calls: [{ input: { city: "Rome" } }] };
    });
    const run = async ({ city }: { city: string }) => `18 degrees in ${city}`;
    const client = clientOf("1.x");
    const tools = [{ ...weather, run, parse: (input: unknown) => input as { city: string } }];
    const message = await client.beta.messages.toolRunner({ ...hi, model, max_tokens: 50, tools });
    expect(message.content).toMatchObject([{ type: "text", text: "Sunny" }]);
    expect(JSON.stringify(both.supplier.last().body)).toContain("18 degrees in Rome");
    // The supplier of the other dialect never receives requests that it does not support.
    expect(both.supplier.calls.length - before).toBe(model === "messages-model" ? 3 : 2);
  });

  test("usage that no supplier told is stated as it is charged, whole and streamed", async () => {
    both.supplier.say({ text: "Hello there", hidesUsage: true });
    const ask = { ...hi, model: "chat-model" };
    const whole = await clientOf("1.x").messages.create(ask);
    const { usage } = await clientOf("1.x").messages.stream(ask).finalMessage();
    expect(whole.usage.output_tokens).toBeGreaterThan(0);
    expect(usage).toMatchObject({
      input_tokens: whole.usage.input_tokens,
      output_tokens: whole.usage.output_tokens,
    });
  });

  test("a lane that can express it is taken instead", async () => {
    const response = await post("/v1/messages", { ...hi, model: "either-model", container: "c" });
    expect(response.status).toBe(200);
    expect(response.headers.get("x-gw-supplier")).toBe("speaks-messages");
  });

  test("the region lock holds for counts too", async () => {
    const before = both.supplier.calls.length;
    const body = { model: "abroad-model", messages: hi.messages, region: "eu" };
    const response = await post("/v1/messages/count_tokens", body);
    expect(await response.json()).toMatchObject({ error: { code: "sovereign_route_unavailable" } });
    expect(both.supplier.calls).toHaveLength(before);
  });

  test("a count without a supplier's word is gw's own", async () => {
    both.supplier.say({ failure: { status: 404, type: "not_found_error", message: "no such path" } });
    const response = await post("/v1/messages/count_tokens", { model: "messages-model", messages: hi.messages });
    expect(response.status).toBe(200);
    expect(response.headers.get("x-gw-token-source")).toBe("estimated");
  });

  test("probes and wrong methods are answered", async () => {
    for (const path of ["/v1/messages", "/v1/messages/count_tokens"]) {
      expect((await fetch(`${both.gateway.url}${path}`, { method: "HEAD" })).status).toBeLessThan(500);
      expect((await fetch(`${both.gateway.url}${path}`)).status).toBe(405);
    }
    // The first requests of coding agents.
    for (const path of ["/", "/api/hello", "/v1/models"])
      expect((await fetch(`${both.gateway.url}${path}`, { method: "HEAD" })).status).toBeLessThan(500);
  });

  test("models are listed in this dialect's way for its clients, whatever page they ask for", async () => {
    const response = await fetch(`${both.gateway.url}/v1/models?limit=1000`, {
      headers: { "x-api-key": both.gateway.key, "anthropic-version": "2023-06-01" },
    });
    const { data, has_more } = (await response.json()) as { data: { type: string; id: string }[]; has_more: boolean };
    expect(has_more).toBe(false);
    expect(data).toContainEqual(expect.objectContaining({ type: "model", id: "messages-model" }));
    const one = await fetch(`${both.gateway.url}/v1/models/messages-model`, {
      headers: { "x-api-key": both.gateway.key, "anthropic-version": "2023-06-01" },
    });
    expect(await one.json()).toMatchObject({ type: "model", id: "messages-model", display_name: "messages-model" });
  });

  test("twenty-two counts at once", async () => {
    const counts = await Promise.all(
      Array.from({ length: 22 }, (_, at) =>
        post("/v1/messages/count_tokens?beta=true", {
          model: at % 2 ? "chat-model" : "messages-model",
          messages: hi.messages,
        }),
      ),
    );
    for (const count of counts) expect(await count.json()).toEqual({ input_tokens: expect.any(Number) });
  });
});

function imageBlock() {
  return { type: "image" as const, source: { type: "base64" as const, media_type: "image/png" as const, data: PNG } };
}
