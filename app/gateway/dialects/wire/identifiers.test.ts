import fc from "fast-check";
import { expect, test } from "vitest";
import { CallIds, fitIdentifier, ToolNames } from "./identifiers";

test("fit identifiers stay, all others become fit, and always the same", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[\w.:-]{0,200}$/)), (text) => {
      const fit = fitIdentifier(text, 64);
      expect(fit).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(fitIdentifier(text, 64)).toBe(fit);
      expect(fitIdentifier(fit, 64)).toBe(fit);
      if (/^[a-zA-Z0-9_-]{1,64}$/.test(text)) expect(fit).toBe(text);
    }),
  );
});

test("different long names stay different, and come back", () => {
  const names = Array.from({ length: 200 }, (_, index) => `mcp__${"x".repeat(70)}__${index}`);
  const map = new ToolNames(names, 64);
  expect(new Set(names.map((name) => map.fit(name))).size).toBe(200);
  for (const name of names) expect(map.original(map.fit(name))).toBe(name);
  expect(map.original("never_heard_of")).toBe("never_heard_of");
});

test("the ids of one answer are all there and all different", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("", "a", "call_0", "b:1"), { maxLength: 8 }), fc.string(), (ids, answerId) => {
      const given = new CallIds(answerId);
      const made = ids.map((id) => given.next(id));
      expect(new Set(made).size).toBe(ids.length);
      for (const id of made) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,40}$/);
    }),
  );
});
