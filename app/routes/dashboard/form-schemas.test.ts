import { describe, expect, test } from "vitest";
import { z } from "zod";
import { issueMessage } from "~/errors/issue-words";
import { messageOf } from "~/errors/message";
import { say } from "~/errors/say.server";
import { closed } from "~/http/body/closed-schema";

const files = import.meta.glob<Record<string, unknown>>("./**/*.schema.ts", { eager: true });
const schemas = Object.entries(files).flatMap(([path, exported]) =>
  Object.entries(exported).flatMap(([name, schema]) =>
    schema instanceof z.ZodType ? [[`${name} of ${path}`, schema] as const] : [],
  ),
);

const WRONG = ["", " ", "x".repeat(20_000), "not one of them", "2026-99-99", "-1", -1, 1.5, {}, ["", 7], true, null];

/** Returns the object schemas within a schema: of each option of a union, and after preprocessing. */
function objectsOf(schema: z.ZodType): z.ZodObject[] {
  if (schema instanceof z.ZodObject) return [schema];
  if (schema instanceof z.ZodUnion) return schema.def.options.flatMap((option) => objectsOf(option as z.ZodType));
  if (schema instanceof z.ZodPipe)
    return [schema.def.in, schema.def.out].flatMap((part) => objectsOf(part as z.ZodType));
  return [];
}

/** Fields with a fixed value, which select one of several forms. */
const fixedOf = ({ shape }: z.ZodObject) =>
  Object.fromEntries(
    Object.entries(shape).flatMap(([name, field]) => {
      const values = field instanceof z.ZodLiteral || field instanceof z.ZodEnum ? [...new Set(valuesOf(field))] : [];
      return name === "intent" ? [[name, values[0]]] : [];
    }),
  );
const valuesOf = (field: z.ZodLiteral | z.ZodEnum) =>
  field instanceof z.ZodLiteral ? [...field.values] : (field.options as unknown[]);

/** Returns all messages of a schema for invalid input. */
function messagesOf(schema: z.ZodType): Set<string> {
  const inputs = objectsOf(schema).flatMap((object) => {
    const fixed = fixedOf(object);
    const names = Object.keys(object.shape).filter((name) => !(name in fixed));
    const each = names.flatMap((name) => WRONG.map((value) => ({ ...fixed, [name]: value })));
    return [fixed, { ...fixed, unheard_of: "1" }, { intent: "unheard of" }, ...each];
  });
  const reads = inputs.map((input) => closed(schema).safeParse(input, { error: issueMessage }));
  return new Set(reads.flatMap(({ error }) => error?.issues.map(({ message }) => message) ?? []));
}

test("there are forms, and this finds their fields", () => {
  expect(schemas.length).toBeGreaterThan(10);
  expect(schemas.filter(([, schema]) => objectsOf(schema).length === 0).map(([name]) => name)).toEqual([]);
});

describe("whatever is wrong in a form of the dashboard is said in the reader's language", () => {
  test.each(schemas)("%s", (_, schema) => {
    const texts = [...messagesOf(schema)];
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) {
      const message = messageOf(text);
      if (message === null) throw new Error(`no message of the language files: ${text}`);
      const english = say(message, "en");
      expect(english).not.toContain(message.key);
      for (const language of ["de", "fr", "es"] as const)
        expect([message.key, say(message, language)]).not.toEqual([message.key, english]);
    }
  });
});
