import { describe, expect, test } from "vitest";
import { chatViolations, messagesViolations, nativeViolations } from "../support/stream-grammar";

const event = (data: { type: string; [more: string]: unknown }) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const message = { id: "msg_1", type: "message", role: "assistant", model: "x", content: [] };
const start = event({ type: "message_start", message: { ...message, usage: { input_tokens: 1, output_tokens: 1 } } });
const open = (index: number, content_block: object = { type: "text", text: "" }) =>
  event({ type: "content_block_start", index, content_block });
const text = (index: number) => event({ type: "content_block_delta", index, delta: { type: "text_delta", text: "a" } });
const json = (index: number, partial_json: string) =>
  event({ type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json } });
const close = (index: number) => event({ type: "content_block_stop", index });
const totals = (stop_reason = "end_turn") =>
  event({ type: "message_delta", delta: { stop_reason }, usage: { output_tokens: 3 } });
const stop = event({ type: "message_stop" });
const error = event({ type: "error", error: { type: "api_error", message: "broken" } });
const tool = { type: "tool_use", id: "toolu_1", name: "look", input: {} };
const good = [start, open(0), text(0), close(0), totals(), stop];

describe("the messages grammar", () => {
  test("accepts whole streams, broken ones that say so, pings and comments", () => {
    expect(messagesViolations(good.join(""))).toEqual([]);
    expect(messagesViolations([": hi\n\n", start, event({ type: "ping" }), open(0), text(0), error].join(""))).toEqual(
      [],
    );
    const call = [start, open(0, tool), json(0, '{"a":'), json(0, "1}"), close(0), totals("tool_use"), stop];
    expect(messagesViolations(call.join(""))).toEqual([]);
  });

  test.each([
    ["no end", good.slice(0, -1)],
    ["an end behind an error", [...good.slice(0, 3), error, stop]],
    ["an event behind the end", [...good, text(0)]],
    ["two open blocks", [start, open(0), open(1), close(1), close(0), totals(), stop]],
    ["a wrong index", [start, open(1), text(1), close(1), totals(), stop]],
    ["a delta of another kind", [start, open(0), json(0, "{}"), close(0), totals(), stop]],
    ["a delta for a closed block", [start, open(0), close(0), text(0), totals(), stop]],
    ["arguments that are broken", [start, open(0, tool), json(0, '{"a'), close(0), totals("tool_use"), stop]],
    ["an id that is not plain", [start, open(0, { ...tool, id: "a:b" }), close(0), totals("tool_use"), stop]],
    ["an end without totals", [start, open(0), text(0), close(0), stop]],
    ["totals while a block is open", [start, open(0), text(0), totals(), stop]],
    ["a second stop reason", [...good.slice(0, -1), totals(), stop]],
    ["tool_use without a tool", [start, open(0), text(0), close(0), totals("tool_use"), stop]],
    ["a missing name", [start.replace(/event: .*\n/, ""), ...good.slice(1)]],
    ["a missing blank line", [...good.slice(0, -1), stop.trimEnd()]],
    ["nothing at all", []],
  ])("finds %s", (_name, events) => {
    expect(messagesViolations(events.join(""))).not.toEqual([]);
  });
});

const chunk = (delta: object | null, finish_reason: string | null = null, more: object = {}) =>
  `data: ${JSON.stringify({
    id: "c",
    object: "chat.completion.chunk",
    choices: delta === null ? [] : [{ index: 0, delta, finish_reason }],
    ...more,
  })}\n\n`;
const usage = chunk(null, null, { usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } });
const done = "data: [DONE]\n\n";
const call = (index: number, more: object) => chunk({ tool_calls: [{ index, ...more }] });
const begun = { id: "call_1", type: "function", function: { name: "look", arguments: "" } };

describe("the chat grammar", () => {
  test("accepts whole streams and broken ones that say so", () => {
    expect(chatViolations([chunk({ content: "a" }), chunk({}, "stop"), done].join(""))).toEqual([]);
    expect(
      chatViolations([chunk({ content: "a" }), chunk({}, "stop"), usage, done].join(""), { asksUsage: true }),
    ).toEqual([]);
    const failed = `data: ${JSON.stringify({ error: { code: "stream_error", message: "broken" } })}\n\n`;
    expect(chatViolations([chunk({ content: "a" }), failed].join(""))).toEqual([]);
    const calls = [call(0, begun), call(0, { function: { arguments: "{}" } }), chunk({}, "tool_calls"), done];
    expect(chatViolations(calls.join(""))).toEqual([]);
  });

  test.each([
    ["no end", [chunk({ content: "a" }), chunk({}, "stop")]],
    ["no finish reason", [chunk({ content: "a" }), done]],
    ["two finish reasons", [chunk({}, "stop"), chunk({}, "stop"), done]],
    ["content behind the finish reason", [chunk({}, "stop"), chunk({ content: "a" }), done]],
    ["usage that nobody asked for", [chunk({}, "stop"), usage, done]],
    ["an event behind the end", [chunk({}, "stop"), done, done]],
    ["a success behind an error", ['data: {"error":{"code":"x","message":"y"}}\n\n', done]],
    [
      "a tool call without a name",
      [call(0, { id: "a", function: { arguments: "{}" } }), chunk({}, "tool_calls"), done],
    ],
    ["a tool call out of line", [call(1, begun), chunk({}, "tool_calls"), done]],
    ["arguments that are broken", [call(0, begun), chunk({}, "tool_calls"), done]],
    ["tool_calls without a call", [chunk({}, "tool_calls"), done]],
    ["an end without an answer", [done]],
  ])("finds %s", (_name, events) => {
    expect(chatViolations(events.join(""))).not.toEqual([]);
  });

  test("finds that usage is missing where it was asked for", () => {
    expect(chatViolations([chunk({}, "stop"), done].join(""), { asksUsage: true })).not.toEqual([]);
  });
});

const item = { type: "message", role: "assistant", content: [] };
const created = event({ type: "response.created", response: { status: "in_progress" } });
const added = event({ type: "response.output_item.added", output_index: 0, item });
const grown = event({ type: "response.output_text.delta", output_index: 0, delta: "a" });
const itemDone = event({ type: "response.output_item.done", output_index: 0, item });
const completed = event({
  type: "response.completed",
  response: { status: "completed", usage: { input_tokens: 1, output_tokens: 2 } },
});
const failed = event({
  type: "response.failed",
  response: { status: "failed", error: { code: "stream_error", message: "broken" } },
});

describe("the native agents' grammar", () => {
  test("accepts whole streams, the least of them, unknown events, and broken ones that say so", () => {
    expect(nativeViolations([created, added, grown, itemDone, completed].join(""))).toEqual([]);
    expect(nativeViolations([itemDone, completed].join(""))).toEqual([]);
    expect(nativeViolations([created, event({ type: "codex.rate_limits" }), completed].join(""))).toEqual([]);
    expect(nativeViolations([created, added, grown, failed].join(""))).toEqual([]);
  });

  test.each([
    ["no end", [created, added, grown, itemDone]],
    ["two ends", [created, completed, completed]],
    ["a success behind an error", [created, failed, completed]],
    ["an error that agents do not know", [created, error, failed]],
    ["a delta of nothing", [created, grown, completed]],
    ["an item that stays open", [created, added, completed]],
    ["an item twice", [created, added, itemDone, itemDone, completed]],
    ["another name", [created.replace("event: response.created", "event: x"), completed]],
    ["a status that does not fit", [created, completed.replace('"completed",', '"failed",')]],
    [
      "numbers that do not count up",
      [1, 1].map((sequence_number) => event({ type: "x", sequence_number })).concat(completed),
    ],
    ["nothing at all", []],
  ])("finds %s", (_name, events) => {
    expect(nativeViolations(events.join(""))).not.toEqual([]);
  });
});
