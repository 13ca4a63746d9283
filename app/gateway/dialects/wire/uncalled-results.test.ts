import { describe, expect, test } from "vitest";
import { readChat } from "../chat/read";
import { readMessages } from "../messages/read";
import { readResponses } from "../responses/read";
import { parsedConversation } from "../translate/parsed-conversation";
import { refuseUncalled } from "./uncalled-results";

const responses = (input: unknown[]) => readResponses(JSON.stringify({ model: "m", input }));
const messages = (list: unknown[], more: object = {}) =>
  readMessages(JSON.stringify({ model: "m", max_tokens: 5, messages: list, ...more }));

const user = { role: "user", content: "hi" };
const refusal = (param: string, words: string) =>
  expect.objectContaining({ code: "invalid_request", status: 400, param, humanMessage: words });

describe("the result of a call that is not there is refused, by its id", () => {
  test.each([
    ["function_call", "function call"],
    ["custom_tool_call", "custom tool call"],
    ["local_shell_call", "local shell call"],
    ["apply_patch_call", "apply patch call"],
  ])("in responses: %s", (type, words) => {
    const result = { type: `${type}_output`, call_id: "call_lost", output: "x" };
    const lost = refusal("input", `No tool call found for ${words} output with call_id call_lost.`);
    expect(() => refuseUncalled(responses([user, result]))).toThrow(lost);
    expect(() => refuseUncalled(responses([{ type, call_id: "call_other" }, result]))).toThrow(lost);
    expect(() => refuseUncalled(responses([result, { type, call_id: "call_lost" }]))).toThrow(lost);
    expect(() => refuseUncalled(responses([{ type, call_id: "call_lost" }, user, result]))).not.toThrow();
  });

  test("in messages", () => {
    const use = { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "f", input: {} }] };
    const result = {
      role: "user",
      content: [
        { type: "text", text: "x" },
        { type: "tool_result", tool_use_id: "toolu_1" },
      ],
    };
    expect(() => refuseUncalled(messages([result]))).toThrow(
      refusal("messages[0].content[1]", "No tool call found for tool_result with tool_use_id toolu_1."),
    );
    expect(() => refuseUncalled(messages([user, use, result]))).not.toThrow();
    expect(() =>
      refuseUncalled(messages([result], { thread: { type: "continue", previous_message_id: "m" } })),
    ).not.toThrow();
  });

  test("in chat where it is translated; as it is its supplier decides", () => {
    const tool = { role: "tool", tool_call_id: "call_lost", content: "x" };
    const lost = readChat(JSON.stringify({ model: "m", messages: [user, tool] }));
    expect(() => refuseUncalled(lost)).not.toThrow();
    expect(() => parsedConversation(lost)).toThrow(
      refusal("messages[1].tool_call_id", "No tool call found for tool message with tool_call_id call_lost."),
    );
  });

  test("unless the beginning is compacted, where it may be", () => {
    const result = { type: "function_call_output", call_id: "call_lost", output: "x" };
    expect(() => refuseUncalled(responses([{ type: "compaction", encrypted_content: "e" }, result]))).not.toThrow();
    const compacted = { role: "assistant", content: [{ type: "compaction", content: "before" }] };
    const late = { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1" }] };
    expect(() => refuseUncalled(messages([compacted, late]))).not.toThrow();
  });
});

test("system text between a call and its results goes behind the results, wherever they are translated to", () => {
  const system = { role: "system", content: "Be brief." };
  const rolesOf = (list: unknown[]) => parsedConversation(messages(list)).conversation.turns.map(({ role }) => role);
  const use = { role: "assistant", content: [{ type: "tool_use", id: "t", name: "f", input: {} }] };
  const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "x" }] };
  expect(rolesOf([user, use, system, result, use])).toEqual(["user", "assistant", "user", "system", "assistant"]);
  expect(rolesOf([user, use, result, system, user])).toEqual(["user", "assistant", "user", "system", "user"]);
  expect(rolesOf([user, system, user])).toEqual(["user", "system", "user"]);
  const chat = readChat(
    JSON.stringify({
      model: "m",
      messages: [
        user,
        {
          role: "assistant",
          content: null,
          tool_calls: ["a", "b"].map((id) => ({ id, type: "function", function: { name: "f", arguments: "{}" } })),
        },
        { role: "tool", tool_call_id: "a", content: "1" },
        system,
        { role: "tool", tool_call_id: "b", content: "2" },
        user,
      ],
    }),
  );
  expect(parsedConversation(chat).conversation.turns.map(({ role }) => role)).toEqual([
    ...["user", "assistant", "user", "system", "user"],
  ]);
});
