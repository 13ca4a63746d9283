import { z } from "zod";
import { apiError } from "~/errors/app-error";
import { bodyBytes } from "./body-bytes";
import { boundAmpersands, boundJsonValues, boundParts } from "./body-size";

const MAX_BYTES = 1_048_576;

/**
 * Reads a browser's form or a JSON object, at most 1 MiB and 1,000 fields. Files are not supported; of a repeated field
 * the first text is used, or all of them if the schema has a list there. An empty body without a content type is a form
 * without fields.
 * @throws AppError unsupported_media_type, invalid_json, invalid_request or request_too_large.
 */
export async function readFields(request: Request, schema?: z.ZodType): Promise<Readonly<Record<string, unknown>>> {
  const type = request.headers.get("content-type") ?? "";
  const isForm = type.startsWith("application/x-www-form-urlencoded") || type.startsWith("multipart/form-data");
  const isJson = type.startsWith("application/json");
  const bytes = await bodyBytes(request, MAX_BYTES);
  if (type === "" && bytes.length === 0) return {};
  if (!isForm && !isJson) throw apiError("unsupported_media_type");
  return isJson ? jsonObject(bytes) : formFields(bytes, type, listsOf(schema));
}

/** The names of the fields that are lists. */
const listsOf = (schema: z.ZodType | undefined): readonly string[] =>
  schema instanceof z.ZodObject
    ? Object.entries(schema.shape).flatMap(([name, field]) => (isList(field) ? [name] : []))
    : [];

const isList = (field: unknown): boolean =>
  field instanceof z.ZodArray || (field instanceof z.ZodDefault && isList(field.def.innerType));

/**
 * Returns the parameters of a query. A repeated parameter has its first value, or, with `lists`, a list of all values.
 */
export function queryFields(query: URLSearchParams, repeated: "first" | "lists"): Record<string, string | string[]> {
  const fields = new Map<string, string | string[]>();
  for (const [name, value] of query) {
    const before = fields.get(name);
    if (before === undefined) fields.set(name, value);
    else if (Array.isArray(before)) before.push(value);
    else if (repeated === "lists") fields.set(name, [before, value]);
  }
  return Object.fromEntries(fields);
}

async function formFields(
  bytes: Uint8Array<ArrayBuffer>,
  type: string,
  lists: readonly string[],
): Promise<Record<string, unknown>> {
  const plainType = type.startsWith("multipart/") ? boundParts(bytes, type) : boundAmpersands(bytes);
  const form = await new Response(bytes, { headers: { "content-type": plainType } }).formData().catch((cause) => {
    throw apiError("invalid_request", { cause });
  });
  const fields = new Map<string, unknown>();
  for (const [name, value] of form) {
    if (!fields.has(name) || (typeof value === "string" && typeof fields.get(name) !== "string"))
      fields.set(name, value);
  }
  for (const name of lists) if (fields.has(name)) fields.set(name, form.getAll(name));
  return Object.fromEntries(fields);
}

function jsonObject(bytes: Uint8Array): Record<string, unknown> {
  boundJsonValues(bytes);
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw apiError("invalid_json", { cause });
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) throw apiError("invalid_request");
  return body as Record<string, unknown>;
}
