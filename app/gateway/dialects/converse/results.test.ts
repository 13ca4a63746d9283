import { expect, test } from "vitest";
import type { Route } from "~/domain/catalogue/shared";
import { messagesDialect } from "../messages";
import { translatorFor } from "../translators";

const CLAUDE = "global.anthropic.claude-sonnet-4-5-20250929-v1:0";
const HELLO = [{ role: "user", content: "Hello" }];

/** Translates a messages request to Converse. */
function written(body: object, model = CLAUDE) {
  const route = { upstreamModel: model, supplier: { kind: "bedrock" }, model: { maxOutputTokens: 500 } } as Route;
  const inference = messagesDialect.read(JSON.stringify({ model: "m", ...body }));
  return JSON.parse(translatorFor("messages", "converse")!.forward(inference, route) as string);
}

test.each([
  ["us.openai.gpt-5.6-sol", ["toolResult", "toolResult", "text", "image", "text", "image", "text"]],
  ["us.amazon.nova-2-lite-v1:0", ["toolResult", "toolResult", "text"]],
  [CLAUDE, ["toolResult", "toolResult", "text"]],
])("pictures of results stand where %s takes them", (model, expected) => {
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } };
  const use = (id: string) => ({ type: "tool_use", id, name: "look", input: {} });
  const result = (tool_use_id: string, content: object[]) => ({ type: "tool_result", tool_use_id, content });
  const messages = [
    ...HELLO,
    { role: "assistant", content: [use("a"), use("b")] },
    {
      role: "user",
      content: [
        result("a", [{ type: "text", text: "Here:" }, image]),
        result("b", [image]),
        { type: "text", text: "Well?" },
      ],
    },
  ];
  const blocks: Record<string, { content: object[] }>[] = written({ messages, max_tokens: 9 }, model).messages[2]
    .content;
  expect(blocks.map((block) => Object.keys(block)[0])).toEqual(expected);
  const inResults = blocks.slice(0, 2).map(({ toolResult }) => toolResult!.content);
  if (expected.length === 3)
    expect(inResults.flatMap((content) => content.map((each) => Object.keys(each)[0]))).toEqual([
      "text",
      "image",
      "image",
    ]);
  else {
    expect(inResults).toEqual([[{ text: "Here:" }], [{ text: "(The result follows below.)" }]]);
    expect(blocks[2]).toEqual({ text: "From the result of a:" });
  }
});

test("marks for the cache become points behind a call, behind a result with a marked block, and at the end of the request", () => {
  const mark = { cache_control: { type: "ephemeral" } };
  const content = [{ type: "text", text: "x", ...mark }];
  const { messages } = written({
    max_tokens: 100,
    cache_control: { type: "ephemeral", ttl: "1h" },
    messages: [
      ...HELLO,
      { role: "assistant", content: [{ type: "tool_use", id: "a", name: "look", input: {}, ...mark }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content }] },
      { role: "user", content: [{ type: "text", text: "y" }] },
    ],
  });
  const point = { cachePoint: { type: "default" } };
  expect(messages[1].content.at(-1)).toEqual(point);
  expect(messages[2].content).toEqual([
    expect.objectContaining({ toolResult: expect.anything() }),
    point,
    { text: "y" },
    { cachePoint: { type: "default", ttl: "1h" } },
  ]);
});
