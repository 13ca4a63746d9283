import fc from "fast-check";
import { expect, test } from "vitest";
import { moneyJson, type NumberText, parseJson, usdNumber } from "./money-json";

const amounts = ["budget_limit"];
const textOf = (json: string) =>
  ((parseJson(json, { amounts }) as Record<string, unknown>).budget_limit as NumberText).text;

test("an amount keeps the digits that the client wrote", () => {
  expect(textOf('{"budget_limit": 0.1 }')).toBe("0.1");
  expect(textOf('{"budget_limit":9199999999.999999999}')).toBe("9199999999.999999999");
  expect(textOf('{"a":{"budget_limit":1},"budget_limit"\n:\t1e3,"b":2}')).toBe("1e3");
  expect(textOf('{"budget\\u005flimit":5}')).toBe("5");
});

test("of a repeated amount the last one counts, as everywhere", () => {
  expect(textOf('{"budget_limit":1,"budget_limit":2}')).toBe("2");
  expect(textOf('{"budget_limit":"x","budget_limit":2}')).toBe("2");
  expect(parseJson('{"budget_limit":1,"budget_limit":"x"}', { amounts })).toEqual({ budget_limit: "x" });
});

test("other members and other values stay what they are", () => {
  expect(parseJson('{"rate":1,"budget_limit":null}', { amounts })).toEqual({ rate: 1, budget_limit: null });
  expect(parseJson("[1]", { amounts })).toEqual([1]);
  expect(parseJson("  ", { mayBeEmpty: true })).toEqual({});
});

test.each(["", "{", '{"budget_limit":NaN}', '{"budget_limit":01}', '{"budget_limit":.5}', "undefined"])(
  "%j is not JSON",
  (text) => {
    expect(() => parseJson(text, { amounts })).toThrow("invalid_json");
  },
);

test("amounts are written exactly, without trailing zeros", () => {
  expect(usdNumber(0n)).toBe("0");
  expect(usdNumber(1n)).toBe("0.000000001");
  expect(usdNumber(100_000_000_000n)).toBe("100");
  expect(usdNumber(10_500_000_000n)).toBe("10.5");
  expect(usdNumber(9_199_999_999_999_999_999n)).toBe("9199999999.999999999");
  expect(moneyJson({ a: 1_500_000_000n, b: [null, undefined], c: undefined, d: new Date(0) })).toBe(
    '{"a":1.5,"b":[null,null],"d":"1970-01-01T00:00:00.000Z"}',
  );
});

test("without amounts it writes what JSON.stringify writes", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(moneyJson(value)).toBe(JSON.stringify(value));
    }),
  );
});
