import fc from "fast-check";
import { expect, test } from "vitest";
import { AppError } from "~/errors/app-error";
import { readChat } from "../../chat/read";
import { messagesToMessages } from "../../messages";
import { readMessages } from "../../messages/read";
import { aRoute } from "../__fixtures__/streams";
import { chatToMessages, messagesToChat } from "../index";

const NAMES = [
  ...["type", "text", "content", "role", "source", "data", "media_type", "url", "title", "id", "name", "input"],
  ...["tool_use_id", "tool_call_id", "tool_calls", "function", "arguments", "image_url", "file", "file_data"],
  ...["thinking", "signature", "refusal", "parameters", "input_schema", "schema", "format", "json_schema"],
];
const KINDS = [
  ...["text", "image", "image_url", "document", "file", "tool_use", "tool_result", "thinking", "function", "custom"],
  ...["search_result", "tool_reference", "base64", "json_schema", "user", "assistant", "system", "tool", "auto", "any"],
  "data:image/png;base64,aGk=",
];
const { anything } = fc.letrec<{ anything: unknown }>((tie) => ({
  anything: fc.oneof(
    { maxDepth: 5, depthSize: "small" },
    fc.constantFrom(...KINDS, "", " ", "\ud800", "__proto__", null, true, 0, -1, 1e308, 2 ** 53),
    fc.array(tie("anything"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie("anything"), { maxKeys: 5 }),
  ),
}));
const message = fc.record(
  {
    role: fc.constantFrom("user", "assistant", "system", "tool", "developer"),
    content: anything,
    tool_calls: anything,
  },
  { requiredKeys: ["role", "content"] },
);
const body = fc.record(
  {
    messages: fc.array(message, { minLength: 1, maxLength: 3 }),
    max_tokens: fc.constantFrom(5, 50),
    system: anything,
    tools: fc.array(anything, { maxLength: 2 }),
    tool_choice: anything,
    metadata: anything,
    stop: anything,
    stop_sequences: anything,
    response_format: anything,
    output_config: anything,
    thinking: anything,
    reasoning_effort: anything,
    user: anything,
  },
  { requiredKeys: ["messages", "max_tokens"] },
);

test("every body is taken or refused, by name and never by accident", () => {
  const ways = [
    (text: string) => chatToMessages.forward(readChat(text), aRoute("messages")),
    (text: string) => messagesToChat.forward(readMessages(text), aRoute("chat")),
    (text: string) => messagesToMessages.forward(readMessages(text), aRoute("messages")),
  ];
  fc.assert(
    fc.property(body, (given) => {
      const text = JSON.stringify({ model: "m", ...given });
      for (const way of ways) {
        const problem = problemOf(() => JSON.parse(way(text) as string));
        if (problem === null) continue;
        expect(problem).toBeInstanceOf(AppError);
        expect(problem).toMatchObject({ status: 400 });
      }
    }),
    { numRuns: 3_000 },
  );
}, 60_000);

function problemOf(act: () => unknown): unknown {
  try {
    act();
    return null;
  } catch (error) {
    return error;
  }
}
