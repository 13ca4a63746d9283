import fc from "fast-check";
import { expect, test } from "vitest";
import { exactAnswer, exactJson, exactMember, exactValue } from "./exact-numbers";
import { topLevelMembers } from "./json-surgery";

/** A text after parsing and writing. */
const through = (text: string): string => exactJson(JSON.stringify(exactValue(JSON.parse(text), text, { depth: 1 })));

test.each([
  "1234567890123456789",
  "-9223372036854775808",
  "9007199254740993",
  "123456.78901234567890",
  "0.12345678901234567890",
  "1e400",
  "1E-400",
  "-1.5e+309",
])("the number %s is written as it was read", (number) => {
  expect(through(`{"a":[${number},{"b":${number}}],"c":1}`)).toBe(`{"a":[${number},{"b":${number}}],"c":1}`);
});

test.each(["1", "0.1", "1.10", "-0", "1e5", "9007199254740992", "100000000000000000000", "1e21", "5e-324"])(
  "the number %s, which JavaScript does not change, stays a number",
  (number) => {
    const text = `{"a":${number}}`;
    const value = JSON.parse(text);
    expect(exactValue(value, text, { depth: 1 })).toBe(value);
  },
);

test("any JSON comes through as JavaScript writes it, with every integer as it was", () => {
  const integers = fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n });
  const place = "$$";
  fc.assert(
    fc.property(fc.jsonValue(), fc.array(integers, { minLength: 1, maxLength: 4 }), (given, numbers) => {
      // A placeholder text stands for each number until the JSON is written.
      const shape = JSON.stringify({ 'a:,[{"\\': given, n: numbers.map(() => place) });
      const text = numbers.reduce<string>((sum, number) => sum.replace(`"${place}"`, String(number)), shape);
      expect(through(text)).toBe(text.replace(/-0(?=[,\]}])/g, "0"));
    }),
  );
});

test("numbers that gw reads itself, at the top of a body, stay numbers", () => {
  const text = '{"seed":1234567890123456789,"thinking":{"budget":1234567890123456789},"a":[{"b":1234567890123456789}]}';
  expect(exactValue(JSON.parse(text), text)).toMatchObject({
    seed: Number("1234567890123456789"),
    thinking: { budget: Number("1234567890123456789") },
    a: [{ b: expect.stringContaining("1234567890123456789") }],
  });
});

test("a number goes as its digits into a text that is made of it, also where that is JSON in a text", () => {
  const text = '{"maximum":9223372036854775807}';
  const { maximum } = exactValue(JSON.parse(text), text, { depth: 1 }) as { maximum: unknown };
  expect(exactJson(JSON.stringify({ description: `At most ${maximum}.` }))).toBe(
    '{"description":"At most 9223372036854775807."}',
  );
  expect(JSON.parse(exactJson(JSON.stringify({ schema: JSON.stringify({ maximum }) }))).schema).toBe(text);
});

test("what has no such numbers, and what stands beside them, is not copied", () => {
  const text = '{"a":{"n":1234567890123456789},"b":{"c":[1]}}';
  const value = JSON.parse(text);
  const kept = exactValue(value, text, { depth: 1 });
  expect(kept.b).toBe(value.b);
  expect(value.a.n).toBe(Number("1234567890123456789"));
  const [member] = [exactMember(value.a, "a", { text, members: topLevelMembers(text) })];
  expect(exactJson(JSON.stringify(member))).toBe('{"n":1234567890123456789}');
});

test("a name that stands twice, or that every object has, does no harm", () => {
  expect(() => through('{"a":[1234567890123456789],"a":5}')).not.toThrow();
  expect(through('{"__proto__":{"n":1234567890123456789}}')).toBe('{"__proto__":{"n":1234567890123456789}}');
});

test("ten thousand of them are enough for a request; an answer may have more", () => {
  const text = `{"a":[${"1234567890123456789,".repeat(10_000)}1234567890123456789]}`;
  expect(() => exactValue(JSON.parse(text), text, { depth: 1 })).toThrow(expect.objectContaining({ status: 400 }));
  expect(exactAnswer(JSON.parse(text), text)).toBeDefined();
});
