type Json = Readonly<Record<string, unknown>>;

/** A supplier's own word about an error. null: it does not say. */
export type ReportedError = {
  /** Its name for the error; an HTTP status in this place is `status` and no name. */
  code: string | null;
  status: number | null;
  type: string | null;
  message: string | null;
  /** The field at fault. */
  param: string | null;
  /** The members of the error, for what only some suppliers say. */
  fields: Json;
};

/** A list of faults is told so far. */
const MAX_FAULTS = 5;
const MAX_WORDS_LENGTH = 2_000;
/** Errors about errors are followed so far. */
const DEEPEST = 4;

/**
 * Reads an error that a supplier reports, as an answer of its own or inside one, in any of the shapes that are about:
 * `{error: {…}}`, `[{error: {…}}]`, a text, `{error: "text"}`, `{message}`, `{message: {detail}}`, `{errors: […]}`,
 * problem details, and lists of faults with the place of each (`{detail: [{loc, msg}]}`). Never throws.
 */
export function reportedError(said: unknown): ReportedError {
  const fields = innermost(said);
  const inner = object(fields.innererror);
  const words = wordsIn(fields);
  const about = innerWords(inner);
  return {
    code: codeIn(fields.code) ?? stateIn(fields.status) ?? codeIn(inner.code),
    status: statusIn(fields.code) ?? statusIn(fields.status),
    type: typeIn(fields.type),
    message: words === null || about === null ? (words ?? about) : `${words} (${about})`,
    param: text(fields.param) ?? locationIn(fields),
    fields,
  };
}

/** Codes by which a supplier finds fault with gw's own sign-in: not the client's affair. */
const SIGN_IN_CODES = /api_key|token_(?:expired|invalid|revoked)|unauthori[sz]ed|authentication|forbidden|account_/;
const SIGN_IN_TYPES = /^(?:authentication|permission|billing)_error$/;
const SIGN_IN_STATUSES: ReadonlySet<unknown> = new Set([401, 402, 403]);

/** Whether an error is about how gw signs in at the supplier, or what gw owes there. */
export const isAboutSignIn = (error: {
  code: string | null;
  type: string | null;
  status?: number | null | undefined;
}) =>
  SIGN_IN_CODES.test(error.code ?? "") || SIGN_IN_TYPES.test(error.type ?? "") || SIGN_IN_STATUSES.has(error.status);

/** The object that tells of the error itself. */
function innermost(said: unknown, depth = 0): Json {
  if (typeof said === "string") return { message: said };
  if (Array.isArray(said)) return isErrors(said) && depth < DEEPEST ? innermost(said[0], depth + 1) : { detail: said };
  const fields = object(said);
  const { error } = fields;
  if (typeof error === "object" && error !== null && depth < DEEPEST) return innermost(error, depth + 1);
  if (typeof error !== "string" || wordsIn({ ...fields, error: undefined }) === null) return fields;
  // Words beside it: then it is a name (`invalid_grant`), or only the status in words (`Bad Request`).
  return { ...fields, error: undefined, code: fields.code ?? (/\s/.test(error) ? undefined : error) };
}

const isErrors = (list: readonly unknown[]) => list.length > 0 && object(list[0]).error !== undefined;

/** Where suppliers write what is wrong, best first. */
const WORDS = ["message", "msg", "detail", "error_description", "errors", "error", "title"];

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
    const whole = more === null ? words : `${words}: ${more}`;
    const place = locationOf(fields.loc);
    return place === null ? whole : `${place}: ${whole}`;
  }
  return null;
}

/** The place of the first fault that names one. */
function locationIn({ detail, message }: Json): string | null {
  const faults = Array.isArray(detail) ? detail : object(message).detail;
  if (!Array.isArray(faults)) return null;
  for (const fault of faults.slice(0, MAX_FAULTS)) {
    const place = locationOf(object(fault).loc);
    if (place !== null) return place;
  }
  return null;
}

/** `["body", "messages", 0, "content"]` as `messages.0.content`. */
function locationOf(loc: unknown): string | null {
  if (!Array.isArray(loc)) return null;
  const steps = loc.filter((step) => typeof step === "string" || typeof step === "number").slice(0, 20);
  const place = (steps[0] === "body" ? steps.slice(1) : steps).join(".");
  return place === "" ? null : place.slice(0, 200);
}

/** What a content filter says inside: its own code, and what it has found. */
function innerWords({ code, content_filter_result }: Json): string | null {
  const name = text(code);
  if (name === null) return null;
  const found = Object.entries(object(content_filter_result))
    .filter(([, result]) => object(result).filtered === true)
    .map(([category]) => category);
  return found.length === 0 ? name : `${name}: ${found.slice(0, 10).join(", ")}`;
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

/** Some write their code as the state of the call: `INVALID_ARGUMENT`. */
const stateIn = (status: unknown) => (typeof status === "string" && /^[A-Z][A-Z_]+$/.test(status) ? status : null);

/** Neither the mark of an error object nor the address of its description. */
function typeIn(type: unknown): string | null {
  const name = text(type);
  return name === null || name === "error" || name.includes(":") ? null : name;
}

const object = (value: unknown): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
const text = (value: unknown): string | null => (typeof value === "string" && value.trim() !== "" ? value : null);
