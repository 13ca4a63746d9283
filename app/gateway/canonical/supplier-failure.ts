import type { ErrorCode } from "~/errors/catalogue";

/** Whether a failed attempt was executed; decides on a retry and on its possible cost. */
export type Executed = "no" | "unknown" | "yes";

/** Statuses of a proxy that timed out in front of a supplier, which may still execute the request. */
const GAVE_UP_WAITING: ReadonlySet<number> = new Set([499, 504, 524, 598, 599]);

/**
 * Returns whether an attempt was executed, judged by its response. An error status means no, except for a proxy that
 * timed out. A 2xx response that has begun means yes, whatever its content. `isSent`: part of the request has been
 * sent.
 */
export function executedBy({ status, isSent }: { status: number | null; isSent: boolean }): Executed {
  if (status === null) return isSent ? "unknown" : "no";
  if (status < 300) return "yes";
  return GAVE_UP_WAITING.has(status) ? "unknown" : "no";
}

/** Failure of an attempt. Adapters reject with this error only. */
export class SupplierFailure extends Error {
  override readonly name = "SupplierFailure";
  /** `too_large`: the answer exceeds a limit of gw. `credential`: nothing was sent, because there is no credential. */
  readonly kind: "connect" | "timeout" | "reset" | "status" | "protocol" | "too_large" | "aborted" | "credential";
  readonly executed: Executed;
  /** The supplier's HTTP status, if it answered. */
  readonly status: number | null;
  /** The supplier's own error code and type, if its body had them. */
  readonly supplierCode: string | null;
  readonly supplierType: string | null;
  /** The invalid field, by the supplier's name. */
  readonly supplierParam: string | null;
  /** Whether the message is the supplier's own and not gw's. */
  readonly isReported: boolean;
  /** Further details from the supplier's body, for client libraries of its dialect; of any shape. */
  readonly supplierDetails: unknown;
  /** Whole seconds, from the supplier's Retry-After. */
  readonly retryAfterSeconds: number | null;
  /** The catalogue's error code for this rejection by a supplier of this kind. */
  readonly asErrorCode: ErrorCode | null;

  constructor(
    kind: SupplierFailure["kind"],
    message: string,
    more: {
      executed: Executed;
      status?: number | null;
      supplierCode?: string | null;
      supplierType?: string | null;
      supplierParam?: string | null;
      isReported?: boolean;
      supplierDetails?: unknown;
      retryAfterSeconds?: number | null;
      asErrorCode?: ErrorCode | null;
      cause?: unknown;
    },
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.kind = kind;
    this.executed = more.executed;
    this.status = more.status ?? null;
    this.supplierCode = more.supplierCode ?? null;
    this.supplierType = more.supplierType ?? null;
    this.supplierParam = more.supplierParam ?? null;
    this.isReported = more.isReported ?? false;
    this.supplierDetails = more.supplierDetails ?? null;
    this.retryAfterSeconds = more.retryAfterSeconds ?? null;
    this.asErrorCode = more.asErrorCode ?? null;
  }
}
