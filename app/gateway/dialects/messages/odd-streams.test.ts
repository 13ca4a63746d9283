import { expect, test } from "vitest";
import { readChat } from "../chat/read";
import { chatToMessages } from "../translate";
import { dataIn, through } from "../translate/__fixtures__/streams";

const event = (wire: { type: string }) => Buffer.from(`event: ${wire.type}\ndata: ${JSON.stringify(wire)}\n\n`);
const wire = (type: string, more: object = {}) => event({ type, ...more });
const begun = wire("message_start", { message: { id: "m", model: "m", usage: { input_tokens: 3, output_tokens: 1 } } });
const ended = [
  wire("message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: 5 } }),
  wire("message_stop"),
];
const deltasFor = (...events: Buffer[]) => {
  const chat = readChat(JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hi" }], stream: true }));
  const seen = through(chatToMessages.openStream(chat), [...events, ...ended]);
  expect(seen).toContain("[DONE]");
  return dataIn(seen).flatMap(({ choices }) => choices.map(({ delta }: { delta: object }) => delta));
};
const grows = (index: number, delta: object) => wire("content_block_delta", { index, delta });

test("texts and thoughts that no event has begun reach a chat client all the same", () => {
  const deltas = deltasFor(
    begun,
    grows(0, { type: "thinking_delta", thinking: "Hm." }),
    grows(0, { type: "signature_delta", signature: "c2VhbA==" }),
    wire("content_block_stop", { index: 0 }),
    grows(1, { type: "text_delta", text: "Two." }),
  );
  expect(deltas.map(({ reasoning_content }) => reasoning_content ?? "").join("")).toBe("Hm.");
  expect(deltas.map(({ content }) => content ?? "").join("")).toBe("Two.");
});

test.each<[string, unknown, string]>([
  ["an object", { a: 1 }, '{"a":1}'],
  ["JSON in a text", '{"a":1}', '{"a":1}'],
  ["nothing", undefined, "{}"],
  ["an empty text", "", "{}"],
])("a call that is told whole at its start has its input: %s", (_form, input, given) => {
  const block = { type: "tool_use", id: "a", name: "f", input };
  const deltas = deltasFor(
    begun,
    wire("content_block_start", { index: 0, content_block: block }),
    wire("content_block_stop", { index: 0 }),
  );
  const calls = deltas.flatMap(({ tool_calls = [] }) => tool_calls);
  expect(calls.map((call: { function: { arguments?: string } }) => call.function.arguments ?? "").join("")).toBe(given);
});
