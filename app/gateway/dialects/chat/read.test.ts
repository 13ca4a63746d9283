import { expect, test } from "vitest";
import { readChat } from "./read";

const sizeOf = (more: object) =>
  readChat(JSON.stringify({ model: "m", messages: [{ role: "user", content: "hello" }], ...more })).size;

test("where the supplier looks things up itself, the length of the body is no bound for what goes in", () => {
  expect(sizeOf({ web_search_options: {}, n: 2 })).toMatchObject({ readsMore: true, hasMedia: false, maxToolUses: 2 });
  expect(sizeOf({ tools: [{ type: "web_search" }] }).readsMore).toBe(true);
  expect(sizeOf({ tools: [{ type: "function", function: { name: "f" } }, { type: "custom" }] }).readsMore).toBe(false);
  expect(sizeOf({ web_search_options: null, tools: null }).readsMore).toBe(false);
});

test("of two ceilings the higher one bounds the answer", () => {
  expect(sizeOf({ max_tokens: 5, max_completion_tokens: 900 }).maxOutputTokens).toBe(900);
  expect(sizeOf({ max_tokens: 900, max_completion_tokens: 5 }).maxOutputTokens).toBe(900);
});
