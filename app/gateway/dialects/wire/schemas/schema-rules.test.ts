import { describe, expect, test } from "vitest";
import { profileOf } from "~/domain/catalogue/profiles";
import type { Supplier } from "~/domain/catalogue/shared";
import { fitSchema, toolSchema } from "./schema-rules";

const profile = (upstreamModel: string, supplier: Partial<Supplier> = {}) =>
  profileOf({ upstreamModel, supplier: { name: "any", baseUrl: "https://any.example", kind: "chat", ...supplier } });

const SCORE = {
  type: "object",
  properties: {
    score: { type: "integer", minimum: 1 },
    label: { type: "string", maxLength: 20, pattern: "^a", format: "uri" },
    tags: { type: "array", items: { type: "string" }, minItems: 1 },
  },
  required: ["score"],
};

describe("the schema of an answer", () => {
  test.each([
    ["grok-4-0709", {}, ["score.minimum", "label.pattern", "label.format"]],
    ["command-a-03-2025", {}, ["label.pattern"]],
    ["gpt-oss-120b", { name: "cerebras" }, ["score.minimum", "label.maxLength"]],
    ["unknown", {}, ["score.minimum", "label.maxLength", "label.pattern", "label.format", "tags.minItems"]],
  ])("of %s keeps the constraints that are taken there, and says the others in words", (model, supplier, kept) => {
    const { properties } = fitSchema(SCORE, profile(model, supplier).outputSchema) as typeof SCORE;
    const said = Object.entries(properties).flatMap(([name, schema]) =>
      Object.keys(schema).flatMap((keyword) =>
        /^(type|items|description)$/.test(keyword) ? [] : [`${name}.${keyword}`],
      ),
    );
    expect(said).toEqual(kept);
    if (!kept.includes("tags.minItems")) expect(properties.tags).toMatchObject({ description: "{minItems: 1}" });
  });
});

describe("the schema of a tool", () => {
  test("of Nova has its type, properties and what is required at the top, and nothing else", () => {
    const schema = { $schema: "x", additionalProperties: false, description: "d", ...SCORE };
    expect(toolSchema(schema, profile("us.amazon.nova-2-lite-v1:0", { kind: "bedrock" }).toolSchema)).toEqual(SCORE);
  });
});
