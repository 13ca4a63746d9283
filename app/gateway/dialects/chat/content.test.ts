import { expect, test } from "vitest";
import { contentPieces } from "./content";

test.each<[string, unknown, [kind: string, text: string][]]>([
  ["a text", "a", [["text", "a"]]],
  [
    "texts in parts",
    [
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ],
    [
      ["text", "a"],
      ["text", "b"],
    ],
  ],
  [
    "parts of another name",
    [{ type: "output_text", text: "a" }, { text: "b" }],
    [
      ["text", "a"],
      ["text", "b"],
    ],
  ],
  [
    "texts in a list",
    ["a", "b"],
    [
      ["text", "a"],
      ["text", "b"],
    ],
  ],
  ["a refusal", [{ type: "refusal", refusal: "No." }], [["text", "No."]]],
  ["a thought as parts", [{ type: "thinking", thinking: [{ type: "text", text: "Hm." }] }], [["thinking", "Hm."]]],
  [
    "a thought as a text",
    [
      { type: "thinking", thinking: "Hm." },
      { type: "text", text: "a" },
    ],
    [
      ["thinking", "Hm."],
      ["text", "a"],
    ],
  ],
  ["references and the like", [{ type: "reference", reference_ids: [1] }, null, 7], []],
  ["nothing", null, []],
])("the content of an answer is read as %s", (_form, content, expected) => {
  expect(contentPieces(content).map(({ kind, text }) => [kind, text])).toEqual(expected);
});
