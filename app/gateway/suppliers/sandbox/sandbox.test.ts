import { describe, expect, test } from "vitest";
import type { Route } from "~/domain/catalogue/shared";
import { asGuarded } from "../../__fixtures__/guarded";
import type { Outgoing } from "../../canonical/exchange";
import { SupplierFailure } from "../../canonical/supplier-failure";
import { sandbox } from ".";
import { SANDBOX_FAULTS } from "./faults";

type Completion = {
  choices: { message: { content: string | null; tool_calls?: Call[] }; finish_reason: string }[];
  usage?: { prompt_tokens: number; completion_tokens: number; prompt_tokens_details: { cached_tokens: number } };
};
type Call = { id: string; function: { name: string; arguments: string } };

const route = (upstreamModel: string): Route => ({
  routeId: 1,
  model: { id: upstreamModel, ownedBy: "sandbox", capability: "chat", contextTokens: 8_000, maxOutputTokens: 4_000 },
  supplier: {
    id: 1,
    name: "sandbox",
    kind: "sandbox",
    baseUrl: "",
    region: "eu",
    timeoutMs: 40,
    idleTimeoutMs: 1_000,
    cooldown: false,
    streamUsage: true,
    draining: false,
    credentials: [],
  },
  upstreamModel,
  priority: 1,
  weight: 1,
  price: null,
});

const outgoing = (body: object, more: Partial<Outgoing> & { model?: string } = {}): Outgoing => ({
  callId: "01900000-0000-7000-8000-000000000000",
  route: route(more.model ?? "sandbox-chat"),
  credential: null,
  dialect: "chat",
  stream: false,
  body: asGuarded(
    JSON.stringify({ messages: [{ role: "user", content: "What is the weather in Paris today?" }], ...body }),
  ),
  headers: {},
  ...more,
});

async function whole(body: object, model?: string): Promise<Completion> {
  const reply = await sandbox.send(outgoing(body, { model })).reply;
  if (reply.kind !== "whole") throw new Error("not a whole answer");
  return JSON.parse(reply.body.toString()) as Completion;
}

async function streamed(body: object, model?: string): Promise<{ text: string; end: "end" | SupplierFailure }> {
  const reply = await sandbox.send(outgoing(body, { model, stream: true })).reply;
  if (reply.kind !== "stream") throw new Error("not a stream");
  return new Promise((resolve) => {
    let text = "";
    reply.source.start({
      data: (chunk) => {
        text += chunk.toString();
      },
      end: () => resolve({ text, end: "end" }),
      fail: (failure) => resolve({ text, end: failure }),
    });
  });
}

const chunksOf = (text: string) =>
  text
    .split("\n\n")
    .filter((event) => event.startsWith("data: {"))
    .map((event) => JSON.parse(event.slice(6)));

const WEATHER = {
  type: "function",
  function: {
    name: "get_weather",
    parameters: {
      type: "object",
      properties: { city: { type: "string" } },
      required: ["city"],
      additionalProperties: false,
    },
  },
};

describe("a chat answer", () => {
  test("is the same for the same request, but for its time", async () => {
    const [first, second] = [await whole({}), await whole({})];
    expect({ ...first, created: 0 }).toEqual({ ...second, created: 0 });
    expect(first.choices[0]!.message.content).toContain("What is the weather in Paris today?");
  });

  test("stays within max_tokens and says so", async () => {
    const { choices, usage } = await whole({ max_tokens: 5 });
    expect(choices[0]!.finish_reason).toBe("length");
    expect(usage!.completion_tokens).toBe(5);
  });

  test("ends before a stop sequence", async () => {
    const { choices } = await whole({ stop: ["weather"] });
    expect(choices[0]!.message.content).toBe("You said: “What is the ");
    expect(choices[0]!.finish_reason).toBe("stop");
  });

  test("has as many choices as asked for, all different, and a seed changes the words", async () => {
    const texts = (await whole({ n: 3 })).choices.map(({ message }) => message.content);
    expect(new Set(texts).size).toBe(3);
    const seeded = await Promise.all([1, 2, 3, 4, 5].map((seed) => whole({ seed })));
    expect(new Set(seeded.map(({ choices }) => choices[0]!.message.content)).size).toBeGreaterThan(1);
  });

  test("has as many words as the prompt asks for", async () => {
    const { choices } = await whole({ messages: [{ role: "user", content: "Write 200 words." }] });
    expect(choices[0]!.message.content!.split(" ")).toHaveLength(200);
  });

  test("is JSON in JSON mode, and an instance of a schema", async () => {
    const mode = await whole({ response_format: { type: "json_object" } });
    expect(JSON.parse(mode.choices[0]!.message.content!)).toHaveProperty("answer");
    const schema = {
      type: "object",
      properties: { city: { type: "string" }, days: { type: "integer", minimum: 3 }, unit: { enum: ["C", "F"] } },
      required: ["city", "days", "unit"],
    };
    const made = await whole({ response_format: { type: "json_schema", json_schema: { name: "x", schema } } });
    expect(JSON.parse(made.choices[0]!.message.content!)).toEqual({ city: "Paris", days: 3, unit: "C" });
  });

  test("counts an earlier turn of a long conversation as cached", async () => {
    const long = { role: "user", content: "word ".repeat(2_000) };
    const turns = [long, { role: "assistant", content: "yes" }, { role: "user", content: "and?" }];
    const { usage } = await whole({ messages: turns });
    expect(usage!.prompt_tokens_details.cached_tokens).toBe(1_920);
    expect((await whole({ messages: [long] })).usage!.prompt_tokens_details.cached_tokens).toBe(0);
  });
});

describe("tools", () => {
  test("are called with arguments that fit their schema", async () => {
    const { choices } = await whole({ tools: [WEATHER] });
    expect(choices[0]!.finish_reason).toBe("tool_calls");
    expect(choices[0]!.message.tool_calls![0]!.function).toEqual({
      name: "get_weather",
      arguments: '{"city":"Paris"}',
    });
  });

  test("are left alone when the client wants none, or has just brought a result", async () => {
    expect((await whole({ tools: [WEATHER], tool_choice: "none" })).choices[0]!.finish_reason).toBe("stop");
    const { choices } = await whole({ tools: [WEATHER] });
    const call = choices[0]!.message.tool_calls![0]!;
    const messages = [
      { role: "user", content: "What is the weather in Paris?" },
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: call.id, content: "18 degrees" },
    ];
    const after = await whole({ tools: [WEATHER], messages });
    expect(after.choices[0]!.message.content).toBe("The tool answered “18 degrees”.");
  });

  test("are chosen by tool_choice and by what the prompt names, several at once", async () => {
    const clock = { type: "function", function: { name: "get_time", parameters: { type: "object", properties: {} } } };
    const both = { messages: [{ role: "user", content: "The weather and the time, please" }], tools: [clock, WEATHER] };
    const namesOf = ({ choices }: Completion) => choices[0]!.message.tool_calls!.map((call) => call.function.name);
    expect(namesOf(await whole(both))).toEqual(["get_time", "get_weather"]);
    expect(namesOf(await whole({ ...both, parallel_tool_calls: false }))).toEqual(["get_time"]);
    const forced = { type: "function", function: { name: "get_weather" } };
    expect(namesOf(await whole({ ...both, tool_choice: forced }))).toEqual(["get_weather"]);
  });

  test("that are insisted on but not offered are the client's mistake", async () => {
    const forced = { type: "function", function: { name: "other" } };
    await expect(whole({ tools: [WEATHER], tool_choice: forced })).rejects.toMatchObject({ status: 400 });
  });
});

describe("a stream", () => {
  test("carries the whole answer's words, finish reason, usage when asked for, and [DONE]", async () => {
    const answer = await whole({});
    const { text, end } = await streamed({ stream_options: { include_usage: true } });
    const chunks = chunksOf(text);
    expect(end).toBe("end");
    expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
    const content = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("");
    expect(content).toBe(answer.choices[0]!.message.content);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: answer.usage });
    expect(chunks.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true);
    expect((await streamed({})).text).not.toContain("usage");
  });

  test("carries tool calls in pieces that join to the whole call", async () => {
    const chunks = chunksOf((await streamed({ tools: [WEATHER] })).text);
    const calls = chunks.flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? []);
    expect(calls[0]).toMatchObject({ index: 0, type: "function", function: { name: "get_weather" } });
    expect(calls.map((call) => call.function.arguments).join("")).toBe('{"city":"Paris"}');
    expect(chunks.at(-1).choices[0].finish_reason).toBe("tool_calls");
  });

  test("waits while it is paused, and falls silent when it is aborted", async () => {
    const reply = await sandbox.send(outgoing({}, { stream: true })).reply;
    if (reply.kind !== "stream") throw new Error("not a stream");
    let chunks = 0;
    const failed = new Promise<SupplierFailure>((resolve) => {
      reply.source.start({ data: () => (chunks += 1), end: () => undefined, fail: resolve });
    });
    await pause(60);
    reply.source.pause();
    const seen = chunks;
    expect(seen).toBeGreaterThan(0);
    await pause(60);
    expect(chunks).toBe(seen);
    reply.source.resume();
    await pause(60);
    expect(chunks).toBeGreaterThan(seen);
    reply.source.abort();
    expect((await failed).kind).toBe("aborted");
    const last = chunks;
    await pause(40);
    expect(chunks).toBe(last);
  });
});

describe("faults", () => {
  const failure = async (name: string, stream = false) => {
    const model = `sandbox-fault-${name}`;
    const outcome = stream ? streamed({}, model) : whole({}, model);
    return outcome.then(
      (fine) => fine as unknown,
      (error) => error as unknown,
    );
  };

  test.each([
    ["401", 401, null],
    ["429", 429, 2],
    ["500", 500, null],
    ["503", 503, 1],
    ["529", 529, null],
  ])("%s refuses with its status", async (name, status, retryAfterSeconds) => {
    for (const stream of [false, true]) {
      expect(await failure(name, stream)).toMatchObject({ kind: "status", status, retryAfterSeconds, executed: "no" });
    }
  });

  test("timeout gives up at the supplier's time-out", async () => {
    expect(await failure("timeout")).toMatchObject({ kind: "timeout", executed: "unknown" });
  });

  test("cuts break the connection, after some content or before any", async () => {
    expect(await failure("cut")).toMatchObject({ kind: "reset", executed: "yes" });
    expect(await failure("cut-before")).toMatchObject({ kind: "reset", executed: "unknown" });
    const cut = await streamed({}, "sandbox-fault-cut");
    expect(cut.text).toContain("You");
    expect(cut.text).not.toContain('finish_reason":"stop');
    expect(cut.end).toBeInstanceOf(SupplierFailure);
    expect((await streamed({}, "sandbox-fault-cut-before")).text).toBe("");
  });

  test("errors come inside a 200", async () => {
    expect((await streamed({}, "sandbox-fault-error-event")).text).toMatch(/^data: \{"error":/);
    expect((await streamed({}, "sandbox-fault-error-mid")).text).toMatch(/You.*data: \{"error":/s);
    expect(await whole({}, "sandbox-fault-error-event")).toHaveProperty("error");
  });

  test("usage is missing or impossible", async () => {
    expect((await whole({}, "sandbox-fault-no-usage")).usage).toBeUndefined();
    expect((await whole({}, "sandbox-fault-insane-usage")).usage!.prompt_tokens).toBe(-1);
    const body = { stream_options: { include_usage: true } };
    expect(chunksOf((await streamed(body, "sandbox-fault-no-usage")).text).some((chunk) => chunk.usage)).toBe(false);
  });

  test("all of them are listed, each once", () => {
    expect(new Set(SANDBOX_FAULTS.map(({ model }) => model)).size).toBe(SANDBOX_FAULTS.length);
  });
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
