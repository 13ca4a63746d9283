import { expect, test } from "vitest";
import { readResponses } from "../../responses/read";
import { responsesToChat, responsesToMessages } from "../__fixtures__/pairs";
import { aRoute } from "../__fixtures__/streams";

const ask = (more: object) => readResponses(JSON.stringify({ model: "m", input: "hi", ...more }));
const toChat = (more: object) => responsesToChat.forward(ask(more), aRoute("chat"));
const toMessages = (more: object) => responsesToMessages.forward(ask(more), aRoute("messages"));
const user = (content: unknown) => ({ role: "user", content });
const LOOK = { type: "function", name: "look", parameters: { type: "object" } };

test.each<[string, object, readonly string[]]>([
  ["nothing", { tools: [LOOK], text: { verbosity: "medium" }, truncation: "disabled" }, []],
  [
    "tools that run at a supplier",
    { tools: [LOOK, { type: "web_search" }, { type: "namespace", name: "n", tools: [] }, { type: "web_search" }] },
    ["tools.web_search"],
  ],
  [
    "fields that only tune",
    { truncation: "auto", max_tool_calls: 3, text: { verbosity: "low" } },
    ["truncation", "max_tool_calls", "text.verbosity"],
  ],
  [
    "work of a supplier's tools in an earlier answer",
    { input: [user("hi"), { type: "web_search_call", id: "ws_1", status: "completed" }] },
    ["input.web_search_call"],
  ],
])("left out and named: %s", (_name, more, expected) => {
  for (const translator of [responsesToChat, responsesToMessages]) {
    expect(translator.leftOut!(ask(more), aRoute("chat"))).toEqual(expected);
  }
});

test.each<[string, object, string]>([
  [
    "a tool that runs at a supplier, demanded",
    { tools: [{ type: "web_search" }], tool_choice: { type: "web_search" } },
    "tool_choice",
  ],
  ["any tool, of which none runs here", { tools: [{ type: "web_search" }], tool_choice: "required" }, "tool_choice"],
  ["probabilities", { top_logprobs: 2 }, "top_logprobs"],
  ["probabilities by another name", { include: ["message.output_text.logprobs"] }, "include"],
  ["a field nobody knows", { odd: 1 }, "odd"],
  ["a file by its id", { input: [user([{ type: "input_file", file_id: "file_1" }])] }, "input[0].content[0].file_id"],
  ["a picture by its id", { input: [user([{ type: "input_image", file_id: "f" }])] }, "input[0].content[0].file_id"],
  ["sound", { input: [user([{ type: "input_audio", input_audio: {} }])] }, "input[0].content[0]"],
  ["a reference", { input: [{ type: "item_reference", id: "msg_1" }] }, "input[0]"],
  ["work of a tool that ran at the client", { input: [{ type: "computer_call" }] }, "input[0].type"],
  ["a cheaper tier", { service_tier: "flex" }, "service_tier"],
  ["a dearer tier", { service_tier: "priority" }, "service_tier"],
])("refused by name: %s", (_name, more, param) => {
  for (const translate of [toChat, toMessages])
    expect(() => translate(more)).toThrow(expect.objectContaining({ code: "unsupported_parameter", param }));
});

test.each<[string, object, string, string]>([
  ["no input", { input: undefined }, "missing_fields", "input"],
  ["an empty input", { input: [] }, "invalid_request", "input"],
  ["work in the background", { background: true }, "unsupported_parameter", "background"],
  ["a conversation", { conversation: "conv_1" }, "unsupported_parameter", "conversation"],
  ["a stored prompt", { prompt: { id: "p" } }, "unsupported_parameter", "prompt"],
  ["a tier that nobody prices", { service_tier: "scale" }, "unsupported_parameter", "service_tier"],
  ["tools that are no list", { tools: {} }, "invalid_request", "tools"],
])("refused at the door: %s", (_name, more, code, param) => {
  expect(() => ask(more)).toThrow(expect.objectContaining({ code, param }));
});

test.each<[string, unknown, string]>([
  ["an item that is no object", ["x"], "input[0]"],
  ["an unknown role", [{ role: "robot", content: "x" }], "input[0].role"],
  ["a call without a name", [{ type: "function_call", call_id: "c" }], "input[0].name"],
  ["a result of no call", [{ type: "function_call_output", output: "x" }], "input[0].call_id"],
  ["a picture of no data", [user([{ type: "input_image", image_url: "data:x" }])], "input[0].content[0].image_url"],
])("malformed: %s", (_name, input, param) => {
  for (const translate of [toChat, toMessages])
    expect(() => translate({ input })).toThrow(expect.objectContaining({ code: "invalid_request", param }));
});
