import { describe, expect, test } from "vitest";
import { instanceOf } from "./instance";
import { textMatching } from "./pattern";

const TEXT = "Please book a table in Lyon for 4 people, not outside";

describe("an instance of a schema", () => {
  test("takes what it can from the text", () => {
    const schema = {
      type: "object",
      properties: {
        city: { type: "string" },
        guests: { type: "integer", minimum: 1 },
        outside: { type: "boolean" },
        meal: { enum: ["lunch", "dinner"] },
      },
      required: ["city", "guests", "outside", "meal"],
    };
    expect(instanceOf(schema, TEXT)).toEqual({ city: "Lyon", guests: 4, outside: false, meal: "lunch" });
  });

  test.each([
    ["const", { const: 7 }, 7],
    ["default", { type: "string", default: "x" }, "x"],
    ["type list", { type: ["null", "integer"] }, 4],
    ["maximum below", { type: "number", maximum: 2 }, 1],
    ["exclusive bounds", { type: "integer", exclusiveMinimum: 4, exclusiveMaximum: 6 }, 5],
    ["multiples", { type: "integer", multipleOf: 3, minimum: 4 }, 6],
    ["tuple", { type: "array", prefixItems: [{ const: 1 }, { const: "a" }] }, [1, "a"]],
    ["minItems", { type: "array", items: { const: 1 }, minItems: 3 }, [1, 1, 1]],
    ["unique items", { type: "array", items: { type: "integer" }, minItems: 2, uniqueItems: true }, [4, 5]],
    ["maxItems of none", { type: "array", items: { const: 1 }, maxItems: 0 }, []],
    ["alternatives", { anyOf: [{ type: "null" }, { type: "integer" }] }, 4],
    ["date", { type: "string", format: "date" }, "2026-01-15"],
    ["maxLength", { type: "string", maxLength: 2 }, "Ly"],
    ["minLength", { type: "string", minLength: 6 }, "Lyon··"],
    ["pattern", { type: "string", pattern: "^[A-Z]{2}-\\d{3}$" }, "AA-777"],
    ["required without properties", { required: ["name"], additionalProperties: { type: "integer" } }, { name: 4 }],
  ])("keeps to %s", (_name, schema, expected) => {
    expect(instanceOf(schema, TEXT)).toEqual(expected);
  });

  test("follows references, also of a schema to itself, and ends", () => {
    const schema = {
      $defs: {
        node: {
          type: "object",
          properties: { value: { const: 1 }, next: { $ref: "#/$defs/node" } },
          required: ["value"],
        },
      },
      $ref: "#/$defs/node",
    };
    expect(JSON.stringify(instanceOf(schema, TEXT))).toContain('"value":1');
    const endless = { $defs: { a: { allOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/a" }] } }, $ref: "#/$defs/a" };
    expect(instanceOf(endless, TEXT)).toBeDefined();
    const required = { type: "object", properties: { next: { $ref: "#" } }, required: ["next"] };
    expect(JSON.stringify(instanceOf(required, TEXT)).length).toBeLessThan(10_000);
  });

  test("merges allOf and is not impressed by huge wishes or odd names", () => {
    const merged = instanceOf(
      { allOf: [{ properties: { a: { const: 1 } } }, { properties: { b: { const: 2 } }, required: ["b"] }] },
      TEXT,
    );
    expect(merged).toEqual({ a: 1, b: 2 });
    expect((instanceOf({ type: "array", items: { const: 1 }, minItems: 1e9 }, TEXT) as unknown[]).length).toBeLessThan(
      100,
    );
    const odd = instanceOf(JSON.parse('{"type":"object","properties":{"__proto__":{"const":1}}}'), TEXT);
    expect(JSON.stringify(odd)).toBe('{"__proto__":1}');
    for (const nonsense of [
      null,
      true,
      7,
      "x",
      [],
      { type: 7 },
      { enum: [] },
      { $ref: "#/a/%E0%A4%A" },
      { items: 3, type: "array" },
    ]) {
      expect(() => instanceOf(nonsense, TEXT)).not.toThrow();
    }
  });
});

describe("a text that a pattern accepts", () => {
  test.each([
    ["^\\d{5}(-\\d{4})?$"],
    ["^(foo|bar)[a-f0-9]{8}\\.txt$"],
    ["^[^@\\s]+@[a-z]+\\.(com|org)$"],
    ["^\\+?[1-9]\\d{1,14}$"],
    ["[A-Z][a-z]+ [A-Z][a-z]*"],
    ["^(?:a|b){2,3}?c*$"],
    ["^(?<year>\\d{4})-\\w+$"],
  ])("%s", (pattern) => {
    expect(textMatching(pattern)).toMatch(new RegExp(pattern));
  });

  test("is not attempted for what looks around, refers back or is broken", () => {
    for (const pattern of ["(?=a)b", "(a)\\1", "[a", "(a", "a{x}", "*a", "\\p{L}"])
      expect(textMatching(pattern)).toBeNull();
    expect(textMatching("a{9999}")!.length).toBeLessThanOrEqual(200);
    expect(textMatching("(".repeat(5_000))).toBeNull();
  });
});
