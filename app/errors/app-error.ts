import { type ErrorCode, entryOf } from "./catalogue";
import { type CatalogueEntry, type ErrorType, typeOfStatus } from "./catalogue-entry";
import { cleanCode, cleanDetails, cleanText, type ErrorDetails } from "./clean-text";
import type { Message, MessageKey, MessageValues } from "./message";
import { say } from "./say.server";

export type { ErrorCode } from "./catalogue";
export type { ErrorDetails } from "./clean-text";

export type ApiErrorDetails = {
  /** What to tell people instead of the code's own sentence, with `values` in it; `human_message` says it in English. */
  key?: MessageKey;
  values?: MessageValues;
  /** In English, for what only programs read: the gateway's and the wire's refusals. With `key`, programs read this instead. */
  userMessage?: string;
  retryAfterSeconds?: number;
  /** The field at fault. */
  param?: string;
  status?: number;
  /** The supplier's own code; the client gets it instead of ours. */
  supplierCode?: string | null;
  /** The supplier's own category, kept beside its code. */
  supplierType?: string | null;
  /** What programs read beside the message; anything nested is left out. */
  details?: unknown;
  /** The same of a supplier, told in the messages style only. */
  supplierDetails?: unknown;
  /** Forbids automatic repeats where the code alone would allow them: the work may have been done, or cannot be done. */
  doNotRepeat?: boolean;
  /** Ids for the log line. Never sent to anyone. */
  about?: Readonly<Record<string, unknown>>;
  cause?: unknown;
};

/** Leaves a request. Everything in it except `about`, `cause` and the stack is meant for the client. */
export class AppError extends Error {
  override readonly name = "AppError";
  /** What the client reads: a code of the catalogue or, kept as it came, a supplier's own. */
  readonly code: string;
  /** The catalogue's code behind it. */
  readonly catalogueCode: ErrorCode;
  readonly supplierCode: string | null;
  readonly status: number;
  /** The category: one of ours or the supplier's own. */
  readonly type: string;
  /** Our category, whatever the supplier calls it. */
  readonly ownType: ErrorType;
  /** In English, for programs and the log. */
  readonly humanMessage: string;
  /** What to tell people in their language instead of the code's own sentence. */
  readonly words: Message | null;
  /** Whole seconds; always set with 429 and 503. */
  readonly retryAfterSeconds: number | null;
  /** False: client libraries are told not to repeat the request on their own. */
  readonly mayRetry: boolean;
  readonly param: string | null;
  readonly details: ErrorDetails | null;
  readonly supplierDetails: ErrorDetails | null;
  readonly about: Readonly<Record<string, unknown>>;

  constructor(catalogueCode: ErrorCode, more: ApiErrorDetails = {}) {
    const entry = entryOf(catalogueCode);
    const supplierCode = cleanCode(more.supplierCode);
    const words = more.key === undefined ? null : { key: more.key, values: more.values };
    const humanMessage =
      cleanText(more.userMessage ?? (words === null ? undefined : say(words, "en"))) ?? entry.humanMessage;
    super(
      `${supplierCode ?? catalogueCode} - ${humanMessage}`,
      more.cause === undefined ? undefined : { cause: more.cause },
    );
    this.catalogueCode = catalogueCode;
    this.supplierCode = supplierCode;
    this.code = supplierCode ?? catalogueCode;
    this.status = usableStatus(more.status) ?? entry.status;
    this.ownType = this.status === entry.status ? entry.type : typeOfStatus(this.status);
    this.type = cleanCode(more.supplierType) ?? this.ownType;
    this.humanMessage = humanMessage;
    this.words = words;
    this.retryAfterSeconds = wholeSeconds(more.retryAfterSeconds, entry, this.status);
    this.mayRetry = !more.doNotRepeat && (entry.retry === "wait" || entry.retry === "same_key");
    this.param = cleanText(more.param) ?? null;
    this.details = cleanDetails(more.details);
    this.supplierDetails = cleanDetails(more.supplierDetails);
    this.about = more.about ?? {};
  }
}

/**
 * The error to throw for a code of the catalogue: `throw apiError("model_not_allowed")`, or with words of its own,
 * `apiError("conflict", { key: "problems:conflict", param: "name" })`.
 * Texts from outside (`human`, `param`, `supplierCode`, `details`) are made safe here: no control characters, no HTML, bounded.
 */
export function apiError(code: ErrorCode, more?: ApiErrorDetails): AppError {
  return new AppError(code, more);
}

/** Any thrown thing as an AppError; what is not one becomes `internal_error` and keeps the original as its cause only. */
export function toAppError(problem: unknown): AppError {
  return problem instanceof AppError ? problem : new AppError("internal_error", { cause: problem });
}

function usableStatus(status: number | undefined): number | undefined {
  return status !== undefined && Number.isInteger(status) && status >= 400 && status <= 599 ? status : undefined;
}

const DEFAULT_RETRY_SECONDS = 5;
const MAX_RETRY_SECONDS = 31 * 24 * 3600;

function wholeSeconds(asked: number | undefined, entry: CatalogueEntry, status: number): number | null {
  if (asked !== undefined && Number.isFinite(asked)) {
    return Math.min(Math.max(Math.ceil(asked), 0), MAX_RETRY_SECONDS);
  }
  if (entry.retryAfterSeconds !== null) return entry.retryAfterSeconds;
  return status === 429 || status === 503 ? DEFAULT_RETRY_SECONDS : null;
}
