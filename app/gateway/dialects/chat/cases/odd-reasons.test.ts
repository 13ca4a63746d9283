import { describe, expect, test } from "vitest";
import { dataIn, through } from "../../translate/__fixtures__/streams";
import { readChatAnswer } from "../answer";
import { isFailure, readChatStop } from "../finish-reasons";
import { ChatStreamReader } from "../stream";

const event = (chunk: object | string) =>
  Buffer.from(`data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`);
const chunk = (delta: object, finish_reason: unknown, more: object = {}) =>
  event({ id: "c", choices: [{ index: 0, delta, finish_reason }], ...more });
const TOTALS = { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 };

/** Finish reasons of suppliers, the reason for a chat client, and the stop for clients of other dialects. */
const REASONS = [
  ["stop", "stop", "end"],
  ["STOP", "stop", "end"],
  ["eos", "stop", "end"],
  ["eos_token", "stop", "end"],
  ["end", "stop", "end"],
  ["end_turn", "stop", "end"],
  ["stop_sequence", "stop", "end"],
  ["COMPLETE", "stop", "end"],
  ["a reason of next year", "stop", "end"],
  ["length", "length", "length"],
  ["MAX_TOKENS", "length", "length"],
  ["max_output_tokens", "length", "length"],
  ["model_length", "length", "length"],
  ["model_context_window_exceeded", "length", "length"],
  ["content_filter", "content_filter", "refusal"],
  ["SAFETY", "content_filter", "refusal"],
  ["PROHIBITED_CONTENT", "content_filter", "refusal"],
  ["sensitive", "content_filter", "refusal"],
  ["tool_call", "tool_calls", "end"],
  ["tool_use", "tool_calls", "end"],
] as const;

describe("a reason of a supplier's own", () => {
  test.each(REASONS)("%s is %s for a chat client, whole and streamed", (reason, known, stop) => {
    const usage = { usage: TOTALS };
    for (const shown of [
      through(new ChatStreamReader(true), [chunk({ content: "a" }, null), chunk({}, reason), event("[DONE]")]),
      through(new ChatStreamReader(true), [chunk({ content: "a" }, reason, usage), event("[DONE]")]),
      through(new ChatStreamReader(false), [chunk({ content: "a" }, reason, usage), event("[DONE]")]),
    ])
      expect(dataIn(shown).at(-1).choices[0].finish_reason).toBe(known);
    const whole = { choices: [{ index: 0, message: { content: "a" }, finish_reason: reason }] };
    const { body } = readChatAnswer(Buffer.from(JSON.stringify(whole)));
    expect(JSON.parse(body.toString()).choices[0].finish_reason).toBe(known);
    expect(readChatStop({ finish_reason: reason }, { toolCalls: false, refusal: false }, []).reason).toBe(stop);
  });

  test("every other byte stays, and so does every byte of an answer with known reasons", () => {
    const data = (reason: string) =>
      `{ "id":"c", "n":12345678901234567890,"choices":[{"delta":{"content":"\\"finish_reason\\":\\"eos\\""},"finish_reason": "${reason}","native_finish_reason":"eos"}]}`;
    for (const [given, told] of [
      ["eos", "stop"],
      ["stop", "stop"],
    ] as const)
      expect(new ChatStreamReader(true).push(event(data(given)))?.toString()).toBe(event(data(told)).toString());
  });

  test("an empty one in every chunk is none, and no end", () => {
    const reader = new ChatStreamReader(true);
    const shown = through(reader, [
      chunk({ content: "a" }, ""),
      chunk({ content: "b" }, ""),
      chunk({}, "stop"),
      event("[DONE]"),
    ]);
    expect(dataIn(shown).map(({ choices }) => choices[0].finish_reason)).toEqual([null, null, "stop"]);
    expect(reader.outputText()).toBe("ab");
  });
});

test.each([
  "abort",
  "aborted",
  "ABORT",
  "error",
  "ERROR_TOXIC",
  "network_error",
  "server_error",
  "cancelled",
  "USER_CANCEL",
  "timeout",
])("%s is a failure and no end", (reason) => {
  expect(isFailure(reason)).toBe(true);
  const reader = new ChatStreamReader(true);
  through(reader, [chunk({ content: "a" }, null), chunk({}, reason)]);
  expect(reader).toMatchObject({ state: "failed", failure: { protocol: false } });
});
