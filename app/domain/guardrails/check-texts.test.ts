import { expect, test } from "vitest";
import { checkTexts } from "./check-texts";
import { compileRules } from "./compile";
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
  // Every place may begin a match by the pattern without its edges, and none does.
  const rules = compiled(rule("flag", String.raw`(?:a?){40}a{40}\b`));
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  const checked = await checkTexts(rules, { texts: ["a".repeat(10_000_000)], side: "input", maxWork: 60_000_000 });
  clearInterval(timer);
  expect(checked.refusedBy).toBe("work");
  // Half a second of work on the fastest machine: how many turns there are depends on the machine, that there are some does not.
  expect(turns).toBeGreaterThan(3);
}, 60_000);
