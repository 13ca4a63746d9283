import { expect, test } from "vitest";
import { textsIn } from "./texts";

const found = (value: unknown): string[] => textsIn(value).map(({ text }) => text);
const hides = (value: unknown): boolean => !found(value).some((text) => text.includes("forbidden"));
const base64 = (text: string) => Buffer.from(text).toString("base64");
/** Repeated beginning of a PNG file: bytes that are not text. */
const PICTURE = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex").toString("base64").slice(0, 20);
const BYTES = PICTURE.repeat(10);
/** Base64 letters that do not decode to text. */
const LETTERS = `${BYTES}forbiddenabc`;

test.each([
  ["a message", { role: "user", content: "data:,this is forbidden" }],
  ["a part of one", { content: [{ type: "text", text: "data:text/plain,forbidden" }] }],
  ["an address with a text in it", { image_url: { url: "data:,forbidden" } }],
  ["an address whose text is escaped", { image_url: "data:text/plain,for%62idden" }],
  ["an address whose text is in base64", { url: `data:text/plain;base64,${base64("so forbidden")}` }],
  [
    "a file that is a text",
    { file: { filename: "a.txt", file_data: `data:application/x;base64,${base64("forbidden")}` } },
  ],
  ["a document that is written out", { source: { type: "text", media_type: "text/plain", data: "forbidden" } }],
  ["a text behind base64", { url: `data:image/png;base64,${BYTES}, forbidden` }],
  ["a short word where bytes are expected", { source: { type: "base64", data: "forbiddenabc" } }],
  ["letters of base64 where a text is expected", { content: LETTERS }],
  ["letters of base64 in a member of the client's own", { type: "tool_use", input: { data: LETTERS } }],
  ["letters of base64 in a document that is written out", { source: { type: "text", data: LETTERS } }],
  [
    "a document that is said to be a text, in another encoding than UTF-8",
    {
      source: {
        media_type: "text/plain",
        data: Buffer.from("größer, and forbidden".repeat(4), "latin1").toString("base64"),
      },
    },
  ],
  ["a text where bytes are expected", { source: { type: "base64", data: "this is forbidden" } }],
  ["a name with blanks", { role: "user", name: "the forbidden one", content: "hello" }],
  ["a name", { role: "user", name: "forbidden", content: "hello" }],
  ["an id with blanks", { tool_call_id: "call of the forbidden" }],
  ["a kind with blanks", { type: "a forbidden kind" }],
  ["a seal with blanks", { signature: "signed by the forbidden" }],
])("%s is looked at", (_, value) => {
  expect(hides(value)).toBe(false);
});

const SKIPPED_ELSEWHERE = [
  "name",
  "id",
  "status",
  "data",
  "format",
  "type",
  "detail",
  "model",
  "object",
  "usage",
  "logprobs",
  "url",
];
test.each(SKIPPED_ELSEWHERE)("below a tool's schema “%s” is a member of the client's own", (name) => {
  for (const [schema, holder] of [
    ["parameters", (own: object) => ({ type: "function", function: { name: "f", parameters: own } })],
    ["input_schema", (own: object) => ({ name: "f", input_schema: own })],
    [
      "schema",
      (own: object) => ({ response_format: { type: "json_schema", json_schema: { name: "f", schema: own } } }),
    ],
    ["format", (own: object) => ({ text: { format: { type: "json_schema", name: "f", schema: own } } })],
  ] as const) {
    const own = { type: "object", properties: { [name]: { type: "string", description: "forbidden" } } };
    expect(hides(holder(own)), schema).toBe(false);
    expect(hides(holder({ $defs: { [name]: "forbidden" } })), schema).toBe(false);
    expect(hides({ type: "tool_use", input: { [name]: { [name]: "forbidden" } } })).toBe(false);
  }
});

test("what a schema's members are called is a text that can be exchanged, with what stands below it", () => {
  const body = {
    parameters: { properties: { forbidden: { description: "secret" }, other: {} }, required: ["forbidden"] },
  };
  for (const { text, replace } of textsIn(body)) if (/forbidden|secret/.test(text)) replace("x");
  expect(JSON.stringify(body)).toBe(
    '{"parameters":{"properties":{"x":{"description":"x"},"other":{}},"required":["x"]}}',
  );
});

test("a member called __proto__ is exchanged like any other", () => {
  const body = JSON.parse('{"input":{"__proto__":"forbidden"}}');
  for (const { replace } of textsIn(body).filter(({ text }) => text === "forbidden")) replace("x");
  expect(JSON.stringify(body)).toBe('{"input":{"__proto__":"x"}}');
});

test("a member called __proto__ stays when the one beside it gets another name", () => {
  const body = JSON.parse('{"input":{"forbidden":1,"__proto__":{"kept":true}}}');
  for (const { replace } of textsIn(body).filter(({ text }) => text === "forbidden")) replace("x");
  expect(JSON.stringify(body)).toBe('{"input":{"x":1,"__proto__":{"kept":true}}}');
});

test("pictures, sounds, documents, ids and kinds are no texts", () => {
  expect(
    found([
      { type: "image_url", image_url: { url: `data:image/png;base64,${BYTES}`, detail: "high" } },
      { type: "input_image", image_url: `data:image/png;base64,${BYTES}` },
      { type: "image", source: { type: "base64", media_type: "image/png", data: BYTES } },
      { type: "input_audio", input_audio: { data: BYTES, format: "wav" } },
      { type: "file", file: { file_data: `data:application/pdf;base64,${BYTES}` } },
      { type: "thinking", signature: "gw:kept/by=the+gateway", id: "rs_1" },
      { type: "tool_result", tool_use_id: "toolu_01" },
      { parameters: { type: "object" } },
    ]),
  ).toEqual([]);
});

test("a text in base64 is exchanged in base64", () => {
  const body = { file_data: `data:text/plain;base64,${base64("so forbidden")}` };
  for (const { text, replace } of textsIn(body)) replace(text.replace("forbidden", "*********"));
  expect(body.file_data).toBe(`data:text/plain;base64,${base64("so *********")}`);
});

test("letters that are escaped in the arguments of a call are read, and exchanged", () => {
  const body = { function: { name: "f", arguments: '{"to":"\\u0066orbidden","n":1}' } };
  expect(hides(body)).toBe(false);
  for (const { text, replace } of textsIn(body)) if (text === "forbidden") replace("x");
  expect(body.function.arguments).toBe('{"to":"x","n":1}');
});
