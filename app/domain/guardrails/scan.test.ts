import { describe, expect, test } from "vitest";
import { compileRules, faultOf } from "./compile";
import { TextScan } from "./scan";
import type { NewGuardrailRule } from "./shared";

type Short = Pick<NewGuardrailRule, "action"> &
  ({ words: string[] } | { pattern: string } | { data: ("email" | "phone" | "card" | "iban")[] });

function scan(rules: readonly Short[], pieces: readonly string[], allowance?: number) {
  const full = rules.map((rule, index) => ({
    ...{ name: `rule ${index}`, on: "both" as const },
    ...rule,
    kind: "words" in rule ? "words" : "pattern" in rule ? "pattern" : "personal",
  })) as NewGuardrailRule[];
  const one = new TextScan(compileRules(full, "organisation", "input"));
  let text = "";
  for (const piece of pieces) text += one.push(piece, allowance);
  text += one.end(allowance);
  while (one.isPending) text += one.goOn(allowance);
  return { text, counts: one.counts, refusedBy: one.refusedBy?.name ?? null };
}

const redact = (...words: string[]): Short => ({ action: "redact", words });
const redacted = (rule: Short, text: string) => scan([rule], [text]).text;

describe("words", () => {
  test("are found whole, in whatever case, and in phrases over line breaks", () => {
    expect(redacted(redact("blue fox"), "A Blue\n FOX, blue foxes and a blueish fox")).toBe(
      "A *********, blue foxes and a blueish fox",
    );
  });

  test("with a star are found inside longer ones", () => {
    expect(redacted(redact("fox*", "*zilla"), "foxes Foxtrot outfox Godzilla zillas")).toBe(
      "***es ***trot outfox God***** zillas",
    );
  });

  test("are found behind compatibility and invisible characters, which go with them", () => {
    expect(redacted(redact("secret"), "a ｓｅｃｒｅｔ b s\u200be\u00adcret c")).toBe("a ****** b ******** c");
    expect(redacted(redact("file"), "the ﬁle")).toBe("the ***");
  });

  test.each([
    ["NUL", "\u0000"],
    ["a control character", "\u001f"],
    ["one of C1", "\u0086"],
    ["delete", "\u007f"],
    ["a zero-width joiner", "\u200d"],
    ["a soft hyphen", "\u00ad"],
    ["a mark of direction", "\u202e"],
    ["a variation selector", "\ufe0f"],
    ["a further variation selector", "\u{e0100}"],
    ["a tag", "\u{e0061}"],
    ["a filler", "\u3164"],
    ["an anchor of annotations", "\ufff9"],
    ["forty of them", "\u200b\u0000".repeat(20)],
  ])("cannot be divided by %s, and what is taken out is what was found", (_, invisible) => {
    const text = `one s${invisible}ec${invisible}ret two`;
    for (const pieces of [[text], [...text]])
      expect(scan([redact("secret")], pieces).text).toMatch(/^one (?:\*+|\[redacted\]) two$/);
    expect(scan([redact("one")], [text]).text).toBe(text.replace("one", "***"));
  });

  test("stay as they are where nothing is found, with what shows nothing around them", () => {
    const invisible = "\u200b\u0000".repeat(50);
    for (const text of [`${invisible}so it is${invisible}`, invisible, `${invisible} é\u0301${invisible}one`])
      for (const pieces of [[text], [...text]]) expect(scan([redact("secret")], pieces).text).toBe(text);
  });

  test("are divided by white space, also where that is a control character", () => {
    for (const space of ["\t", "\n", "\u000b", "\f", "\r", "\u0085", "\u2028"])
      expect(redacted(redact("secret", "blue fox"), `sec${space}ret blue${space}fox`)).toBe(`sec${space}ret ********`);
  });

  test("of scripts without blanks are found inside sentences", () => {
    expect(redacted(redact("机密"), "这是机密文件")).toBe("这是**文件");
  });
});

describe("patterns", () => {
  test("look at the edges of the text and of words, and not at those of pieces", () => {
    const rule: Short = { action: "redact", pattern: String.raw`^start|\bedge\b|end$` };
    expect(redacted(rule, "start restart edge ledger end bend\n end")).toBe("***** restart **** ledger end bend\n ***");
  });

  test.each(["(a+)+$", "(x+x+)+y", "(?:a?){100}a{100}", "([a-z]+)*\\d"])(
    "that drive other engines mad (%s) come to an end",
    (pattern) => {
      expect(scan([{ action: "flag", pattern }], [`${"a".repeat(20_000)}!`]).text).toHaveLength(20_001);
    },
  );

  test.each([
    ["(unclosed", "syntax"],
    ["(?=look)ahead", "syntax"],
    ["(a)\\1", "syntax"],
    ["a*", "matchesNothing"],
    ["(?:[a-z]{1,500}){1,2}x", "tooLarge"],
  ])("that cannot be used are refused: %s", (pattern, fault) => {
    expect(faultOf({ name: "x", on: "both", action: "flag", kind: "pattern", pattern })).toBe(fault);
  });
});

describe("personal data", () => {
  const all: Short = { action: "redact", data: ["email", "phone", "card", "iban"] };
  test.each([
    ["mail ada.lovelace+x@sub.example.com, please", "mail [redacted], please"],
    ["card 4111 1111 1111 1111 or 4111-1111-1111-1112", "card [redacted] or 4111-1111-1111-1112"],
    ["IBAN DE89 3704 0044 0532 0130 00 now", "IBAN [redacted] now"],
    ["no IBAN DE88 3704 0044 0532 0130 00 now", "no IBAN DE88 3704 0044 0532 0130 00 now"],
    ["call +44 20 7946 0958 today", "call [redacted] today"],
    ["order 12345678901234567890 is none", "order 12345678901234567890 is none"],
  ])("%s", (text, expected) => {
    expect(redacted(all, text)).toBe(expected);
  });
});

test("an overlap of two rules is taken out once, and each counts its own", () => {
  const found = scan(
    [redact("alpha beta"), redact("beta gamma"), { action: "flag", words: ["beta"] }],
    ["x alpha beta gamma y"],
  );
  expect(found).toEqual({ text: "x [redacted] y", counts: [1, 1, 1], refusedBy: null });
});

test("nothing of a refused match comes out, in whatever pieces it comes", () => {
  for (const text of ["fine until forbidden here", "forbidden", `${"x".repeat(500)} forbidden `]) {
    const one = scan([{ action: "refuse", words: ["forbidden"] }], [...text]);
    expect(one.refusedBy).toBe("rule 0");
    expect(one.text).not.toContain("f".concat("orb"));
  }
});

/** A reproducible random generator (mulberry32). */
function randomOf(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * below) | 0;
  };
}

const WORDS = [
  ..."a b ab aab secret SECRET sec\u200bret ｓｅｃｒｅｔ ﬁle fi le é e\u0301 👩‍👩‍👧 𝔰ecret 机密 , . \n - 4111 1111 4111111111111111".split(
    " ",
  ),
  ...[
    "ada@example.com",
    "@",
    "+44 20 7946 0958",
    "DE89370400440532013000",
    " ",
    "  ",
    "\u0301\u0301",
    "\ud83d",
    "start",
    "end",
  ],
  "x".repeat(400),
  "ab".repeat(200),
];

test("what comes out does not depend on where the pieces of a stream begin and end", () => {
  const rules: Short[] = [
    redact("secret", "file", "机密", "a b"),
    { action: "redact", pattern: String.raw`\b(?:ab)+\b|^start|end$` },
    { action: "redact", pattern: "a.*b" },
    { action: "redact", data: ["email", "phone", "card", "iban"] },
    { action: "flag", words: ["*ab*", "é"] },
    { action: "flag", pattern: "x{3,200}|(?:a|b)+[^a]" },
  ];
  for (let seed = 1; seed <= 100; seed += 1) {
    const random = randomOf(seed);
    const some = rules.filter(() => random(2) === 0);
    let text = "";
    for (let count = random(60); count >= 0; count -= 1) text += WORDS[random(WORDS.length)]! + (random(2) ? " " : "");
    const pieces: string[] = [];
    const most = [1, 3, 20, 300][random(4)]!;
    for (let at = 0; at < text.length; ) {
      const size = 1 + random(most);
      pieces.push(text.slice(at, at + size));
      at += size;
    }
    const whole = scan(some, [text]);
    expect(scan(some, pieces), `seed ${seed}`).toEqual(whole);
    expect(scan(some, pieces, 1), `seed ${seed}, with pauses`).toEqual(whole);
  }
}, 60_000);

test("a text in which nothing is found comes out as it went in, whatever it holds", () => {
  const rules: Short[] = [redact("never"), { action: "redact", pattern: "never+" }];
  for (let seed = 1; seed <= 100; seed += 1) {
    const random = randomOf(seed);
    let text = "";
    for (let count = random(200); count >= 0; count -= 1) text += WORDS[random(WORDS.length)]!;
    expect(scan(rules, [text]).text).toBe(text);
  }
});
