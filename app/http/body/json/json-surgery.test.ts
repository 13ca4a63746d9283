import fc from "fast-check";
import { expect, test } from "vitest";
import { editMembers, topLevelMembers } from "./json-surgery";

const edit = (text: string, edits: Record<string, string | null>) => editMembers(text, topLevelMembers(text), edits);

test("exchanges one value and leaves every other byte alone", () => {
  const text = '{ "seed": 12345678901234567890, "model" : "a" ,"x":[1.0,{"model":"inner"}] }';
  expect(edit(text, { model: '"b"' })).toBe('{"seed": 12345678901234567890,"model" : "b","x":[1.0,{"model":"inner"}]}');
});

test("every occurrence of a repeated key is exchanged, so no reader sees another value than gw checked", () => {
  expect(JSON.parse(edit('{"model":"a","model":"b"}', { model: '"c"' }))).toEqual({ model: "c" });
  expect(edit('{"mod\\u0065l":"a","model":"b"}', { model: '"c"' })).not.toContain('"a"');
});

test("adds what is missing and removes what must not leave", () => {
  expect(edit("{}", { a: "1" })).toBe('{"a":1}');
  expect(edit('{"region":"eu","n":2}', { region: null, stream: "true" })).toBe('{"n":2,"stream":true}');
  expect(edit('{"region":"eu"}', { region: null })).toBe("{}");
});

test("agrees with parse and stringify on any object", () => {
  const key = fc.oneof(fc.constantFrom("model", "region", "n", '"', "\\", "a b"), fc.string());
  fc.assert(
    fc.property(fc.dictionary(key, fc.jsonValue()), fc.constantFrom(0, 2), fc.jsonValue(), (object, indent, value) => {
      const text = JSON.stringify(object, null, indent);
      const { region: _gone, ...rest } = object;
      const got = JSON.parse(edit(text, { model: JSON.stringify(value), region: null }));
      expect(got).toEqual(JSON.parse(JSON.stringify({ ...rest, model: value })));
    }),
  );
});
