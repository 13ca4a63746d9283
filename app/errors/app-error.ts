import { type ErrorCode, entryOf } from "./catalogue";
import { type CatalogueEntry, type ErrorType, typeOfStatus } from "./catalogue-entry";
import { cleanCode, cleanDetails, cleanText, type ErrorDetails } from "./clean-text";
import type { Message, MessageKey, MessageValues } from "./message";
import { say } from "./say.server";

export type { ErrorCode } from "./catalogue";
export type { ErrorDetails } from "./clean-text";

export type ApiErrorDetails = {
  /** Message for people instead of the code's own one, with `values` inserted; `human_message` has it in English. */
  key?: MessageKey;
  values?: MessageValues;
  /**
   * English message for errors that only programs read: those of the gateway and the wire. With `key`: the message for
   * programs.
   */
  userMessage?: string;
  retryAfterSeconds?: number;
  /** The invalid field. */
  param?: string;
  status?: number;
  /** The supplier's own code, sent to the client instead of the catalogue's. */
  supplierCode?: string | null;
  /** The supplier's own category. */
  supplierType?: string | null;
  /** Additional fields for programs; nested values are omitted. */
  details?: unknown;
  /** The same from a supplier, sent in the messages style only. */
  supplierDetails?: unknown;
  /** Forbids automatic retries that the code alone would allow: the work may have been done, or is impossible. */
  doNotRepeat?: boolean;
  /** Ids for the log line; never sent to clients. */
  about?: Readonly<Record<string, unknown>>;
  cause?: unknown;
};

/** Ends a request. Everything in it except `about`, `cause` and the stack may be sent to the client. */
export class AppError extends Error {
  override readonly name = "AppError";
  /** Code for the client: one of the catalogue, or a supplier's own, unchanged. */
  readonly code: string;
  /** The corresponding code of the catalogue. */
  readonly catalogueCode: ErrorCode;
  readonly supplierCode: string | null;
  readonly status: number;
  /** Category for the client: gw's, or the supplier's own. */
  readonly type: string;
  /** gw's category, regardless of the supplier's. */
  readonly ownType: ErrorType;
  /** English message for programs and the log. */
  readonly humanMessage: string;
  /** Translatable message for people, instead of the code's own one. */
  readonly words: Message | null;
  /** Whole seconds; always set with 429 and 503. */
  readonly retryAfterSeconds: number | null;
  /** False: the response tells client libraries not to retry automatically. */
  readonly mayRetry: boolean;
  readonly param: string | null;
  readonly details: ErrorDetails | null;
  readonly supplierDetails: ErrorDetails | null;
  readonly about: Readonly<Record<string, unknown>>;

  constructor(catalogueCode: ErrorCode, more: ApiErrorDetails = {}) {
    const entry = entryOf(catalogueCode);
    const supplierCode = cleanCode(more.supplierCode);
    const message = more.key === undefined ? null : { key: more.key, values: more.values };
    const humanMessage =
      cleanText(more.userMessage ?? (message === null ? undefined : say(message, "en"))) ?? entry.humanMessage;
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
    this.words = message;
    this.retryAfterSeconds = wholeSeconds(more.retryAfterSeconds, entry, this.status);
    this.mayRetry = !more.doNotRepeat && (entry.retry === "wait" || entry.retry === "same_key");
    this.param = cleanText(more.param) ?? null;
    this.details = cleanDetails(more.details);
    this.supplierDetails = cleanDetails(more.supplierDetails);
    this.about = more.about ?? {};
  }
}

/**
 * Creates the error for a code of the catalogue: `throw apiError("model_not_allowed")`, or with its own message,
 * `apiError("conflict", { key: "problems:conflict", param: "name" })`. Sanitises texts from outside (`userMessage`,
 * `param`, `supplierCode`, `details`): no control characters, no HTML, limited length.
 */
export function apiError(code: ErrorCode, more?: ApiErrorDetails): AppError {
  return new AppError(code, more);
}

/**
 * Returns any thrown value as an AppError; other values become `internal_error`, with the original as the cause only.
 */
export function toAppError(error: unknown): AppError {
  return error instanceof AppError ? error : new AppError("internal_error", { cause: error });
}

function usableStatus(status: number | undefined): number | undefined {
  return status !== undefined && Number.isInteger(status) && status >= 400 && status <= 599 ? status : undefined;
}

const DEFAULT_RETRY_SECONDS = 5;
const MAX_RETRY_SECONDS = 31 * 24 * 3600;

function wholeSeconds(seconds: number | undefined, entry: CatalogueEntry, status: number): number | null {
  if (seconds !== undefined && Number.isFinite(seconds)) {
    return Math.min(Math.max(Math.ceil(seconds), 0), MAX_RETRY_SECONDS);
  }
  if (entry.retryAfterSeconds !== null) return entry.retryAfterSeconds;
  return status === 429 || status === 503 ? DEFAULT_RETRY_SECONDS : null;
}
