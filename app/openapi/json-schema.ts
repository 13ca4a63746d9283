import { z } from "zod";
import type { JsonSchema } from "./shared";

/**
 * Converts zod schemas to JSON Schema 2020-12; schemas with an `id` in their metadata become components, defined once.
 */
export class SchemaWriter {
  readonly components: Record<string, JsonSchema> = {};

  /** Returns the schema of client input: before defaults and transforms. */
  input(schema: z.ZodType): JsonSchema {
    return this.written(schema, "input");
  }

  /** Returns the schema of a response. */
  output(schema: z.ZodType): JsonSchema {
    return this.written(schema, "output");
  }

  private written(schema: z.ZodType, io: "input" | "output"): JsonSchema {
    const { $schema, $defs, ...rest } = z.toJSONSchema(schema, {
      io,
      // A transform or a class instance has no JSON form; its metadata describes it.
      unrepresentable: "any",
      cycles: "ref",
      reused: "inline",
      override: ({ jsonSchema }) => allowEmpty(jsonSchema as JsonSchema),
    }) as JsonSchema & { $defs?: Record<string, JsonSchema> };
    const id = rest.id as string | undefined;
    for (const [name, part] of Object.entries($defs ?? {})) this.components[name] = withoutId(pointed(part));
    if (id === undefined) return pointed(rest);
    this.components[id] = withoutId(pointed(rest));
    return { $ref: `#/components/schemas/${id}` };
  }
}

/** Extends the schema of a value with `mayBeEmpty` (`orNothing`) by the empty text. */
function allowEmpty(schema: JsonSchema): void {
  const { mayBeEmpty, ...rest } = schema;
  if (mayBeEmpty !== true) return;
  for (const name of Object.keys(schema)) delete schema[name];
  const isOpen = Object.keys(rest).length === 0;
  Object.assign(schema, isOpen ? {} : { anyOf: [rest, { type: "string", maxLength: 0 }] });
}

const pointed = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema;

const withoutId = ({ id: _, ...rest }: JsonSchema): JsonSchema => rest;
