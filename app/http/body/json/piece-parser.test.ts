import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AppError } from "~/errors/app-error";
import { topLevelMembers } from "./json-surgery";
import { PieceParser } from "./piece-parser";

/** Small pieces and steps, so that every text is split wherever possible. */
const SIZES = [
  { pieceCost: 0, step: 1 },
  { pieceCost: 60, step: 3 },
  { pieceCost: 100_000, step: 65_536 },
];

function parsed(text: string, size: { pieceCost: number; step: number }): PieceParser {
  const parser = new PieceParser(text, size);
  while (!parser.advance());
  return parser;
}

/** The result of parsing a text: its value, or that it is invalid. */
function outcome(parse: () => unknown): { value: unknown } | "no JSON" {
  try {
    return { value: parse() };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return "no JSON";
  }
}

function agrees(text: string): void {
  const wanted = outcome(() => JSON.parse(text));
  for (const size of SIZES) {
    const got = outcome(() => parsed(text, size).value);
    // toStrictEqual shows differences, but a member named "constructor" confuses it, so it runs only for unequal
    // values.
    if (!isDeepStrictEqual(got, wanted)) expect(got).toStrictEqual(wanted);
    // The order of members must also match.
    expect(JSON.stringify(got)).toBe(JSON.stringify(wanted));
  }
}

describe("what it makes of a text is what JSON.parse makes of it", () => {
  const name = fc.oneof(
    fc.constantFrom("__proto__", "constructor", "7", "a", "", '"', "\\", '\\"', "{", "],[", "a\u2028b", "é☃😀"),
    fc.string(),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: "small" }, fc.jsonValue(), name, tie("list"), tie("object")),
    list: fc.array(tie("value"), { maxLength: 6 }),
    object: fc.dictionary(name, tie("value"), { maxKeys: 6 }),
  }));

  test("for any value, however it is written", () => {
    fc.assert(
      fc.property(value, fc.constantFrom(0, 2, "\t"), (any, indent) => agrees(JSON.stringify(any, null, indent))),
    );
  });

  test("for texts in which something is missing, too much or in the wrong place", () => {
    const spoiled = fc.tuple(
      value,
      fc.nat(),
      fc.nat(3),
      fc.constantFrom(...'[]{},:"\\ 1ax\n\u00a0', "", "null", '"a":'),
    );
    fc.assert(
      fc.property(spoiled, ([any, place, removed, added]) => {
        const text = JSON.stringify(any);
        const at = place % (text.length + 1);
        agrees(text.slice(0, at) + added + text.slice(at + removed));
      }),
      { numRuns: 3_000 },
    );
  });

  test.each([
    ...[
      "",
      " ",
      "1",
      ' "a" ',
      "null",
      "nul",
      "[]",
      "{}",
      " [ ] ",
      "[[]]",
      "[1,]",
      "[,1]",
      "[[1],]",
      "[[1] [2]]",
      "[[1]2]",
    ],
    ...[
      "[1 [2]]",
      "[}",
      "{]",
      "]",
      "[",
      '{"a":[1],}',
      '{"a":[1]"b":2}',
      '{"a" [1]}',
      '{"a":1 "b":[1]}',
      "{[1]}",
      "[:]",
    ],
    ...['{"a":{"b":1},"a":{"c":2},"a":3}', '{"a":1,"__proto__":{"x":[1]},"b":2}', '{"\\u0061":[1],"a":[2]}', "[1][2]"],
    ...[
      '"a" [1]',
      "[1] x",
      "x [1]",
      '["\\"]',
      '["\\\\"]',
      '["\\\\\\"]"]',
      '{"a"::[1]}',
      '{"a",:[1]}',
      "[1,2",
      '{"a":1,,"b":[2]}',
    ],
    ...["\ufeff[1]", "[\u00a0[1]]", "[-]", "[1e999]", '["\n"]', '{"a":[1]:2}', "{1:[2]}", "{,}", '{"2":[1],"1":[2]}'],
  ])("for %j", (text) => agrees(text));
});

test("the members of an object are where topLevelMembers finds them", () => {
  const name = fc.oneof(fc.constantFrom("model", "a\\b", '"', "é"), fc.string());
  fc.assert(
    fc.property(fc.dictionary(name, fc.jsonValue()), fc.constantFrom(0, 2), (object, indent) => {
      const text = ` ${JSON.stringify(object, null, indent)}`;
      for (const size of SIZES) expect(parsed(text, size).members).toEqual(topLevelMembers(text));
    }),
  );
});

describe("bounds", () => {
  const refused = (text: string) => {
    try {
      parsed(text, SIZES[2]!);
    } catch (error) {
      if (error instanceof AppError) return error.code;
      throw error;
    }
    return null;
  };
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  const object = (members: number) => `{${Array.from({ length: members }, (_, index) => `"k${index}":1`).join(",")}}`;
  const list = (count: number, one: string) => `[${Array(count).fill(one).join(",")}]`;

  test("depth, members of one object, members altogether, values", () => {
    expect(refused(nested(500))).toBeNull();
    expect(refused(nested(501))).toBe("invalid_json");
    expect(refused("[".repeat(8_000_000))).toBe("invalid_json");
    expect(refused(object(10_000))).toBeNull();
    expect(refused(object(10_001))).toBe("request_too_large");
    expect(refused(list(25, object(10_000)))).toBeNull();
    expect(refused(list(26, object(10_000)))).toBe("request_too_large");
    expect(refused(list(999_999, '""'))).toBeNull();
    expect(refused(list(1_000_000, '""'))).toBe("request_too_large");
  });

  test("brackets, commas and colons inside of texts do not count", () => {
    expect(refused(JSON.stringify({ content: '[{"a":1,'.repeat(200_000) }))).toBeNull();
  });

  test("any number of numbers is taken: lists of tokens are long", () => {
    expect(refused(list(800, list(2_000, "50000")))).toBeNull();
  });

  test("no step parses more than a piece, wherever the commas stand", () => {
    // Each list's numbers precede its nested list, so that no list ends before all have begun.
    const text = `${Array.from({ length: 100 }, () => `[${"1,".repeat(3_000)}`).join("")}1${"]".repeat(100)}`;
    const parse = JSON.parse;
    const lengths: number[] = [];
    JSON.parse = (piece: string) => {
      lengths.push(piece.length);
      return parse(piece);
    };
    try {
      expect(parsed(text, { pieceCost: 1_000, step: 1_000 }).value).toStrictEqual(parse(text));
    } finally {
      JSON.parse = parse;
    }
    expect(Math.max(...lengths)).toBeLessThan(3_000);
  });
});
