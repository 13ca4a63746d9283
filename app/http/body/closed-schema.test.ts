import { expect, test } from "vitest";
import { z } from "zod";
import { closed } from "./closed-schema";

const Plain = z.object({ a: z.string() });
const REFUSING: [string, z.ZodType, object][] = [
  ["an object", Plain, { a: "1" }],
  ["an object with a rule of its own", Plain.refine(({ a }) => a !== ""), { a: "1" }],
  ["one that becomes something else", Plain.transform(({ a }) => a), { a: "1" }],
  ["one that is made ready first", z.preprocess((given) => given, Plain), { a: "1" }],
  [
    "one of several",
    z.discriminatedUnion("kind", [z.object({ kind: z.literal("x") }), Plain.extend({ kind: z.literal("y") })]),
    { kind: "y", a: "1" },
  ],
  ["either of two", z.union([Plain, z.object({ b: z.string() })]), { b: "1" }],
];
test.each(REFUSING)("%s takes its own fields and no others", (_what, schema, body) => {
  expect(closed(schema).safeParse(body).success).toBe(true);
  expect(schema.safeParse({ ...body, more: "1" }).success).toBe(true);
  const refused = closed(schema).safeParse({ ...body, more: "1" });
  expect(JSON.stringify(refused.error?.issues)).toContain('"more"');
});

test("rules of an object still hold when it is closed", () => {
  const schema = closed(Plain.refine(({ a }) => a !== "", "Not empty."));
  expect(schema.safeParse({ a: "" }).error?.issues[0]?.message).toBe("Not empty.");
});

test("an object that takes any field goes on doing so, and a schema is closed once", () => {
  for (const open of [z.looseObject({ a: z.string() }), Plain.catchall(z.unknown())])
    expect(closed(open).safeParse({ a: "1", more: "1" }).success).toBe(true);
  expect(closed(Plain)).toBe(closed(Plain));
  expect(closed(closed(Plain))).toBe(closed(Plain));
});
