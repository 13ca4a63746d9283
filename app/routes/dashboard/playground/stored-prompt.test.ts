import { expect, test } from "vitest";
import { promptOf } from "./stored-prompt";

const chat = [
  { role: "system", content: "Be brief." },
  {
    role: "user",
    content: [
      { type: "text", text: "One" },
      { type: "image_url", image_url: { url: "" } },
    ],
  },
  { role: "assistant", content: null, tool_calls: [] },
  { role: "tool", content: "4" },
  { role: "assistant", content: "Two [a][b]" },
  { role: "user", content: "Three" },
];
const read = {
  system: "Be brief.",
  message: "Three",
  turns: [
    { role: "user", content: "One" },
    { role: "assistant", content: "Two [a][b]" },
  ],
};

test("a stored chat gives its system text, its last message and the turns before it", () => {
  expect(promptOf(JSON.stringify(chat))).toEqual(read);
  const tools = [{ type: "function", function: { name: "sum", parameters: { enum: [["a"], ["b"]] } } }];
  expect(promptOf(JSON.stringify(chat) + JSON.stringify(tools))).toEqual(read);
});

test("any other text is the message", () => {
  for (const text of ["Be brief.\nHello", `…${JSON.stringify(chat).slice(9)}`, "[1, 2]", "][", ""])
    expect(promptOf(text)).toEqual({ system: "", message: text, turns: [] });
});
