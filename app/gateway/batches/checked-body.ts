import type { z } from "zod";
import { apiError } from "~/errors/app-error";
import { parseBody } from "../dialects/wire/body-checks";

/**
 * Validates a JSON body against a schema; drops unknown fields.
 * @throws AppError invalid_json, missing_fields, validation_error, each with the invalid field
 */
export function checkedBody<Schema extends z.ZodObject>(text: string, schema: Schema): z.infer<Schema> {
  const body = parseBody(text);
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  const param = read.error.issues[0]?.path.map(String).join(".") ?? "";
  const name = param.split(".")[0] as string;
  if (body[name] === undefined)
    throw apiError("missing_fields", { userMessage: `The field ${name} is missing.`, param: name });
  throw apiError("validation_error", { userMessage: `The value of ${param} is not one that is possible.`, param });
}
