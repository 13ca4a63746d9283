import { z } from "zod";
import type { JsonSchema } from "./shared";

/** Turns zod schemas into JSON Schema 2020-12; schemas with an `id` in their meta become components, named once. */
export class SchemaWriter {
  readonly components: Record<string, JsonSchema> = {};

  /** What a client may send: before defaults and transforms. */
  input(schema: z.ZodType): JsonSchema {
    return this.written(schema, "input");
  }

  /** What a client gets. */
  output(schema: z.ZodType): JsonSchema {
    return this.written(schema, "output");
  }

  private written(schema: z.ZodType, io: "input" | "output"): JsonSchema {
    const { $schema, $defs, ...rest } = z.toJSONSchema(schema, {
      io,
      // A transform or an instance has no JSON of its own; what can be said about it stands in its meta.
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

/** What may be empty is either empty or what it is otherwise (`orNothing`). */
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
