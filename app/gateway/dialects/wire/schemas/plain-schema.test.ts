import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { modernSchema, plainParameters } from "./plain-schema";

const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
const TEXT = { type: "string" };

describe("the parameters of a tool are an object with its properties", () => {
  test.each<[about: string, written: unknown, plain: object]>([
    ["nothing", undefined, object({})],
    ["no value", null, object({})],
    ["an empty schema", {}, object({})],
    ["no properties", { type: "object" }, object({})],
    ["properties without a type", { properties: { a: TEXT } }, object({ a: TEXT })],
    ["members without a value", { type: "object", properties: null, required: null }, object({})],
    ["a property without a value", object({ a: { ...TEXT, description: null } }), object({ a: TEXT })],
    ["a default that is null, which is a value", object({ a: { default: null } }), object({ a: { default: null } })],
    ["a list of types", { type: ["object", "null"], properties: { a: TEXT } }, object({ a: TEXT })],
    [
      "a choice of what is required",
      object({ a: TEXT, b: TEXT }, { anyOf: [{ required: ["a"] }, { required: ["b"] }] }),
      object({ a: TEXT, b: TEXT }, { description: '{anyOf: [{required: ["a"]}, {required: ["b"]}]}' }),
    ],
    [
      "a choice of objects, whose common properties may be either",
      {
        description: "Pick.",
        oneOf: [
          object({ kind: { const: "a" }, x: TEXT }, { required: ["kind", "x"] }),
          object({ kind: { const: "b" } }, { required: ["kind"] }),
        ],
      },
      object(
        { kind: { anyOf: [{ const: "a" }, { const: "b" }] }, x: TEXT },
        { description: 'Pick.\n\n{oneOf: [{required: ["kind","x"]}, {required: ["kind"]}]}', required: ["kind"] },
      ),
    ],
    [
      "several objects at once",
      { allOf: [object({ a: TEXT }, { required: ["a"] }), object({ b: TEXT })], properties: { c: TEXT } },
      object({ c: TEXT, a: TEXT, b: TEXT }, { required: ["a"] }),
    ],
    [
      "a reference",
      { $ref: "#/$defs/A", $defs: { A: object({ next: { $ref: "#/$defs/A" } }, { required: ["next"] }) } },
      object(
        { next: { $ref: "#/$defs/A" } },
        { required: ["next"], $defs: { A: object({ next: { $ref: "#/$defs/A" } }, { required: ["next"] }) } },
      ),
    ],
    ["a reference to nowhere", { $ref: "#/$defs/%", $defs: {} }, object({}, { $defs: {} })],
    [
      "what it may not be",
      object({ a: TEXT }, { not: { required: ["b"] } }),
      object({ a: TEXT }, { description: '{not: {"required":["b"]}}' }),
    ],
  ])("where a client writes %s", (_about, written, plain) => {
    expect(plainParameters(written)).toEqual(plain);
  });

  test("one that is plain stays the same object", () => {
    const plain = object({ a: { anyOf: [TEXT, { type: "array", items: TEXT }] } }, { required: ["a"], $defs: {} });
    expect(plainParameters(plain)).toBe(plain);
    const made = plainParameters({ anyOf: [object({ a: TEXT })] });
    expect(plainParameters(made)).toBe(made);
  });

  test("references that multiply each other end", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `d${at}`,
        { anyOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
      ]),
    );
    expect(plainParameters({ $ref: "#/$defs/d0", $defs })).toMatchObject({ type: "object" });
    const circle = { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { allOf: [{ $ref: "#/$defs/a" }] } } };
    expect(plainParameters(circle)).toMatchObject({ type: "object", properties: {} });
  });

  test("whatever is written, an object comes of it, and of that the same one", () => {
    const names = ["type", "properties", "anyOf", "allOf", "items", "required", "$ref", "exclusiveMinimum", "a"];
    fc.assert(
      fc.property(fc.object({ key: fc.constantFrom(...names), maxDepth: 5 }), (schema) => {
        const plain = plainParameters(schema);
        expect(plain).toMatchObject({ type: "object", properties: expect.any(Object) });
        expect(plainParameters(plain)).toEqual(plain);
      }),
    );
  });
});

describe("older drafts in the words of the current one", () => {
  test.each<[about: string, old: object, current: object]>([
    [
      "a flag beside a minimum",
      { type: "integer", minimum: 0, exclusiveMinimum: true },
      { type: "integer", exclusiveMinimum: 0 },
    ],
    ["a flag that is off", { maximum: 9, exclusiveMaximum: false }, { maximum: 9 }],
    ["a flag without a bound", { exclusiveMaximum: true }, {}],
    ["a tuple", { type: "array", items: [TEXT] }, { type: "array", prefixItems: [TEXT], items: {} }],
    ["a tuple and more", { items: [TEXT], additionalItems: TEXT }, { prefixItems: [TEXT], items: TEXT }],
    ["a list of anything", { type: "array" }, { type: "array", items: {} }],
    ["a property that is required", { ...TEXT, required: true }, TEXT],
    [
      "a property that has the name of a keyword",
      { properties: { required: { type: "boolean" }, items: { type: "array" } } },
      { properties: { required: { type: "boolean" }, items: { type: "array", items: {} } } },
    ],
    [
      "values, which are left alone",
      { enum: [null, { items: [] }], const: null },
      { enum: [null, { items: [] }], const: null },
    ],
  ])("%s", (_about, old, current) => {
    expect(modernSchema(old)).toEqual(current);
    expect(modernSchema(object({ deep: { anyOf: [old] } }))).toEqual(object({ deep: { anyOf: [current] } }));
  });

  test("a schema that is nested deeper than any tool's is left alone", () => {
    let deep: object = { type: "array" };
    for (let level = 0; level < 20_000; level += 1) deep = { items: deep };
    expect(() => plainParameters({ properties: { deep } })).not.toThrow();
  });
});
