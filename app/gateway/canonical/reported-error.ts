type Json = Readonly<Record<string, unknown>>;

/** An error as a supplier reports it. Null means that it does not report the value. */
export type ReportedError = {
  /** The supplier's name for the error. An HTTP status in its field becomes `status` instead. */
  code: string | null;
  status: number | null;
  type: string | null;
  message: string | null;
  /** The invalid field. */
  param: string | null;
  /** Members of the error object, for fields that only some suppliers have. */
  fields: Json;
};

/** Maximum entries read from a list of errors. */
const MAX_FAULTS = 5;
const MAX_WORDS_LENGTH = 2_000;
/** Maximum depth of nested errors. */
const DEEPEST = 4;

/**
 * Reads an error that a supplier reports, as a response of its own or inside one, in any known shape: `{error: {…}}`,
 * `[{error: {…}}]`, a text, `{error: "text"}`, `{message}`, `{message: {detail}}`, `{errors: […]}`, problem details,
 * and lists of errors with their locations (`{detail: [{loc, msg}]}`). Never throws.
 */
export function reportedError(reported: unknown): ReportedError {
  const fields = innermost(reported);
  const inner = object(fields.innererror);
  const words = wordsIn(fields);
  const about = innerMessage(inner);
  return {
    code:
      codeIn(fields.code ?? fields.error_code ?? fields.status_code) ?? stateIn(fields.status) ?? codeIn(inner.code),
    status: statusIn(fields.code) ?? statusIn(fields.status),
    type: typeIn(fields.type),
    message: words === null || about === null ? (words ?? about) : `${words} (${about})`,
    param: text(fields.param) ?? locationIn(fields),
    fields,
  };
}

/**
 * Whether an object that should be an answer, or a part of one, is an error. Suppliers send errors with status 200 in
 * all shapes of their error responses, some without a member `error`. `content`: the member that every answer has.
 */
export function isErrorObject(wire: unknown, content: string): boolean {
  const fields = object(wire);
  const { base_resp } = fields;
  const error = errorOf(fields);
  if (error != null && error !== "" && error !== false) return true;
  if (fields.object === "error") return true;
  if (fields[content] != null) return false;
  if (fields.type === "error") return true;
  if (typeof base_resp === "object" && base_resp !== null) return object(base_resp).status_code !== 0;
  const names = isFault(fields) ? ["message", "msg", ...FAULTS] : FAULTS;
  return names.some((name) => wordsIn(fields[name]) !== null);
}

/** Returns the error member, which one host puts inside an extension object. */
const errorOf = ({ error, x_groq }: Json): unknown => error ?? object(x_groq).error;

/** Members that only errors have. */
const FAULTS = ["detail", "errors", "error_msg"];

/** Whether an object with a message is an error; others are keep-alive messages. */
function isFault({ code, status, status_code, type }: Json): boolean {
  const reportedCode = code ?? status_code ?? statusIn(status);
  return typeof reportedCode === "number"
    ? reportedCode !== 0 && reportedCode !== 200
    : text(reportedCode) !== null || /error|exception/i.test(`${type}`);
}

/** Error codes about gw's own credential at a supplier; they do not concern the client. */
const SIGN_IN_CODES = /api_key|token_(?:expired|invalid|revoked)|unauthori[sz]ed|authentication|forbidden|account_/;
const SIGN_IN_TYPES = /^(?:authentication|permission|billing)_error$/;
const SIGN_IN_STATUSES: ReadonlySet<unknown> = new Set([401, 402, 403]);

/** Whether an error is about gw's credential at the supplier or gw's unpaid bills there. */
export const isAboutSignIn = (error: {
  code: string | null;
  type: string | null;
  status?: number | null | undefined;
}) =>
  SIGN_IN_CODES.test(error.code ?? "") || SIGN_IN_TYPES.test(error.type ?? "") || SIGN_IN_STATUSES.has(error.status);

/** Returns the innermost error object. */
function innermost(reported: unknown, depth = 0): Json {
  if (typeof reported === "string") return { message: reported };
  if (Array.isArray(reported))
    return isErrors(reported) && depth < DEEPEST ? innermost(reported[0], depth + 1) : { detail: reported };
  const fields = object(reported);
  const error = errorOf(fields) ?? fields.base_resp;
  if (typeof error === "object" && error !== null && depth < DEEPEST) return innermost(error, depth + 1);
  if (typeof error !== "string") return fields;
  if (wordsIn({ ...fields, error: undefined }) === null) return { ...fields, error };
  // With a message beside it, `error` is a code (`invalid_grant`) or the status as text (`Bad Request`).
  return { ...fields, error: undefined, code: fields.code ?? (/\s/.test(error) ? undefined : error) };
}

const isErrors = (list: readonly unknown[]) => list.length > 0 && object(list[0]).error !== undefined;

/** Members with the error message, best first. */
const WORDS = [
  ...["message", "msg", "detail", "error_description", "error_msg", "status_msg", "errors", "error", "title"],
];

function wordsIn(value: unknown, depth = 0): string | null {
  if (typeof value === "string") return text(value)?.slice(0, MAX_WORDS_LENGTH) ?? null;
  if (typeof value !== "object" || value === null || depth > DEEPEST) return null;
  if (Array.isArray(value)) {
    const faults = value.slice(0, MAX_FAULTS).flatMap((fault) => wordsIn(fault, depth + 1) ?? []);
    return faults.length === 0 ? null : faults.join("; ").slice(0, MAX_WORDS_LENGTH);
  }
  const fields = value as Json;
  for (const name of WORDS) {
    const words = wordsIn(fields[name], depth + 1);
    if (words === null) continue;
    const more = name === "errors" ? null : wordsIn(fields.errors, depth + 1);
    const fullText = more === null ? words : `${words}: ${more}`;
    const location = locationOf(fields.loc);
    return location === null ? fullText : `${location}: ${fullText}`;
  }
  return null;
}

/** Returns the location of the first error that has one. */
function locationIn({ detail, message }: Json): string | null {
  const faults = Array.isArray(detail) ? detail : object(message).detail;
  if (!Array.isArray(faults)) return null;
  for (const fault of faults.slice(0, MAX_FAULTS)) {
    const location = locationOf(object(fault).loc);
    if (location !== null) return location;
  }
  return null;
}

/** `["body", "messages", 0, "content"]` as `messages.0.content`. */
function locationOf(loc: unknown): string | null {
  if (!Array.isArray(loc)) return null;
  const steps = loc.filter((step) => typeof step === "string" || typeof step === "number").slice(0, 20);
  const path = (steps[0] === "body" ? steps.slice(1) : steps).join(".");
  return path === "" ? null : path.slice(0, 200);
}

/** Returns a content filter's own code and its matched categories. */
function innerMessage({ code, content_filter_result }: Json): string | null {
  const name = text(code);
  if (name === null) return null;
  const categories = Object.entries(object(content_filter_result))
    .filter(([, result]) => object(result).filtered === true)
    .map(([category]) => category);
  return categories.length === 0 ? name : `${name}: ${categories.slice(0, 10).join(", ")}`;
}

const isStatus = (code: number) => Number.isInteger(code) && code >= 400 && code <= 599;

function statusIn(code: unknown): number | null {
  const number = typeof code === "string" && /^\d{3}$/.test(code) ? Number(code) : code;
  return typeof number === "number" && isStatus(number) ? number : null;
}

function codeIn(code: unknown): string | null {
  if (statusIn(code) !== null) return null;
  return typeof code === "number" && Number.isFinite(code) ? String(code) : text(code);
}

/** Some suppliers use the status field for their code: `INVALID_ARGUMENT`. */
const stateIn = (status: unknown) => (typeof status === "string" && /^[A-Z][A-Z_]+$/.test(status) ? status : null);

/** Ignores the type `error` and the URI of a problem description. */
function typeIn(type: unknown): string | null {
  const name = text(type);
  return name === null || name === "error" || name.includes(":") ? null : name;
}

const object = (value: unknown): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
const text = (value: unknown): string | null => (typeof value === "string" && value.trim() !== "" ? value : null);
