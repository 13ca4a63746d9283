import type { z } from "zod";
import { refusal } from "~/errors/app-error";

/** A form as it was sent: its values when they are valid, else one message for each field at fault. */
export type ParsedForm<Value> =
  | { ok: true; value: Value }
  | { ok: false; fields: Readonly<Record<string, string>>; sent: Readonly<Record<string, string>> };

/**
 * Reads a browser's form or a JSON object and checks it. Files and repeated fields are not part of such forms: the first
 * text of a name counts. `sent` is for filling the form in again and never has a password in it.
 * @throws AppError unsupported_media_type or invalid_json.
 */
export async function parseForm<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<ParsedForm<z.infer<Schema>>> {
  const given = await readFields(request);
  const read = schema.safeParse(given);
  if (read.success) return { ok: true, value: read.data };
  const fields = new Map<string, string>();
  for (const { path, message } of read.error.issues) {
    const name = String(path[0] ?? "form");
    if (!fields.has(name))
      fields.set(name, typeof given[name] === "string" || path.length === 0 ? message : "Fill in this field.");
  }
  const sent = Object.entries(given).filter(
    (field): field is [string, string] => typeof field[1] === "string" && !/password/i.test(field[0]),
  );
  return { ok: false, fields: Object.fromEntries(fields), sent: Object.fromEntries(sent) };
}

async function readFields(request: Request): Promise<Readonly<Record<string, unknown>>> {
  const type = request.headers.get("content-type") ?? "";
  if (type.startsWith("application/json")) return readJson(request);
  const isForm = type.startsWith("application/x-www-form-urlencoded") || type.startsWith("multipart/form-data");
  if (!isForm) throw refusal("unsupported_media_type");
  const form = await request.formData().catch((cause) => {
    throw refusal("invalid_request", { cause });
  });
  return Object.fromEntries([...form.keys()].map((name) => [name, form.get(name)]));
}

async function readJson(request: Request): Promise<Readonly<Record<string, unknown>>> {
  const body: unknown = await request.json().catch((cause) => {
    throw refusal("invalid_json", { cause });
  });
  if (typeof body !== "object" || body === null || Array.isArray(body)) throw refusal("invalid_request");
  return body as Record<string, unknown>;
}
