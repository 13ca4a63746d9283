import { describe, expect, test } from "vitest";
import { AppError } from "~/errors/app-error";
import { readChat } from "../../chat/read";
import { aRoute } from "../__fixtures__/streams";
import { chatToMessages } from "../index";

const route = aRoute("messages");
const inference = (body: object) =>
  readChat(JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }], ...body }));
const sent = (body: object) => JSON.parse(chatToMessages.forward(inference(body), route) as string);
const sentMessages = (...messages: object[]) => sent({ messages }).messages;
const call = (id: string, name: string, args = "{}") => ({ id, type: "function", function: { name, arguments: args } });
const lookUp = {
  type: "function",
  function: { name: "look_up", description: "Looks", parameters: { type: "object" } },
};

describe("the conversation", () => {
  test("leading system and developer messages become the system text, blocks stay apart", () => {
    const messages = [
      { role: "system", content: "Be kind." },
      { role: "developer", content: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }] },
      { role: "user", content: "hi" },
    ];
    expect(sent({ messages }).system).toEqual([
      { type: "text", text: "Be kind." },
      { type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } },
    ]);
    expect(sent({ messages: [messages[0], messages[2]] }).system).toBe("Be kind.");
  });

  test("a later system message keeps its place", () => {
    expect(
      sentMessages(
        { role: "user", content: "a" },
        { role: "assistant", content: "b" },
        { role: "system", content: "From now on in French." },
        { role: "user", content: "c" },
      ),
    ).toEqual([
      { role: "user", content: [{ type: "text", text: "a" }] },
      { role: "assistant", content: [{ type: "text", text: "b" }] },
      {
        role: "user",
        content: [
          { type: "text", text: "<system>\nFrom now on in French.\n</system>" },
          { type: "text", text: "c" },
        ],
      },
    ]);
  });

  test("user and assistant alternate, and empty texts leave no block", () => {
    const turns = sentMessages(
      { role: "user", content: "a" },
      { role: "user", content: [{ type: "text", text: "b" }] },
      { role: "assistant", content: "", tool_calls: [call("call_1", "look_up", "")] },
      { role: "tool", tool_call_id: "call_1", content: "" },
      { role: "user", content: "" },
      { role: "assistant", content: "done" },
      { role: "user", content: " \n" },
      { role: "user", content: "c" },
    );
    expect(turns.map(({ role }: { role: string }) => role)).toEqual(["user", "assistant", "user", "assistant", "user"]);
    expect(turns[1].content).toEqual([{ type: "tool_use", id: "call_1", name: "look_up", input: {} }]);
    expect(turns[2].content).toEqual([{ type: "tool_result", tool_use_id: "call_1" }]);
    expect(turns[4].content).toEqual([{ type: "text", text: "c" }]);
  });

  test("parallel results are one turn, in their order, ahead of the text that follows them", () => {
    const turns = sentMessages(
      { role: "user", content: "go" },
      { role: "assistant", content: null, tool_calls: [call("a", "x", '{"n":1}'), call("b", "y")] },
      { role: "tool", tool_call_id: "a", name: "x", content: "one" },
      { role: "tool", tool_call_id: "b", content: [{ type: "text", text: "two" }] },
      { role: "user", content: "and?" },
    );
    expect(turns).toHaveLength(3);
    expect(turns[1].content.map(({ input }: { input: object }) => input)).toEqual([{ n: 1 }, {}]);
    expect(turns[2].content).toEqual([
      { type: "tool_result", tool_use_id: "a", content: "one" },
      { type: "tool_result", tool_use_id: "b", content: "two" },
      { type: "text", text: "and?" },
    ]);
  });

  test("a result stands ahead of what was said before it came", () => {
    const turns = sentMessages(
      { role: "user", content: "go" },
      { role: "assistant", content: null, tool_calls: [call("a", "x")] },
      { role: "user", content: "wait" },
      { role: "tool", tool_call_id: "a", content: "one" },
    );
    expect(turns).toHaveLength(3);
    expect(turns[2].content).toEqual([
      { type: "tool_result", tool_use_id: "a", content: "one" },
      { type: "text", text: "wait" },
    ]);
  });

  test("ids are made valid, and an id that a model used twice is told apart", () => {
    const turns = sentMessages(
      { role: "user", content: "go" },
      { role: "assistant", content: null, tool_calls: [call("functions.x:0", "x")] },
      { role: "tool", tool_call_id: "functions.x:0", content: "1" },
      { role: "assistant", content: null, tool_calls: [call("functions.x:0", "x")] },
      { role: "tool", tool_call_id: "functions.x:0", content: "2" },
    );
    const [first, second] = [turns[1].content[0].id, turns[3].content[0].id];
    expect(first).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(second).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(second).not.toBe(first);
    expect([turns[2].content[0].tool_use_id, turns[4].content[0].tool_use_id]).toEqual([first, second]);
  });

  test("arguments that are no object are kept for the model to see", () => {
    const turns = sentMessages(
      { role: "user", content: "go" },
      { role: "assistant", content: null, tool_calls: [call("a", "x", '{"broken'), call("b", "x", "null")] },
      { role: "tool", tool_call_id: "a", content: "?" },
    );
    expect(turns[1].content.map(({ input }: { input: object }) => input)).toEqual([
      { invalid_arguments: '{"broken' },
      {},
    ]);
  });

  test("sealed thoughts go back, unsealed ones cannot", () => {
    const turns = sentMessages(
      { role: "user", content: "a" },
      {
        role: "assistant",
        content: "b",
        reasoning_content: "hm",
        reasoning_details: [{ type: "reasoning.text", text: "hm", signature: "Eq==" }],
      },
      { role: "user", content: "c" },
      { role: "assistant", content: "d", reasoning_content: "no seal" },
      { role: "user", content: "e" },
    );
    expect(turns[1].content[0]).toEqual({ type: "thinking", thinking: "hm", signature: "Eq==" });
    expect(JSON.stringify(turns)).not.toContain("no seal");
  });

  test("a conversation that only has system text is answered, one that the assistant begins is allowed", () => {
    const only = sent({ messages: [{ role: "system", content: "Tell a joke." }] });
    expect(only).toMatchObject({ messages: [{ role: "user", content: [{ text: "Tell a joke." }] }] });
    expect(only).not.toHaveProperty("system");
    const turns = sentMessages({ role: "assistant", content: "Hello!" }, { role: "user", content: "hi" });
    expect(turns.map(({ role }: { role: string }) => role)).toEqual(["user", "assistant", "user"]);
  });

  test("the beginning of an answer loses the white space at its end", () => {
    const turns = sentMessages({ role: "user", content: "a" }, { role: "assistant", content: "The answer is: " });
    expect(turns[1].content).toEqual([{ type: "text", text: "The answer is:" }]);
  });
});

describe("pictures and files", () => {
  const part = (given: object) => sentMessages({ role: "user", content: [given] })[0].content[0];

  test("come as data or by address", () => {
    expect(part({ type: "image_url", image_url: { url: "data:image/jpg;base64,aGk=", detail: "low" } })).toEqual({
      type: "image",
      source: { type: "base64", media_type: "image/jpeg", data: "aGk=" },
    });
    expect(part({ type: "image_url", image_url: { url: "https://example.com/a.png" } })).toEqual({
      type: "image",
      source: { type: "url", url: "https://example.com/a.png" },
    });
    expect(
      part({ type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERg==" } }),
    ).toEqual({
      type: "document",
      source: { type: "base64", media_type: "application/pdf", data: "JVBERg==" },
      title: "a.pdf",
    });
    expect(part({ type: "file", file: { filename: "a.txt", file_data: "data:text/plain;base64,aGk=" } })).toEqual({
      type: "document",
      source: { type: "text", media_type: "text/plain", data: "hi" },
      title: "a.txt",
    });
  });

  test.each([
    [{ type: "input_audio", input_audio: { data: "", format: "wav" } }, "messages[0].content[0]"],
    [{ type: "file", file: { file_id: "file-1" } }, "messages[0].content[0].file.file_id"],
    [{ type: "image_url", image_url: { url: "data:image/tiff;base64,aGk=" } }, "messages[0].content[0]"],
    [{ type: "image_url", image_url: { url: "gs://bucket/a.png" } }, "messages[0].content[0]"],
    [{ type: "file", file: { file_data: "data:application/zip;base64,aGk=" } }, "messages[0].content[0]"],
  ])("%j is refused by name", (given, param) => {
    expect(() => part(given)).toThrow(expect.objectContaining({ code: "unsupported_parameter", param }));
  });
});

describe("tools", () => {
  test("keep their whole schema", () => {
    const parameters = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: { a: { type: "string", minLength: 2, description: "x" } },
      required: ["a"],
      additionalProperties: false,
    };
    const tools = [{ type: "function", function: { name: "f", description: "d", parameters } }];
    expect(sent({ tools }).tools).toEqual([{ name: "f", description: "d", input_schema: parameters }]);
    expect(sent({ tools: [{ type: "function", function: { name: "f" } }] }).tools).toEqual([
      { name: "f", input_schema: { type: "object", properties: {} } },
    ]);
  });

  test.each([
    ["auto", undefined, { type: "auto" }],
    ["required", undefined, { type: "any" }],
    ["none", undefined, { type: "none" }],
    [{ type: "function", function: { name: "look_up" } }, undefined, { type: "tool", name: "look_up" }],
    ["required", false, { type: "any", disable_parallel_tool_use: true }],
    [undefined, false, { type: "auto", disable_parallel_tool_use: true }],
    [undefined, true, undefined],
  ])("the choice %j with parallel calls %j", (tool_choice, parallel_tool_calls, expected) => {
    expect(sent({ tools: [lookUp], tool_choice, parallel_tool_calls }).tool_choice).toEqual(expected);
  });

  test("a history with calls describes their tools even where none may be called any more", () => {
    const body = sent({
      messages: [
        { role: "user", content: "go" },
        { role: "assistant", content: null, tool_calls: [call("a", "x")] },
        { role: "tool", tool_call_id: "a", content: "1" },
      ],
    });
    expect(body.tools).toEqual([{ name: "x", input_schema: { type: "object", properties: {} } }]);
    expect(body.tool_choice).toEqual({ type: "none" });
  });

  test("names that are too long go out short and come back whole", () => {
    const name = `mcp__${"very_".repeat(20)}long`;
    const given = inference({
      tools: [{ type: "function", function: { name } }],
      tool_choice: { type: "function", function: { name } },
    });
    const body = JSON.parse(chatToMessages.forward(given, route) as string);
    expect(body.tools[0].name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(body.tool_choice.name).toBe(body.tools[0].name);
    const answer = {
      type: "message",
      id: "msg_1",
      model: "x",
      content: [{ type: "tool_use", id: "toolu_1", name: body.tools[0].name, input: { a: 1 } }],
      stop_reason: "tool_use",
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    const seen = JSON.parse(chatToMessages.readAnswer(given, Buffer.from(JSON.stringify(answer))).body.toString());
    expect(seen.choices[0].message.tool_calls[0].function).toEqual({ name, arguments: '{"a":1}' });
  });
});

describe("settings", () => {
  test("what the two dialects call differently", () => {
    const body = sent({ max_completion_tokens: 50, stop: "END", temperature: 0.4, top_p: 0.9, user: "u-1", top_k: 5 });
    expect(body).toMatchObject({
      model: "upstream-model",
      max_tokens: 50,
      stop_sequences: ["END"],
      temperature: 0.4,
      top_p: 0.9,
      top_k: 5,
      metadata: { user_id: "u-1" },
    });
    expect(sent({ stop: ["a", "b"] }).stop_sequences).toEqual(["a", "b"]);
  });

  test("the model's ceiling is sent where the client sets none, and gw's own fields never", () => {
    const body = sent({ region: "eu", metadata: { session_id: "s", note: "x" }, stream: false });
    expect(body).toEqual({
      model: "upstream-model",
      max_tokens: 4000,
      messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
    });
  });

  test("a temperature above 1 is 1, and defaults are left out", () => {
    for (const temperature of [1, 1.7, 2]) expect(sent({ temperature, top_p: 1 })).not.toHaveProperty("temperature");
    expect(sent({ temperature: 0, top_p: 1 })).toMatchObject({ temperature: 0 });
    expect(sent({ top_p: 1 })).not.toHaveProperty("top_p");
  });

  test("sampling parameters go out under the version that takes them", () => {
    expect(chatToMessages.headers?.(new Headers())).toEqual({ "anthropic-version": "2023-06-01" });
  });

  test("reasoning effort becomes thinking", () => {
    expect(sent({ reasoning_effort: "minimal" })).toMatchObject({
      thinking: { type: "adaptive", display: "summarized" },
      output_config: { effort: "low" },
    });
    expect(sent({ reasoning_effort: "none" }).thinking).toEqual({ type: "disabled" });
    const thinking = { type: "enabled", budget_tokens: 2048 };
    expect(sent({ thinking }).thinking).toEqual(thinking);
  });

  test("a JSON schema is asked for as such, with every object closed", () => {
    const schema = {
      type: "object",
      properties: { list: { type: "array", items: { type: "object", properties: {} } } },
    };
    const body = sent({
      reasoning_effort: "high",
      response_format: { type: "json_schema", json_schema: { name: "x", schema } },
    });
    expect(body.output_config).toEqual({
      effort: "high",
      format: {
        type: "json_schema",
        schema: {
          type: "object",
          properties: {
            list: { type: "array", items: { type: "object", properties: {}, additionalProperties: false } },
          },
          additionalProperties: false,
        },
      },
    });
  });

  test("a schema's objects are closed where they may be null too", () => {
    const schema = { type: "object", properties: { a: { type: ["object", "null"], properties: {} } } };
    const body = sent({ response_format: { type: "json_schema", json_schema: { name: "x", schema } } });
    expect(body.output_config.format.schema.properties.a).toHaveProperty("additionalProperties", false);
  });

  test("JSON without a schema is asked for in words", () => {
    expect(sent({ response_format: { type: "json_object" } }).system).toContain("one JSON object");
    expect(sent({ response_format: { type: "text" } })).not.toHaveProperty("system");
  });

  test("values that ask for nothing are no obstacle", () => {
    const idle = {
      ...{ n: 1, logprobs: false, top_logprobs: 0, logit_bias: {}, frequency_penalty: 0, presence_penalty: 0 },
      ...{ seed: null, store: false, modalities: ["text"], service_tier: "auto", stream_options: null },
      ...{ prompt_cache_key: "k", prediction: { type: "content", content: "x" }, tools: [], tool_choice: "auto" },
    };
    expect(sent(idle)).toEqual(sent({}));
  });

  test.each([
    [{ n: 2 }, "n"],
    [{ logprobs: true }, "logprobs"],
    [{ top_logprobs: 3 }, "top_logprobs"],
    [{ logit_bias: { 5: 1 } }, "logit_bias"],
    [{ store: true }, "store"],
    [{ modalities: ["text", "audio"] }, "modalities"],
    [{ audio: { voice: "x" } }, "audio"],
    [{ web_search_options: {} }, "web_search_options"],
    [{ functions: [{ name: "f" }] }, "functions"],
    [{ reasoning_effort: "ultra" }, "reasoning_effort"],
    [{ tools: [{ type: "custom", custom: { name: "x" } }] }, "tools[0].type"],
    [{ tools: [lookUp], tool_choice: { type: "web_search" } }, "tool_choice"],
    [{ response_format: { type: "grammar" } }, "response_format.type"],
    [{ something_new: 1 }, "something_new"],
  ])("%j is refused by name", (body, param) => {
    expect(() => sent(body)).toThrow(expect.objectContaining({ code: "unsupported_parameter", status: 400, param }));
  });

  test.each([
    [{ tools: [{ type: "function" }] }, "tools[0].function"],
    [{ messages: [{ role: "user", content: [7] }] }, "messages[0].content[0]"],
    [{ messages: [{ role: "user", content: [{ type: "text" }] }] }, "messages[0].content[0].text"],
    [{ messages: [{ role: "tool", content: "x" }] }, "messages[0].tool_call_id"],
    [{ messages: [{ role: "assistant", tool_calls: [{ id: "a" }] }] }, "messages[0].tool_calls[0].function"],
    [{ tool_choice: "required" }, "tool_choice"],
    [{ stop: [1] }, "stop[0]"],
  ])("%j is malformed, and said to be so", (body, param) => {
    expect(() => sent(body)).toThrow(expect.objectContaining({ code: "invalid_request", param }));
  });
});

test("refusals are errors of gw's catalogue", () => {
  expect(() => sent({ n: 2 })).toThrow(AppError);
});
