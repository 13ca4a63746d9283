import { apiError } from "~/errors/app-error";

/** Maximum fields of a form; the largest form, for a key, sends up to 500 models. */
const MAX_FIELDS = 1_000;
/** Maximum headers of one part of a multipart form; browsers send one or two. */
const MAX_HEADERS = 8;
/** Maximum values of all levels together, and maximum nesting depth. */
const MAX_VALUES = 10_000;
const MAX_DEPTH = 50;

/**
 * Counts the fields of a URL-encoded form before it is parsed: many small fields take longer to parse than a few large
 * ones. Returns the media type to parse it as.
 * @throws AppError request_too_large for more than 1,000 fields.
 */
export function boundAmpersands(form: Uint8Array): string {
  let fields = 1;
  for (let at = form.indexOf(AMPERSAND); at >= 0; at = form.indexOf(AMPERSAND, at + 1)) {
    fields += 1;
    if (fields > MAX_FIELDS) throw tooManyFields();
  }
  return "application/x-www-form-urlencoded";
}

/**
 * Counts the parts of a multipart form, and the headers of each, before it is parsed. Returns the media type to parse
 * it as, with the boundary that was counted.
 * @throws AppError request_too_large for more than 1,000 parts, or 8 headers of a part; invalid_request without a
 *   boundary.
 */
export function boundParts(bytes: Uint8Array, contentType: string): string {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"\\]{1,70})"|([^\s;"\\]{1,70}))\s*(?:;|$)/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined)
    throw apiError("invalid_request", { userMessage: "The multipart form has no usable boundary." });
  const form = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let parts = 0;
  for (let at = form.indexOf(`--${boundary}`); at >= 0; at = form.indexOf(`--${boundary}`, at)) {
    at = endOfHeaders(form, at);
    parts += 1;
    // The form ends with one more boundary.
    if (parts > MAX_FIELDS + 1) throw tooManyFields();
  }
  return `multipart/form-data; boundary="${boundary}"`;
}

/** The index after the empty line that ends the headers of a part. */
function endOfHeaders(form: Buffer, boundary: number): number {
  let line = form.indexOf("\r\n", boundary);
  for (let lines = 0; line >= 0; lines += 1) {
    const next = form.indexOf("\r\n", line + 2);
    if (next === line + 2) return next + 2;
    if (lines > MAX_HEADERS) throw tooManyFields();
    line = next;
  }
  return form.length;
}

/**
 * Counts the values of a JSON text, and their nesting depth, before it is parsed. The text may be malformed.
 * @throws AppError request_too_large for more than 10,000 values, 1,000 values at the top level, or 50 levels.
 */
export function boundJsonValues(json: Uint8Array): void {
  let depth = 0;
  let values = 1;
  let atTop = 1;
  for (let at = 0; at < json.length; at += 1) {
    const code = json[at];
    if (code === QUOTE) at = endOfString(json, at);
    else if (code === COMMA || code === OBJECT || code === ARRAY) {
      if (code !== COMMA) depth += 1;
      else if (depth <= 1) atTop += 1;
      values += 1;
      if (values > MAX_VALUES || atTop > MAX_FIELDS || depth > MAX_DEPTH) throw tooManyFields();
    } else if (code === OBJECT_END || code === ARRAY_END) depth -= 1;
  }
}

const AMPERSAND = 38;
const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const [OBJECT, OBJECT_END, ARRAY, ARRAY_END] = [123, 125, 91, 93];

function endOfString(json: Uint8Array, from: number): number {
  let at = from + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}

const tooManyFields = () => apiError("request_too_large", { userMessage: "The request has too many fields." });
