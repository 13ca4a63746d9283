import { RE2JS } from "re2js";
import { afterEach, expect, test, vi } from "vitest";
import { faultOf } from "./compile";
import { estimatedSize } from "./pattern-size";
import type { NewGuardrailRule } from "./shared";

const rule = (pattern: string): NewGuardrailRule => ({
  ...{ name: "rule", on: "both", action: "flag", kind: "pattern", pattern },
});

afterEach(() => void vi.restoreAllMocks());

/** Short patterns with large programs, for each kind of repetition. */
const LARGE = [
  "a{0,1000}".repeat(55),
  "a{1000}".repeat(60),
  "(?:a?){500}".repeat(40),
  "((a{0,30}){0,30}){0,30}",
  "(?:(?:ab){20}){20}{20}",
  "(?:x{10}){10}{10}{10}",
  "[a-z]{0,999}".repeat(40),
  String.raw`\pL{0,900}`,
  String.raw`(?:\p{Greek}|\P{Han}){0,200}`,
  String.raw`[^\pL\pN]{0,999}`,
  String.raw`\x{1F600}{0,999}`.repeat(30),
  String.raw`\Qabcdefghijkl\E{0,999}`.repeat(10),
  "é{0,1000}".repeat(55),
  "(?i:k{0,1000})".repeat(35),
  "(?P<name>a{0,1000})".repeat(25),
  "[]a{2]{0,1000}".repeat(30),
  "[[:alpha:]]{0,1000}".repeat(25),
  "(?:){1000}".repeat(45),
  "a{999999999}",
  "(a{0,1000}".repeat(45),
];

test.each(LARGE.map((pattern) => [pattern.slice(0, 40), pattern]))(
  "%s … is refused before it is compiled",
  (_, pattern) => {
    const compile = vi.spyOn(RE2JS, "compile");
    expect(faultOf(rule(pattern))).toBe("tooLarge");
    expect(compile).not.toHaveBeenCalled();
  },
);

test.each([
  String.raw`\bTCK-\d{4,12}\b`,
  "(?:[a-z]{1,12} ){4,8}",
  String.raw`(?i)\p{Lu}\p{L}{1,20}\s\p{Lu}\p{L}{1,20}`,
  "a{0,240}b",
  "[[:alpha:]_]{3,40}=[^;]{1,80}",
  String.raw`\Qa{1000}\E`,
  "x{,5}",
  "[{1000}]",
])("%s is compiled and can be used", (pattern) => {
  expect(faultOf(rule(pattern))).toBeNull();
});

const PIECES = [
  ...["a", "é", ".", "^", "[a-z]", "[^]a]", "[[:digit:]x]", "(?:", "(", "(?i:", ")", ")", "|", "*", "+", "?"],
  ...[
    "{2}",
    "{0,9}",
    "{3,}",
    "{1,30}",
    String.raw`\d`,
    String.raw`\pL`,
    String.raw`\x{41}`,
    String.raw`\b`,
    String.raw`\Qx{\E`,
  ],
];

test("no pattern becomes a larger program than was estimated for it", () => {
  let state = 7;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * below);
  };
  let compiled = 0;
  for (let turn = 0; turn < 20_000; turn += 1) {
    const pattern = Array.from({ length: 1 + random(12) }, () => PIECES[random(PIECES.length)]).join("");
    const estimate = estimatedSize(pattern);
    if (estimate > 3_000) continue;
    let size: number;
    try {
      size = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE).programSize();
    } catch {
      continue;
    }
    compiled += 1;
    // An optional repetition has an additional instruction, and a group one at each end.
    expect(size, pattern).toBeLessThanOrEqual(3 * estimate + 4);
  }
  expect(compiled).toBeGreaterThan(2_000);
}, 60_000);
