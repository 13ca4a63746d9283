/** Groups of codes by the action that they require of the client; the letters are those of the published reference. */
export type ErrorGroup = "S" | "R" | "A" | "P" | "B" | "C";

/** The category of an error; client libraries of both styles choose their exception by it and by the status. */
export type ErrorType =
  | "invalid_request_error"
  | "authentication_error"
  | "billing_error"
  | "permission_error"
  | "not_found_error"
  | "conflict_error"
  | "request_too_large"
  | "rate_limit_error"
  | "timeout_error"
  | "overloaded_error"
  | "api_error";

/**
 * Whether the same request may be sent again: `wait` after a pause; `same_key` with the same body and Idempotency-Key;
 * `after_change` once the cause is corrected; `check` after checking whether the work was done; `never`.
 */
export type RetryKind = "wait" | "same_key" | "after_change" | "check" | "never";

/** A row of `catalogue-rows.ts`; omitted fields follow from the status and the group. */
export type CatalogueRow = {
  status: number;
  userMessage: string;
  type?: ErrorType;
  retry?: RetryKind;
  /** Whole seconds; required with 429 and 503. */
  retryAfterSeconds?: number;
};

export type CatalogueEntry = {
  code: string;
  status: number;
  type: ErrorType;
  group: ErrorGroup;
  humanMessage: string;
  retry: RetryKind;
  retryAfterSeconds: number | null;
  /** A sentence on why gw never returns this code; null for a code in use. */
  reserved: string | null;
};

export const GROUPS: Readonly<Record<ErrorGroup, { title: string; action: string; retry: RetryKind }>> = {
  S: {
    title: "Codes with a rule of their own",
    action: "Each of these says exactly what to do. Several concern money or work that may already have happened.",
    retry: "never",
  },
  R: {
    title: "Wait, then try again",
    action:
      "Respect Retry-After, pause longer after each attempt, and stop after a few. Contact support if it goes on.",
    retry: "wait",
  },
  A: {
    title: "Sign in, or correct the key",
    action:
      "Check the key, token or session that is named, or have the administrator correct it. Never repeat a request with credentials that were refused.",
    retry: "after_change",
  },
  P: {
    title: "Get access, or change a rule",
    action:
      "Check the rules of the account, model, project or organisation. Correct the setting or obtain access before trying again.",
    retry: "after_change",
  },
  B: {
    title: "Check billing",
    action:
      "Review who pays, the balance, the spending limits and the payment set-up. Ask the billing administrator before trying again.",
    retry: "after_change",
  },
  C: {
    title: "Correct the request, or what it works on",
    action:
      "Read the message and the field it names, correct the request or the thing it works on, and try again only after that has changed.",
    retry: "after_change",
  },
};

export const RETRY_ADVICE: Readonly<Record<RetryKind, string>> = {
  wait: "Retry after the time in Retry-After, with growing pauses and a few times at most.",
  same_key: "Send the same body with the same Idempotency-Key again; never a new key.",
  after_change: "Try again only after the cause is corrected.",
  check: "Find out what has already happened before sending it again.",
  never: "Do not send it again. Give support the request ID.",
};

const TYPE_OF_STATUS: Readonly<Record<number, ErrorType>> = {
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  408: "timeout_error",
  409: "conflict_error",
  413: "request_too_large",
  424: "api_error",
  429: "rate_limit_error",
  504: "timeout_error",
  529: "overloaded_error",
};

/** Returns the default category of an HTTP status. */
export function typeOfStatus(status: number): ErrorType {
  return TYPE_OF_STATUS[status] ?? (status >= 500 ? "api_error" : "invalid_request_error");
}

/** Completes the rows of one group, in their order. */
export function completeRows(group: ErrorGroup, rows: Readonly<Record<string, CatalogueRow>>): CatalogueEntry[] {
  return Object.entries(rows).map(([code, row]) => ({
    code,
    status: row.status,
    type: row.type ?? typeOfStatus(row.status),
    group,
    humanMessage: row.userMessage,
    retry: row.retry ?? GROUPS[group].retry,
    retryAfterSeconds: row.retryAfterSeconds ?? null,
    reserved: null,
  }));
}
