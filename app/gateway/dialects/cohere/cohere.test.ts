import { describe, expect, test } from "vitest";
import type { Route } from "~/domain/catalogue/shared";
import { chatDialect } from "../chat";
import { messagesDialect } from "../messages";
import { responsesDialect } from "../responses";
import { translatorFor } from "../translators";

const route = (upstreamModel: string) => ({ upstreamModel, supplier: {}, model: { maxOutputTokens: 500 } }) as Route;
const DIALECTS = { chat: chatDialect, messages: messagesDialect, responses: responsesDialect };
type Client = keyof typeof DIALECTS;

function asked(client: Client, body: object) {
  const inference = DIALECTS[client].read(JSON.stringify({ model: "m", ...body }));
  return { inference, translator: translatorFor(client, "cohere")! };
}
const written = (client: Client, body: object, model = "command-a-03-2025") => {
  const { inference, translator } = asked(client, body);
  return JSON.parse(translator.forward(inference, route(model)) as string);
};
const leftOut = (client: Client, body: object, model: string) => {
  const { inference, translator } = asked(client, body);
  return translator.leftOut!(inference, route(model));
};

const HELLO = [{ role: "user", content: "Hello" }];
const WEATHER = { type: "object", properties: { city: { type: "string" } } };
const TOOLS = ["weather", "time"].map((name) => ({
  type: "function",
  function: { name, description: "Tells it.", parameters: WEATHER },
}));

describe("a request as /v2/chat has it", () => {
  test("of a chat client, with everything in it", () => {
    const picture = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } };
    const sealed = (text: string) => [
      { type: "reasoning.text", format: "gw-v1", text, signature: "gw:reasoning_content" },
    ];
    const calls = [{ id: "a", type: "function", function: { name: "weather", arguments: "{}" } }];
    const body = written("chat", {
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: [{ type: "text", text: "What is this?" }, picture] },
        { role: "assistant", content: null, reasoning_details: sealed("I will ask."), tool_calls: calls },
        { role: "tool", tool_call_id: "a", content: "sunny" },
        { role: "assistant", content: "Sunny.", reasoning_details: sealed("Done.") },
        { role: "user", content: "And there?" },
      ],
      tools: TOOLS,
      tool_choice: "required",
      max_tokens: 100,
      temperature: 0.5,
      top_p: 1,
      stop: ["END"],
      stream: true,
    });
    expect(body).toEqual({
      model: "command-a-03-2025",
      stream: true,
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: [{ type: "text", text: "What is this?" }, picture] },
        { role: "assistant", tool_plan: "I will ask.", tool_calls: calls },
        { role: "tool", tool_call_id: "a", content: "sunny" },
        { role: "assistant", content: "Sunny." },
        { role: "user", content: "And there?" },
      ],
      tools: TOOLS,
      tool_choice: "REQUIRED",
      max_tokens: 100,
      temperature: 0.5,
      p: 0.99,
      stop_sequences: ["END"],
    });
  });

  test("of a messages client, whose thoughts before a call go back as its plan", () => {
    const body = written("messages", {
      max_tokens: 50,
      top_k: 900,
      messages: [
        ...HELLO,
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "I will ask.", signature: "gw:reasoning_content" },
            { type: "tool_use", id: "t1", name: "weather", input: { city: "Rome" } },
          ],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", is_error: true, content: "broken" }] },
      ],
      tools: [{ name: "weather", input_schema: WEATHER }],
    });
    expect(body).toMatchObject({ stream: false, max_tokens: 50, k: 500 });
    expect(body.messages.slice(1)).toEqual([
      {
        role: "assistant",
        tool_plan: "I will ask.",
        tool_calls: [{ id: "t1", type: "function", function: { name: "weather", arguments: '{"city":"Rome"}' } }],
      },
      { role: "tool", tool_call_id: "t1", content: "Error: broken" },
    ]);
  });

  test("a certain tool is forced by offering no other, and none may be called at all", () => {
    const named = { type: "function", function: { name: "time" } };
    expect(written("chat", { messages: HELLO, tools: TOOLS, tool_choice: named })).toMatchObject({
      tools: [TOOLS[1]],
      tool_choice: "REQUIRED",
    });
    expect(written("chat", { messages: HELLO, tools: TOOLS, tool_choice: "none" }).tool_choice).toBe("NONE");
    expect(written("chat", { messages: HELLO, tools: TOOLS, tool_choice: "auto" }).tool_choice).toBeUndefined();
  });

  test("thinks as much as is asked where the model knows how, and says where it does not", () => {
    const thinkingOf = (body: object, model: string) => written("chat", { messages: HELLO, ...body }, model).thinking;
    const model = "command-a-reasoning-08-2025";
    expect(thinkingOf({ reasoning_effort: "none" }, model)).toEqual({ type: "disabled" });
    expect(thinkingOf({ reasoning_effort: "low" }, model)).toEqual({ type: "enabled", token_budget: 1_024 });
    expect(thinkingOf({ reasoning_effort: "high" }, model)).toEqual({ type: "enabled" });
    expect(thinkingOf({ reasoning_effort: "high" }, "command-a-03-2025")).toBeUndefined();
    expect(
      leftOut("chat", { messages: HELLO, reasoning_effort: "low", user: "ann", seed: 1 }, "command-a-03-2025"),
    ).toEqual(expect.arrayContaining(["user", "reasoning_effort", "seed"]));
  });

  test("structured output is a schema, which its supplier takes without tools only", () => {
    const response_format = { type: "json_schema", json_schema: { name: "out", schema: WEATHER } };
    expect(written("chat", { messages: HELLO, response_format }).response_format).toEqual({
      type: "json_object",
      json_schema: WEATHER,
    });
    const bounded = { ...WEATHER, properties: { city: { type: "string", maxLength: 20 } } };
    expect(
      written("chat", {
        messages: HELLO,
        response_format: { type: "json_schema", json_schema: { name: "out", schema: bounded } },
      }).response_format.json_schema.properties,
    ).toEqual({ city: { type: "string", description: "{maxLength: 20}" } });
    const besideTools = written("chat", { messages: HELLO, response_format, tools: TOOLS });
    expect(besideTools).not.toHaveProperty("response_format");
    expect(besideTools.messages[0]).toMatchObject({ role: "system", content: expect.stringContaining("JSON schema") });
  });

  test.each([
    [
      "a file",
      {
        messages: [
          { role: "user", content: [{ type: "file", file: { file_data: "data:application/pdf;base64,JVBERg==" } }] },
        ],
      },
    ],
    ["six stop sequences", { messages: HELLO, stop: ["1", "2", "3", "4", "5", "6"] }],
  ])("of what would lose a meaning is refused: %s", (_name, body) => {
    expect(() => written("chat", body)).toThrow(expect.objectContaining({ code: "unsupported_parameter" }));
  });
});

const USAGE = {
  billed_units: { input_tokens: 40, output_tokens: 7 },
  tokens: { input_tokens: 110, output_tokens: 9 },
  cached_tokens: 30,
};
const CALL = { id: "weather_1", type: "function", function: { name: "weather", arguments: '{"city":"Rome"}' } };
const PLANNED = {
  id: "c1",
  finish_reason: "TOOL_CALL",
  message: { role: "assistant", tool_plan: "I will ask.", tool_calls: [CALL], citations: [] },
  usage: USAGE,
};

describe("an answer of /v2/chat", () => {
  const read = (client: Client, wire: object) => {
    const more = client === "messages" ? { max_tokens: 9 } : {};
    const { inference, translator } = asked(
      client,
      client === "responses" ? { input: "Hi" } : { messages: HELLO, ...more },
    );
    return translator.readAnswer(inference, Buffer.from(JSON.stringify(wire)));
  };

  test("is charged what is billed, and its plan is a thought", async () => {
    const { body, usage } = await read("chat", PLANNED);
    expect(usage).toEqual({
      inputTokens: 40,
      cachedInputTokens: 30,
      cacheWriteTokens: 0,
      outputTokens: 7,
      reasoningTokens: 0,
    });
    expect(JSON.parse(body.toString())).toMatchObject({
      id: "chatcmpl-c1",
      model: "m",
      choices: [
        {
          finish_reason: "tool_calls",
          message: { reasoning_content: "I will ask.", tool_calls: [{ id: "weather_1", function: CALL.function }] },
        },
      ],
      usage: { prompt_tokens: 40, completion_tokens: 7 },
    });
  });

  test.each([
    ["COMPLETE", "stop"],
    ["MAX_TOKENS", "length"],
    ["STOP_SEQUENCE", "stop"],
    ["SOMETHING_NEW", "stop"],
  ])("that stopped by %s says %s", async (finish_reason, finish) => {
    const message = {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm." },
        { type: "text", text: "Hi" },
      ],
    };
    const { body } = await read("chat", { id: "c1", finish_reason, message, usage: USAGE });
    const [choice] = JSON.parse(body.toString()).choices;
    expect(choice).toMatchObject({ finish_reason: finish, message: { content: "Hi", reasoning_content: "Hm." } });
  });

  test.each(["ERROR", "TIMEOUT", "ERROR_TOXIC"])("that ended by %s is a failure", async (finish_reason) => {
    await expect(async () => read("messages", { ...PLANNED, finish_reason })).rejects.toMatchObject({
      supplierCode: finish_reason,
    });
  });

  test.each(["{}", "<html>", "[]", '{"id":"c1","finish_reason":"COMPLETE"}'])(
    "that is none is a failure: %s",
    async (text) => {
      const { inference, translator } = asked("chat", { messages: HELLO });
      await expect(async () => translator.readAnswer(inference, Buffer.from(text))).rejects.toMatchObject({
        kind: "protocol",
      });
    },
  );

  test.each([
    ["with a negative count", { billed_units: { input_tokens: -1, output_tokens: 1 } }],
    ["with half a token", { billed_units: { input_tokens: 0.5, output_tokens: 1 } }],
    ["without its output", { billed_units: { input_tokens: 1 } }],
    ["of nothing", {}],
  ])("with a usage %s is estimated", async (_name, usage) => {
    expect((await read("chat", { ...PLANNED, usage })).usage).toBeNull();
  });

  test("without what is billed is charged by its tokens", async () => {
    expect((await read("chat", { ...PLANNED, usage: { tokens: USAGE.tokens } })).usage).toMatchObject({
      inputTokens: 110,
      outputTokens: 9,
    });
  });
});

const delta = (message: object) => ({ delta: { message } });
const EVENTS = [
  { type: "message-start", id: "c1", ...delta({ role: "assistant", content: [], tool_plan: "", tool_calls: [] }) },
  { type: "tool-plan-delta", ...delta({ tool_plan: "I will " }) },
  { type: "tool-plan-delta", ...delta({ tool_plan: "ask." }) },
  {
    type: "tool-call-start",
    index: 0,
    ...delta({ tool_calls: { ...CALL, function: { name: "weather", arguments: "" } } }),
  },
  { type: "tool-call-delta", index: 0, ...delta({ tool_calls: { function: { arguments: '{"city"' } } }) },
  { type: "tool-call-delta", index: 0, ...delta({ tool_calls: { function: { arguments: ':"Rome"}' } } }) },
  { type: "tool-call-end", index: 0 },
  {
    type: "tool-call-start",
    index: 1,
    ...delta({ tool_calls: { id: "t_2", type: "function", function: { name: "time" } } }),
  },
  { type: "tool-call-end", index: 1 },
  { type: "message-end", id: "c1", delta: { finish_reason: "TOOL_CALL", usage: USAGE } },
];

describe("a stream of /v2/chat", () => {
  const told = (client: Client, body: object, events: readonly object[]) => {
    const { inference, translator } = asked(client, { messages: HELLO, stream: true, ...body });
    const reader = translator.openStream(inference);
    const out = events
      .map((event) => reader.push(Buffer.from(`event: x\ndata: ${JSON.stringify(event)}\n\n`)) ?? "")
      .join("");
    return { reader, out };
  };

  test("for a messages client: the plan with its seal, and calls with their arguments", () => {
    const thinking = { type: "enabled", budget_tokens: 1_024 };
    const { reader, out } = told("messages", { max_tokens: 2_000, thinking }, EVENTS);
    expect(reader.state).toBe("finished");
    expect(reader.usage).toMatchObject({ inputTokens: 40, outputTokens: 7 });
    expect(out).toContain('"thinking":"I will "');
    expect(out).toContain('"signature":"gw:reasoning_content"');
    expect(out).toContain('"partial_json":"{\\"city\\""');
    expect(out.match(/"type":"tool_use"/g)).toHaveLength(2);
    expect(reader.terminal.toString()).toContain('"stop_reason":"tool_use"');
  });

  test("for a chat client: thoughts, text and marks of citations, which it has no place for", () => {
    const citation = { start: 0, end: 2, text: "Hi", sources: [] };
    const { reader, out } = told("chat", {}, [
      EVENTS[0]!,
      { type: "content-start", index: 0, ...delta({ content: { type: "thinking", thinking: "" } }) },
      { type: "content-delta", index: 0, ...delta({ content: { thinking: "Hm." } }) },
      { type: "content-end", index: 0 },
      { type: "content-start", index: 1, ...delta({ content: { type: "text", text: "" } }) },
      { type: "content-delta", index: 1, ...delta({ content: { text: "Hi" } }) },
      { type: "citation-start", index: 0, ...delta({ citations: citation }) },
      { type: "citation-end", index: 0 },
      { type: "content-end", index: 1 },
      { type: "message-end", delta: { finish_reason: "COMPLETE", usage: USAGE } },
    ]);
    expect(reader.outputText()).toContain("Hi");
    expect(out).toContain('"reasoning_content":"Hm."');
    expect(out).toContain('"content":"Hi"');
    expect(out).not.toContain("citation");
    expect(`${out}${reader.terminal}`).toContain('"finish_reason":"stop"');
  });

  test("that ends in an error has failed in the supplier's words, and what it cost is known", () => {
    const { reader } = told("chat", {}, [
      EVENTS[0]!,
      { type: "content-delta", index: 0, ...delta({ content: { text: "Hi" } }) },
      { type: "message-end", delta: { finish_reason: "ERROR", error: "out of memory", usage: USAGE } },
    ]);
    expect(reader.failure).toMatchObject({ code: "ERROR", message: "out of memory" });
    expect(reader.usage).toMatchObject({ outputTokens: 7 });
  });
});
