import { describe, expect, test } from "vitest";
import { readChat } from "../../chat/read";
import { chatToMessages } from "../index";

const inference = (body: object) =>
  readChat(JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }], ...body }));

describe("a whole answer of a messages-style supplier", () => {
  const body = (message: object) =>
    Buffer.from(JSON.stringify({ id: "msg_1", type: "message", role: "assistant", model: "claude-x", ...message }));
  const usage = { input_tokens: 10, cache_read_input_tokens: 4, cache_creation_input_tokens: 2, output_tokens: 7 };

  test("is a chat completion", () => {
    const content = [
      { type: "thinking", thinking: "hm", signature: "Eq==" },
      { type: "redacted_thinking", data: "x" },
      { type: "text", text: "Hello" },
      { type: "tool_use", id: "toolu_1", name: "look_up", input: {} },
    ];
    const read = chatToMessages.readAnswer(inference({}), body({ content, stop_reason: "tool_use", usage }));
    expect(JSON.parse(read.body.toString())).toEqual({
      id: "chatcmpl-msg_1",
      object: "chat.completion",
      created: expect.any(Number),
      model: "claude-x",
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: "Hello",
            refusal: null,
            reasoning_content: "hm",
            reasoning_details: [
              { type: "reasoning.text", format: "gw-v1", text: "hm", signature: "Eq==" },
              { type: "reasoning.encrypted", format: "gw-v1", data: "x" },
            ],
            tool_calls: [{ id: "toolu_1", type: "function", function: { name: "look_up", arguments: "{}" } }],
          },
          logprobs: null,
          finish_reason: "tool_calls",
        },
      ],
      usage: {
        prompt_tokens: 16,
        completion_tokens: 7,
        total_tokens: 23,
        prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
        completion_tokens_details: { reasoning_tokens: 0 },
      },
    });
    expect(read.usage).toMatchObject({ inputTokens: 16, outputTokens: 7 });
    expect(read.outputText()).toBe("hmHellolook_up{}");
  });

  test.each([
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["tool_use", "tool_calls"],
    ["refusal", "content_filter"],
    ["something_new", "stop"],
  ])("that stopped by %s finishes with %s", (stop_reason, finish_reason) => {
    const read = chatToMessages.readAnswer(
      inference({}),
      body({ content: [{ type: "text", text: "a" }], stop_reason, usage }),
    );
    expect(JSON.parse(read.body.toString()).choices[0].finish_reason).toBe(finish_reason);
  });

  test.each([
    ["", "empty"],
    ["<html>", "not JSON"],
    ['{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', "Overloaded"],
    ['{"type":"message"}', "no content"],
    ["null", "not a message"],
  ])("of %j is the supplier's failure", (text, words) => {
    expect(() => chatToMessages.readAnswer(inference({}), Buffer.from(text))).toThrow(words);
  });
});
