import type { z } from "zod";
import { issueMessage } from "~/errors/issue-words";
import { issue } from "~/errors/message";
import { closed } from "./closed-schema";
import { NO_SUCH_FIELD } from "./fields";
import { readFields } from "./read-fields";

/** A parsed form: its values when they are valid, else one message for each invalid field. */
export type ParsedForm<Value> =
  | { ok: true; value: Value; sent: Readonly<Record<string, string>> }
  | { ok: false; fields: Readonly<Record<string, string>>; sent: Readonly<Record<string, string>> };

/**
 * Reads and validates a browser's form or a JSON object; unknown fields are rejected. Files are not supported; of a
 * repeated field the first text is used. `sent` is for filling in the form again and never contains a password.
 * @throws AppError unsupported_media_type, invalid_json, invalid_request or request_too_large.
 */
export async function parseForm<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<ParsedForm<z.infer<Schema>>> {
  const fields = await readFields(request);
  const read = closed(schema).safeParse(fields, { error: issueMessage });
  const sent = fieldsToFillIn(fields);
  return read.success
    ? { ok: true, value: read.data, sent }
    : { ok: false, fields: fieldErrors(read.error, fields), sent };
}

const MAX_NAME_LENGTH = 100;
const MISSING = issue("problems:fillIn");

/**
 * Returns one message per invalid field, as a text that may contain a message key (`messageOf`); "form" is the form as
 * a whole.
 */
function fieldErrors(error: z.ZodError, submitted: Readonly<Record<string, unknown>>): Record<string, string> {
  const fields = new Map<string, string>();
  for (const { path, message, ...fault } of error.issues) {
    if (fault.code === "unrecognized_keys" && path.length === 0) {
      for (const unknown of fault.keys) fields.set(unknown.slice(0, MAX_NAME_LENGTH), NO_SUCH_FIELD);
      continue;
    }
    const name = String(path[0] ?? "form");
    // A format's own message describes a valid value; a missing value needs another message.
    const isMissing = fault.code === "invalid_type" && path.length === 1 && isNothing(submitted[name]);
    if (!fields.has(name)) fields.set(name, isMissing ? MISSING : message);
  }
  return Object.fromEntries(fields);
}

/** A file counts as a missing value, because these forms cannot use it. */
const isNothing = (value: unknown): boolean => value === undefined || value === null || value instanceof Blob;

/**
 * Returns the texts for filling in a form again, without passwords and tokens; fields that count tokens are included.
 */
export function fieldsToFillIn(submitted: Readonly<Record<string, unknown>>): Record<string, string> {
  const sent = Object.entries(submitted).filter(
    (field): field is [string, string] => typeof field[1] === "string" && !/password|token(?!s)|secret/i.test(field[0]),
  );
  return Object.fromEntries(sent);
}
