import { describe, expect, test } from "vitest";
import { dataIn, through } from "../../translate/__fixtures__/streams";
import { readChatAnswer } from "../answer";
import { ChatStreamReader } from "../stream";

type Json = Record<string, unknown>;

const event = (chunk: object | string) =>
  Buffer.from(`data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`);
const chunkOf = (choice: Json) => ({
  ...{ id: "c", object: "chat.completion.chunk", created: 1, model: "m" },
  choices: [{ index: 0, finish_reason: null, ...choice }],
});
const calls = (...tool_calls: Json[]) => event(chunkOf({ delta: { tool_calls } }));
const over = event(chunkOf({ delta: {}, finish_reason: "tool_calls" }));
const done = event("[DONE]");
const piece = (given: unknown, more: Json = {}, name?: string) => ({
  ...more,
  function: { ...(name === undefined ? {} : { name }), arguments: given },
});

/** Returns the calls of a stream as client libraries assemble them: by index, with texts concatenated. */
function addedUp(...pieces: Buffer[]) {
  const found: { id: string; name: string; given: string }[] = [];
  for (const { choices } of dataIn(through(new ChatStreamReader(false), [...pieces, over, done])))
    for (const { index, id, function: called } of choices[0].delta.tool_calls ?? []) {
      const call = found[index] ?? { id: "", name: "", given: "" };
      found[index] = call;
      call.id += id ?? "";
      call.name += called.name ?? "";
      call.given += called.arguments ?? "";
    }
  return found.map(({ id, name, given }) => [id, name, given]);
}

describe("a chat client puts the calls together that were meant", () => {
  const anId = expect.stringMatching(/^call_\w+$/);
  test.each<[string, Buffer[], unknown[][]]>([
    [
      "as the format has them",
      [
        calls(piece("", { index: 0, id: "a" }, "f")),
        calls(piece('{"x":', { index: 0 })),
        calls(piece("1}", { index: 0 })),
      ],
      [["a", "f", '{"x":1}']],
    ],
    [
      "without an index",
      [calls(piece('{"x":', { id: "a" }, "f")), calls(piece("1}")), calls(piece("{}", { id: "b" }, "g"))],
      [
        ["a", "f", '{"x":1}'],
        ["b", "g", "{}"],
      ],
    ],
    [
      "all at the first index",
      [
        calls(piece("", { index: 0, id: "a" }, "f")),
        calls(piece('{"x":1}', { index: 0 })),
        calls(piece("", { index: 0, id: "b" }, "f")),
        calls(piece('{"x":', { index: 0 })),
        calls(piece("2}", { index: 0 })),
      ],
      [
        ["a", "f", '{"x":1}'],
        ["b", "f", '{"x":2}'],
      ],
    ],
    [
      "two in one chunk, and then their pieces in turns",
      [
        calls(piece("", { index: 0, id: "a" }, "f"), piece("", { index: 1, id: "b" }, "g")),
        calls(piece('{"x":', { index: 0 }), piece('{"y":', { index: 1 })),
        calls(piece("2}", { index: 1 })),
        calls(piece("1}", { index: 0 })),
      ],
      [
        ["a", "f", '{"x":1}'],
        ["b", "g", '{"y":2}'],
      ],
    ],
    ["without an id", [calls(piece("{}", { index: 0 }, "f"))], [[anId, "f", "{}"]]],
    ["with an empty id", [calls(piece("{}", { index: 0, id: "" }, "f"))], [[anId, "f", "{}"]]],
    ["with an object for arguments", [calls(piece({ x: [1] }, { index: 0, id: "a" }, "f"))], [["a", "f", '{"x":[1]}']]],
    [
      "with an empty name behind the first piece",
      [calls(piece("", { index: 0, id: "a" }, "f")), calls(piece("{}", { index: 0, id: "" }, ""))],
      [["a", "f", "{}"]],
    ],
    [
      "with name and id in every piece",
      [
        calls(piece('{"x":', { index: 0, id: "a" }, "f")),
        calls(piece("1}", { index: 0, id: "a" }, "f")),
        calls(piece("", { index: 0, id: "a" }, "f")),
      ],
      [["a", "f", '{"x":1}']],
    ],
    [
      "with the name in every piece, and no id",
      [
        calls(piece('{"x":1', { index: 0 }, "f")),
        calls(piece("}", { index: 0 }, "f")),
        calls(piece("", { index: 0 }, "f")),
      ],
      [[anId, "f", '{"x":1}']],
    ],
    [
      "with a name in pieces",
      [calls(piece("", { index: 0, id: "a" }, "get_")), calls(piece("{}", { index: 0, id: "a" }, "weather"))],
      [["a", "get_weather", "{}"]],
    ],
    [
      "with an id in every piece, of which one looks like the beginning",
      [
        calls(piece("{", { index: 0, id: "a" }, "f")),
        calls(piece('"x":', { index: 0, id: "a" })),
        calls(piece("{}}", { index: 0, id: "a" })),
      ],
      [["a", "f", '{"x":{}}']],
    ],
    [
      "whole twice",
      [calls(piece('{"x":1}', { index: 0, id: "a" }, "f")), calls(piece('{"x":1}', { index: 0, id: "a" }, "f"))],
      [["a", "f", '{"x":1}']],
    ],
  ])("%s", (_name, pieces, expected) => {
    expect(addedUp(...pieces)).toEqual(expected);
  });

  test("and pieces in the right form keep every byte", () => {
    const pieces = [
      calls(piece("", { index: 0, id: "a", type: "function" }, "f")),
      calls(piece('{"tool_calls":[{"name":"x"}]}', { index: 0 })),
      calls(piece("", { index: 1, id: "b", type: "function" }, "g")),
    ];
    const reader = new ChatStreamReader(false);
    for (const bytes of pieces) expect(reader.push(bytes)?.toString()).toBe(bytes.toString());
  });

  test("with numbers as the model wrote them", () => {
    const data = `{"choices":[{"index":0,"delta":{"tool_calls":[{"function":{"name":"f","arguments":{"n":12345678901234567890}}}]}}]}`;
    const shown = new ChatStreamReader(false).push(event(data))!.toString();
    expect(dataIn(shown)[0].choices[0].delta.tool_calls[0].function.arguments).toBe('{"n":12345678901234567890}');
  });
});

test.each<[string, Json, Json]>([
  [
    "arguments as an object",
    piece({ x: 1 }, { id: "a" }, "f"),
    { id: "a", function: { name: "f", arguments: '{"x":1}' } },
  ],
  ["no id", piece("{}", {}, "f"), { id: expect.stringMatching(/^call_/), function: { name: "f", arguments: "{}" } }],
])("a whole answer with %s in its calls has what the format requires", (_name, call, expected) => {
  const answer = {
    id: "c",
    choices: [{ message: { content: null, tool_calls: [call] }, finish_reason: "tool_calls" }],
  };
  const { body } = readChatAnswer(Buffer.from(JSON.stringify(answer)));
  expect(JSON.parse(body.toString()).choices[0].message.tool_calls).toEqual([expected]);
});
