import { expect, test } from "vitest";
import { readChat } from "../chat/read";
import { readMessages } from "../messages/read";
import { readNative } from "../native/read";
import { membersOf } from "./body-checks";

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
  const text = '{"model":"m","topK":1,"safetySettings":{"N":1,"n":2,"n":3},"x":1,"x":2,"metadata":{"Model":"y"}}';
  expect(membersOf(text).map(({ key }) => key)).toEqual(["model", "topK", "safetySettings", "x", "x", "metadata"]);
});

test("every dialect that passes bodies on looks at it", () => {
  const messages = '"messages":[{"role":"user","content":"hi"}]';
  expect(() => readChat(`{"model":"m",${messages},"max_tokens":1,"Max_Tokens":9}`)).toThrow(refused("max_tokens"));
  expect(() => readMessages(`{"model":"m",${messages},"max_tokens":1,"Speed":"fast"}`)).toThrow(refused("speed"));
  expect(() => readNative(`{"model":"m","input":[{"type":"message"}],"stream":true,"BACKGROUND":true}`)).toThrow(
    refused("background"),
  );
});
