import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type ChatGateway,
  eventually,
  expectCleanBooks,
  pause,
  priceOf,
  startChatGateway,
} from "../../support/chat-gateway";

let gateway: ChatGateway;
let client: OpenAI;
beforeAll(async () => {
  gateway = await startChatGateway();
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.budgetKey, maxRetries: 0 });
});
afterAll(() => gateway?.close());

const hello = { model: "fast-chat", messages: [{ role: "user" as const, content: "Hello" }], max_tokens: 20 };
const WEATHER = {
  type: "function" as const,
  function: {
    name: "get_weather",
    description: "Today's weather",
    strict: true,
    parameters: {
      type: "object",
      properties: { city: { type: "string" } },
      required: ["city"],
      additionalProperties: false,
    },
  },
};

describe("the official chat SDK, unchanged", () => {
  test("gets a whole completion, its headers and its exact price", async () => {
    const { data, response } = await client.chat.completions.create({ ...hello, user: "tokens=9" }).withResponse();
    expect(data.choices[0]!.message.content).toBe("w0 w1 w2 w3 w4 w5 w6 w7 w8");
    expect(data.choices[0]!.finish_reason).toBe("stop");
    const { prompt_tokens, completion_tokens } = data.usage!;
    const callId = response.headers.get("x-request-id")!;
    const { hold, usage } = await gateway.booked(callId);
    expect(usage).toHaveLength(1);
    expect(usage[0]!.charged).toBe(priceOf(prompt_tokens, completion_tokens));
    expect(hold).toMatchObject({ state: "settled", captured: usage[0]!.charged });
    expect(response.headers.get("x-gw-supplier")).toBe("primary");
    expect(response.headers.get("x-gw-region")).toBe("eu");
    expect(response.headers.get("x-gw-failover")).toBe("false");
    expect(response.headers.get("x-gw-latency-ms")).toMatch(/^\d+$/);
    expect(response.headers.get("x-gw-input-tokens")).toBe(String(prompt_tokens));
    expect(response.headers.get("x-gw-output-tokens")).toBe("9");
    expect(Math.round(Number(response.headers.get("x-gw-cost-usd")) * 1e9)).toBe(Number(usage[0]!.charged));
  });

  test("gets a stream word by word, without the usage it did not ask for", async () => {
    const { data: stream, response } = await client.chat.completions
      .create({ ...hello, stream: true, user: "tokens=6" })
      .withResponse();
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("")).toBe("w0 w1 w2 w3 w4 w5");
    expect(chunks.every((chunk) => chunk.usage == null && chunk.choices.length === 1)).toBe(true);
    expect(chunks.at(-1)!.choices[0]!.finish_reason).toBe("stop");
    const callId = response.headers.get("x-request-id")!;
    const { usage } = await gateway.booked(callId);
    const [billed] = (await gateway.standIn.bill()).filter(({ id }) => id === callId);
    expect(usage[0]!.charged).toBe(priceOf(billed!.promptTokens, 6));
    expect(usage[0]!.tokenSource).toBe("supplier");
  });

  test("gets the usage of a stream when it asks for it", async () => {
    const stream = client.chat.completions.stream({
      ...hello,
      user: "tokens=4",
      stream_options: { include_usage: true },
    });
    const completion = await stream.finalChatCompletion();
    expect(completion.usage!.completion_tokens).toBe(4);
  });

  test("gets tool calls, whole and streamed, and an answer after the tool's result", async () => {
    const asked = { ...hello, tools: [WEATHER], tool_choice: "auto" as const };
    const { choices } = await client.chat.completions.create(asked);
    const call = choices[0]!.message.tool_calls![0]!;
    expect(choices[0]!.finish_reason).toBe("tool_calls");
    expect(call).toMatchObject({ type: "function", function: { name: "get_weather", arguments: '{"city":"Paris"}' } });
    const streamed = await client.chat.completions.stream({ ...asked, user: "tokens=12" }).finalChatCompletion();
    expect(streamed.choices[0]!.message.tool_calls![0]).toMatchObject({
      id: "call_1",
      function: { name: "get_weather", arguments: '{"city":"Paris"}' },
    });
    const after = await client.chat.completions.create({
      ...asked,
      user: "tokens=3",
      messages: [
        ...hello.messages,
        { role: "assistant", content: "", tool_calls: [call] },
        { role: "tool", tool_call_id: call.id, content: "18 degrees" },
      ],
    });
    expect(after.choices[0]!.message.content).toBe("w0 w1 w2");
  });

  test("finds the models of its key", async () => {
    const listed = await client.models.list();
    expect(listed.data.map(({ id }) => id)).toContain("fast-chat");
    expect(listed.data[0]).toMatchObject({ object: "model", owned_by: "stand-in" });
    const bare = await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${gateway.budgetKey}` } });
    expect(((await bare.json()) as { id: string }[]).map(({ id }) => id)).toContain("fast-chat");
    const { key } = await gateway.createKey({ allowed_models: ["us-chat"] });
    const few = await new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: key }).models.list();
    expect(few.data.map(({ id }) => id)).toEqual(["us-chat"]);
    const asked = await fetch(`${gateway.url}/v1/models?object=list`, { headers: { authorization: `Bearer ${key}` } });
    expect(await asked.json()).toMatchObject({
      object: "list",
      data: [{ id: "us-chat", created: expect.any(Number) }],
    });
  });

  test("retrieves a model by its name, also one with slashes, and none that its key may not use", async () => {
    expect(await client.models.retrieve("fast-chat")).toEqual({
      id: "fast-chat",
      object: "model",
      owned_by: "stand-in",
      created: expect.any(Number),
    });
    expect(await client.models.retrieve("vendor/chat:free")).toMatchObject({ id: "vendor/chat:free" });
    const asItIs = await fetch(`${gateway.url}/v1/models/vendor/chat:free`, {
      headers: { authorization: `Bearer ${gateway.key}` },
    });
    expect(await asItIs.json()).toMatchObject({ id: "vendor/chat:free" });
    await expect(client.models.retrieve("nobody")).rejects.toMatchObject({ status: 404, code: "model_not_found" });
    const { key } = await gateway.createKey({ allowed_models: ["us-chat"] });
    const limited = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: key });
    await expect(limited.models.retrieve("fast-chat")).rejects.toMatchObject({ status: 404, code: "model_not_found" });
    expect((await fetch(`${gateway.url}/v1/models/fast-chat`)).status).toBe(401);
    expect((await fetch(`${gateway.url}/v1/models/fast-chat`, { method: "DELETE" })).status).toBe(405);
  });

  test("leaves in mid-stream: the supplier's connection closes within a second, and there is one usage row", async () => {
    const { data: stream, response } = await client.chat.completions
      .create({ ...hello, max_tokens: 400, stream: true, user: "tokens=400;pace=20" })
      .withResponse();
    const callId = response.headers.get("x-request-id")!;
    let seen = 0;
    for await (const chunk of stream) {
      seen += chunk.choices[0]?.delta.content ? 1 : 0;
      if (seen === 5) break;
    }
    const leftAt = Date.now();
    const entry = await eventually(
      async () => (await gateway.standIn.seen(callId)).requests[0]!,
      ({ abortedAt }) => abortedAt !== null,
    );
    expect(entry.abortedAt! - leftAt).toBeLessThan(1_000);
    const { hold, usage } = await gateway.booked(callId);
    expect(hold!.state).toBe("settled");
    expect(usage).toHaveLength(1);
    expect(usage[0]).toMatchObject({ outcome: "client_abort", tokenSource: "estimated" });
    expect(usage[0]!.outputTokens).toBeGreaterThanOrEqual(5);
    expect(usage[0]!.outputTokens).toBeLessThan(200);
    await pause(300);
    expect((await gateway.booked(callId)).usage).toHaveLength(1);
  });

  test("leaves before a whole answer: the supplier's connection closes within a second", async () => {
    const controller = new AbortController();
    const started = client.chat.completions.create(
      { ...hello, user: "delay=3000;tokens=3" },
      { signal: controller.signal },
    );
    await pause(300);
    controller.abort();
    const leftAt = Date.now();
    await expect(started).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
    const entry = await eventually(
      async () => (await gateway.standIn.seen()).requests.findLast(({ body }) => body.includes("delay=3000"))!,
      ({ abortedAt }) => abortedAt !== null,
    );
    expect(entry.abortedAt! - leftAt).toBeLessThan(1_000);
    const { hold, usage } = await gateway.booked(entry.id);
    expect(["settled", "released", "review"]).toContain(hold!.state);
    expect(usage.length).toBe(hold!.state === "review" ? 0 : 1);
  });
});

describe("the SDK's typed errors", () => {
  const problemOf = async (promise: Promise<unknown>): Promise<InstanceType<typeof OpenAI.APIError>> => {
    const problem = await promise.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(problem).toBeInstanceOf(OpenAI.APIError);
    return problem as InstanceType<typeof OpenAI.APIError>;
  };
  const withKey = (apiKey: string) => new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey, maxRetries: 0 });

  test("401 for a key that does not exist", async () => {
    const problem = await problemOf(withKey(`gw_${"a".repeat(49)}`).chat.completions.create(hello));
    expect(problem).toBeInstanceOf(OpenAI.AuthenticationError);
    expect(problem.code).toBe("invalid_api_key");
  });

  test("403 for a model that the key may not use", async () => {
    const { key } = await gateway.createKey({ allowed_models: ["us-chat"] });
    const problem = await problemOf(withKey(key).chat.completions.create(hello));
    expect(problem).toBeInstanceOf(OpenAI.PermissionDeniedError);
    expect(problem.code).toBe("model_not_allowed");
  });

  test("404 for a model that nobody has", async () => {
    const problem = await problemOf(client.chat.completions.create({ ...hello, model: "no-such-model" }));
    expect(problem).toBeInstanceOf(OpenAI.NotFoundError);
    expect(problem.code).toBe("model_not_found");
    expect(problem.param).toBe("model");
  });

  test("400 for a field out of its range, and nothing is sent to a supplier", async () => {
    const before = (await gateway.standIn.seen()).requests.length;
    const problem = await problemOf(client.chat.completions.create({ ...hello, temperature: 7 }));
    expect(problem).toBeInstanceOf(OpenAI.BadRequestError);
    expect(problem.param).toBe("temperature");
    expect((await gateway.standIn.seen()).requests).toHaveLength(before);
  });

  test("400 of the supplier keeps the supplier's code and words", async () => {
    const problem = await problemOf(client.chat.completions.create({ ...hello, user: "fault=400" }));
    expect(problem).toBeInstanceOf(OpenAI.BadRequestError);
    expect(problem.code).toBe("context_length_exceeded");
    expect(problem.message).toContain("prompt is too long: 9 tokens > 8 maximum");
  });

  test.each([
    ["seconds", "7"],
    ["date", /^[5-8]$/],
    ["ms", "2"],
  ] as const)("429 of the supplier, Retry-After given as %s", async (form, expected) => {
    const problem = await problemOf(client.chat.completions.create({ ...hello, user: `fault=429:${form}` }));
    expect(problem).toBeInstanceOf(OpenAI.RateLimitError);
    expect(problem.headers!.get("retry-after")).toMatch(expected);
  });

  test("429 of the key's own rate limit, with Retry-After", async () => {
    const { key } = await gateway.createKey({ rate_limit_rpm: 2 });
    const limited = withKey(key);
    await limited.chat.completions.create(hello);
    await limited.chat.completions.create(hello);
    const problem = await problemOf(limited.chat.completions.create(hello));
    expect(problem).toBeInstanceOf(OpenAI.RateLimitError);
    expect(problem.code).toBe("rate_limit_exceeded");
    expect(Number(problem.headers!.get("retry-after"))).toBeGreaterThan(0);
  });

  test("429 of a budget that is used up", async () => {
    const { key } = await gateway.createKey({ budget_limit: 0.000001, budget_period: "daily" });
    const problem = await problemOf(withKey(key).chat.completions.create(hello));
    expect(problem).toBeInstanceOf(OpenAI.RateLimitError);
    expect(problem.code).toBe("budget_exceeded");
    expect(problem.message).toContain("of this API key’s budget is left, and this request could cost up to");
  });

  test("5xx when every supplier fails, and a typed error inside a stream that fails later", async () => {
    const problem = await problemOf(client.chat.completions.create({ ...hello, user: "fault=500" }));
    expect(problem).toBeInstanceOf(OpenAI.InternalServerError);
    const stream = await client.chat.completions.create({ ...hello, stream: true, user: "fault=error-mid;tokens=8" });
    const words: string[] = [];
    const inside = await problemOf(
      (async () => {
        for await (const chunk of stream) words.push(chunk.choices[0]?.delta.content ?? "");
      })(),
    );
    expect(words.join("")).toBe("w0 w1 w2 w3");
    expect(inside).toMatchObject({ code: "engine_failed", type: "server_error" });
    expect(inside.error).toMatchObject({ gateway_code: "stream_error" });
  });
});

test("the books are in order after all of it", () => expectCleanBooks(gateway));
