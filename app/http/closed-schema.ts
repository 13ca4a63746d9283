import { z } from "zod";

const made = new WeakMap<z.ZodType, z.ZodType>();

/**
 * The same schema for a body, with unknown fields refused: the rule for everything that changes something. An object that
 * takes any field says so itself (`z.looseObject`, `.catchall`).
 */
export function closed<Schema extends z.ZodType>(schema: Schema): Schema {
  const known = made.get(schema);
  if (known !== undefined) return known as Schema;
  const strict = closing(schema);
  made.set(schema, strict).set(strict, strict);
  return strict as Schema;
}

/** What an operation without a body takes. */
export const NO_FIELDS = z.strictObject({});

function closing(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) return schema.def.catchall === undefined ? schema.strict() : schema;
  if (schema instanceof z.ZodUnion) {
    const options = schema.def.options.map((option) => closed(option as z.ZodType));
    return schema.clone({ ...schema.def, options });
  }
  if (schema instanceof z.ZodPipe) {
    const { in: before, out: after } = schema.def;
    return schema.clone({ ...schema.def, in: closed(before as z.ZodType), out: closed(after as z.ZodType) });
  }
  return schema;
}
