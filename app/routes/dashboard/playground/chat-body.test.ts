import { expect, test } from "vitest";
import { chatBodyOf, withoutBytes } from "./chat-body";

const call = {
  ...{ model: "m", system: "", message: "What is this?", history: null, tool: null, max_tokens: 5, temperature: null },
  image: "data:image/png;base64,iVBORw0KGgo=",
};
const contentOf = (body: Record<string, unknown>) => (body.messages as { content: unknown }[])[0]!.content;

test("a sample has the place of the picture that is sent, and not its bytes", () => {
  expect(contentOf(chatBodyOf(call))).toEqual([
    { type: "text", text: "What is this?" },
    { type: "image_url", image_url: { url: call.image } },
  ]);
  expect(contentOf(chatBodyOf({ ...call, image: withoutBytes(call.image) }))).toEqual([
    { type: "text", text: "What is this?" },
    { type: "image_url", image_url: { url: "data:image/png;base64,…" } },
  ]);
  expect(contentOf(chatBodyOf({ ...call, image: withoutBytes("") }))).toBe("What is this?");
});
