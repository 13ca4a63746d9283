import { expect, test } from "vitest";
import type { Db } from "~/connection/db.server";
import { checkTexts } from "./check-texts";
import { compileRules } from "./compile";
import { type CheckedChange, changedRules, checkedChange, readRules, readyRules } from "./rules";
import type { NewGuardrailRule } from "./shared";

const rule = (action: NewGuardrailRule["action"], pattern: string): NewGuardrailRule => ({
  ...{ name: pattern, on: "both", action, kind: "pattern", pattern },
});
const compiled = (...rules: NewGuardrailRule[]) => compileRules(rules, "key", "input");

test("each text is checked by itself, and what was found is counted by rule", async () => {
  const rules = compiled(rule("redact", "secret"), rule("flag", "plan"));
  const checked = await checkTexts(rules, { texts: ["a secret plan", "no", "", "secret secret"], side: "input" });
  expect(checked).toEqual({
    texts: ["a ****** plan", "no", "", "****** ******"],
    changed: true,
    hits: [
      { name: "secret", by: "key", on: "input", action: "redact", count: 3 },
      { name: "plan", by: "key", on: "input", action: "flag", count: 1 },
    ],
    refusedBy: null,
  });
});

test("a text that is too much work for the rules is refused, and others have their turn meanwhile", async () => {
  // Every position may start a match of the pattern without assertions, but none does.
  const rules = compiled(rule("flag", String.raw`(?:a?){40}a{40}\b`));
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  const checked = await checkTexts(rules, { texts: ["a".repeat(10_000_000)], side: "input", maxWork: 60_000_000 });
  clearInterval(timer);
  expect(checked.refusedBy).toBe("work");
  // Half a second of work on the fastest machine. The exact number of turns depends on the machine.
  expect(turns).toBeGreaterThan(3);
}, 60_000);

test.each([
  ["a pattern that is none", { kind: "pattern", pattern: "(" }],
  ["a kind of another version", { kind: "topics", topics: ["war"] }],
  ["an action of another version", { kind: "words", words: ["x"], action: "ask" }],
  ["no object", "rule"],
])("a stored guardrail that cannot be read refuses everything until it is removed: %s", async (_, stored) => {
  const rule =
    typeof stored === "string" ? stored : { id: "0000000000ff", name: "odd", on: "both", action: "refuse", ...stored };
  const rules = readRules([rule]);
  const ready = await readyRules({ organisation: rules, key: [] });
  for (const side of ["input", "output"] as const) {
    const { refusedBy } = await checkTexts(ready[side], { texts: ["hello"], side });
    expect(refusedBy).toMatchObject({ action: "refuse" });
  }
  const change = (await checkedChange({} as Db, { userId: 1 }, { kind: "remove", id: rules[0]!.id })) as CheckedChange;
  expect(changedRules(rules, change)).toEqual([]);
});
