import { expect, test } from "vitest";
import { parseLongJson } from "~/http/body/json/parse-json";
import { readChat } from "../chat/read";
import { readMessages } from "../messages/read";
import { readNative } from "../native/read";
import { membersOf, parseBody } from "./body-checks";

const refused = (param: string) => expect.objectContaining({ code: "invalid_request", status: 400, param });

test.each([
  ['{"n":1,"N":128}', "n"],
  ['{"n":128,"n":1}', "n"],
  ['{"Model":"dear","model":"cheap"}', "model"],
  ['{"Service_Tier":"priority"}', "service_tier"],
  ['{"max_tokens":1,"max_to\\u212aens":100000}', "max_tokens"],
  ['{"max_token\\u017f":100000}', "max_tokens"],
  ['{"max_tokens":9,"m\\u0061x_tokens":1}', "max_tokens"],
])("what a supplier could read otherwise than gw is refused: %s", (text, param) => {
  expect(() => membersOf(text)).toThrow(refused(param));
});

test("other fields are the supplier's affair, and so is what stands deeper", () => {
  const text = '{"model":"m","topK":1,"safetySettings":{"N":1,"n":2},"X":1,"x":2,"metadata":{"Model":"y"}}';
  expect(membersOf(text).map(({ key }) => key)).toEqual(["model", "topK", "safetySettings", "X", "x", "metadata"]);
  expect(parseBody(text)).toMatchObject({ topK: 1 });
});

const TWICE = [
  '{"messages":[{"role":"user","content":"forbidden","content":"ok"}]}',
  '{"messages":[{"role":"user","c\\u006fntent":"forbidden","content":"ok"}]}',
  '{"x":1,"x":1}',
  '{"a":{"b":[[{"c":{"":1,"":2}}]]}}',
  '{"a":{"__proto__":1,"__proto__":2}}',
  '{"a":{"b":{"c":1},"b":{"c":1,"d":2}}}',
];
const ONCE = [
  '{"a":{"b":1},"c":{"b":1}}',
  '{"a":"\\"b\\":1,\\\\","b":":","c":[{"b":{}},{"b":{}}]}',
  '{"big":12345678901234567890,"ä:":{"1":1,"0":2},"__proto__":{"a":1}}',
];

test.each(TWICE)("an object that names a member twice is refused, whatever stands beside it: %s", async (text) => {
  const long = text.replace(/\}$/, `,"filling":${JSON.stringify(Array.from({ length: 9_000 }, (_, id) => ({ id })))}}`);
  for (const body of [text, long]) {
    const parsed = await parseLongJson(body);
    expect(() => parseBody(body, parsed)).toThrow(expect.objectContaining({ code: "invalid_json", status: 400 }));
  }
});

test.each(ONCE)("what only looks like it is read: %s", async (text) => {
  const long = text.replace(/\}$/, `,"filling":${JSON.stringify(Array.from({ length: 9_000 }, (_, id) => ({ id })))}}`);
  for (const body of [text, long]) expect(parseBody(body, await parseLongJson(body))).toEqual(JSON.parse(body));
});

test("every dialect that passes bodies on looks at it", () => {
  const messages = '"messages":[{"role":"user","content":"hi"}]';
  expect(() => readChat(`{"model":"m",${messages},"max_tokens":1,"Max_Tokens":9}`)).toThrow(refused("max_tokens"));
  expect(() => readMessages(`{"model":"m",${messages},"max_tokens":1,"Speed":"fast"}`)).toThrow(refused("speed"));
  expect(() => readNative(`{"model":"m","input":[{"type":"message"}],"stream":true,"BACKGROUND":true}`)).toThrow(
    refused("background"),
  );
});
