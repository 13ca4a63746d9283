import { z } from "zod";

const closedSchemas = new WeakMap<z.ZodType, z.ZodType>();

/**
 * Returns the same schema with unknown fields rejected, as required for the body of every operation that changes data.
 * An object that accepts any field declares that itself (`z.looseObject`, `.catchall`).
 */
export function closed<Schema extends z.ZodType>(schema: Schema): Schema {
  const known = closedSchemas.get(schema);
  if (known !== undefined) return known as Schema;
  const strict = closing(schema);
  closedSchemas.set(schema, strict).set(strict, strict);
  return strict as Schema;
}

/** Body schema of an operation without a body. */
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
