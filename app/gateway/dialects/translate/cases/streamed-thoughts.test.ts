import { expect, test } from "vitest";
import { readMessages } from "../../messages/read";
import { translatorFor } from "../../translators";
import { sealThought } from "../../wire/thoughts/sealed-thoughts";
import { dataIn, through } from "../__fixtures__/streams";

// biome-ignore lint/suspicious/noExplicitAny: events of any shape, looked at by assertions only
type Json = Record<string, any>;

const chunk = (delta: Json, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: "c", model: "up", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const call = (index: number, more: Json = {}) => ({
  tool_calls: [{ index, id: `call_${index}`, type: "function", function: { name: "look", arguments: "{}" }, ...more }],
});
const signed = (thought_signature: string) => ({ extra_content: { google: { thought_signature } } });
const use = (index: number) => ({ type: "tool_use", id: `call_${index}`, name: "look", input: {} });
const thinking = (words: string, signature: string) => ({ type: "thinking", thinking: words, signature });
const hidden = (words: string, seal: string) => ({ type: "redacted_thinking", data: sealThought(words, seal) });
const told = (words: string | number) => ({
  type: "reasoning.text",
  text: words,
  format: "google-gemini-v1",
  index: 0,
});
const ENCRYPTED = { type: "reasoning.encrypted", data: "R0VN", format: "google-gemini-v1", id: "call_0", index: 0 };
const sealOf = (details: Json[]) => `gw:details:${JSON.stringify(details)}`;
const text = (words: string) => ({ type: "text", text: words });
const gemini = (part: Json, more: Json = {}) =>
  `data: ${JSON.stringify({ candidates: [{ content: { parts: [part] }, ...more }], usageMetadata: { promptTokenCount: 1 } })}\n\n`;
const bedrock = (type: string, body: Json) => `event: ${type}\ndata: ${JSON.stringify(body)}\n\n`;

/** A supplier's stream, and the final blocks of a messages client with and without a request for thinking. */
const STREAMS: [
  name: string,
  wire: "chat" | "gemini" | "converse",
  stream: string,
  shown: object[],
  plain: object[],
][] = [
  [
    "a thought in two pieces, a text and two calls",
    "chat",
    chunk({ reasoning_content: "H" }) +
      chunk({ reasoning_content: "m." }) +
      chunk({ content: "Hi" }) +
      chunk(call(0)) +
      chunk(call(1)) +
      chunk({}, "tool_calls"),
    [thinking("Hm.", "gw:reasoning_content"), text("Hi"), use(0), use(1)],
    [text("Hi"), hidden("Hm.", "gw:reasoning_content"), use(0), use(1)],
  ],
  [
    "calls of which the first is signed",
    "chat",
    chunk(call(0, signed("R0VN"))) + chunk(call(1)) + chunk({}, "tool_calls"),
    [thinking("", "gw:gemini:R0VN"), use(0), use(1)],
    [hidden("", "gw:gemini:R0VN"), use(0), use(1)],
  ],
  [
    "a thought and a signed call",
    "chat",
    chunk({ reasoning: "Hm." }) + chunk(call(0, signed("R0VN"))) + chunk({}, "tool_calls"),
    [thinking("Hm.", "gw:reasoning"), thinking("", "gw:gemini:R0VN"), use(0)],
    [hidden("Hm.", "gw:reasoning"), hidden("", "gw:gemini:R0VN"), use(0)],
  ],
  [
    "a thought told in details, one of them beside its call",
    "chat",
    chunk({ reasoning: "H", reasoning_details: [{ ...told("H"), id: "r" }] }) +
      chunk({ reasoning: "m.", reasoning_details: [told("m.")] }) +
      chunk({ ...call(0), reasoning_details: [ENCRYPTED] }) +
      chunk(call(1)) +
      chunk({}, "tool_calls"),
    [thinking("Hm.", sealOf([{ ...told(0), id: "r" }, ENCRYPTED])), use(0), use(1)],
    [hidden("Hm.", sealOf([{ ...told(0), id: "r" }, ENCRYPTED])), use(0), use(1)],
  ],
  [
    "details alone, the last of them behind the calls",
    "chat",
    chunk({ reasoning_details: [{ ...ENCRYPTED, index: 1 }] }) +
      chunk(call(0)) +
      chunk({ reasoning_details: [ENCRYPTED] }) +
      chunk(call(1)) +
      chunk({}, "tool_calls"),
    [thinking("", sealOf([{ ...ENCRYPTED, index: 1 }])), use(0), use(1), thinking("", sealOf([ENCRYPTED]))],
    [hidden("", sealOf([{ ...ENCRYPTED, index: 1 }])), use(0), use(1), hidden("", sealOf([ENCRYPTED]))],
  ],
  [
    "a thought without a seal",
    "chat",
    chunk({ content: [{ type: "thinking", thinking: [text("Hm.")] }] }) + chunk({ content: "Hi" }) + chunk({}, "stop"),
    [thinking("Hm.", "gw:none"), text("Hi")],
    [text("Hi")],
  ],
  [
    "two signed calls of Gemini's",
    "gemini",
    gemini({ functionCall: { name: "look", args: {}, id: "call_0" }, thoughtSignature: "R0VN" }) +
      gemini(
        { functionCall: { name: "look", args: {}, id: "call_1" }, thoughtSignature: "R0VO" },
        { finishReason: "STOP" },
      ),
    [thinking("", "gw:gemini:R0VN"), use(0), thinking("", "gw:gemini:R0VO"), use(1)],
    [hidden("", "gw:gemini:R0VN"), use(0), hidden("", "gw:gemini:R0VO"), use(1)],
  ],
  [
    "a thought that is sealed whole",
    "converse",
    bedrock("contentBlockDelta", { contentBlockIndex: 0, delta: { reasoningContent: { redactedContent: "UkVE" } } }) +
      bedrock("contentBlockStop", { contentBlockIndex: 0 }) +
      bedrock("contentBlockStart", {
        contentBlockIndex: 1,
        start: { toolUse: { toolUseId: "call_0", name: "look" } },
      }) +
      bedrock("contentBlockStop", { contentBlockIndex: 1 }) +
      bedrock("messageStop", { stopReason: "tool_use" }) +
      bedrock("metadata", { usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } }),
    [{ type: "redacted_thinking", data: "UkVE" }, use(0)],
    [{ type: "redacted_thinking", data: "UkVE" }, use(0)],
  ],
];

test.each(STREAMS)("%s, streamed by a %s supplier", (_name, wire, stream, shown, plain) => {
  for (const [more, blocks] of [
    [{ thinking: { type: "enabled", budget_tokens: 1_024 } }, shown],
    [{}, plain],
  ] as const) {
    const body = { model: "m", max_tokens: 2_000, stream: true, messages: [{ role: "user", content: "hi" }], ...more };
    const inference = readMessages(JSON.stringify(body));
    const ended = wire === "chat" ? `${stream}data: [DONE]\n\n` : stream;
    const seen = through(translatorFor("messages", wire)!.openStream(inference), [Buffer.from(ended)]);
    expect(seen).toContain("message_stop");
    expect(assembled(seen)).toEqual(blocks);
  }
});

/** Returns the blocks as the official SDK assembles them. */
function assembled(seen: string): Json[] {
  const blocks: Json[] = [];
  const inputs: string[] = [];
  for (const { type, index, content_block, delta } of dataIn(seen)) {
    if (type === "content_block_start") blocks[index] = { ...content_block };
    if (type !== "content_block_delta") continue;
    const block = blocks[index]!;
    if (delta.type === "text_delta") block.text += delta.text;
    if (delta.type === "thinking_delta") block.thinking += delta.thinking;
    if (delta.type === "signature_delta") block.signature = delta.signature;
    if (delta.type === "input_json_delta") inputs[index] = (inputs[index] ?? "") + delta.partial_json;
  }
  return blocks.map((block, index) =>
    inputs[index] === undefined ? block : { ...block, input: JSON.parse(inputs[index]) },
  );
}
