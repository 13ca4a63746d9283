import { expect, test } from "vitest";
import { redacted } from "./redact";

test("takes out what the rules name and leaves the rest", () => {
  const text =
    "Write to ada@example.com, card 4242 4242 4242 4242, key sk-abcdefghijklmnop1234, Project Falcon (falcon).";
  const rules = { redact: ["email", "card", "secret"] as ("email" | "card" | "secret")[], words: ["Falcon"] };
  expect(redacted(text, rules)).toBe(
    "Write to [redacted], card [redacted], key [redacted], Project [redacted] ([redacted]).",
  );
  expect(redacted(text, { redact: [], words: [] })).toBe(text);
});

test("a word is a word, whatever it means to a regular expression", () => {
  expect(redacted("a.b (c+) a-b", { redact: [], words: ["a.b", "(c+)", "[x", "a|b"] })).toBe(
    "[redacted] [redacted] a-b",
  );
});
