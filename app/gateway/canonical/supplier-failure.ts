import type { ErrorCode } from "~/errors/catalogue";

/** How far an attempt had come when it failed: the ground for retrying it and for what it may have cost. */
export type Executed = "no" | "unknown" | "yes";

/**
 * How far an attempt had come, judged by what has come back: an error status is an answer without work, and whoever has begun an
 * answer of 2xx has worked, whatever stands in it. `isSent`: some of the request has left.
 */
export function executedBy({ status, isSent }: { status: number | null; isSent: boolean }): Executed {
  if (status !== null) return status < 300 ? "yes" : "no";
  return isSent ? "unknown" : "no";
}

/** Why an attempt failed. The only thing an adapter may reject with. */
export class SupplierFailure extends Error {
  override readonly name = "SupplierFailure";
  /** `too_large`: more than is taken of an answer. `credential`: nothing was sent, because there is nothing to sign in with. */
  readonly kind: "connect" | "timeout" | "reset" | "status" | "protocol" | "too_large" | "aborted" | "credential";
  readonly executed: Executed;
  /** The supplier's HTTP status, when it answered. */
  readonly status: number | null;
  /** The supplier's own error code and type, when its body had them. */
  readonly supplierCode: string | null;
  readonly supplierType: string | null;
  /** The field at fault, as the supplier names it. */
  readonly supplierParam: string | null;
  /** The message is the supplier's own, not gw's about it. */
  readonly isReported: boolean;
  /** What its body said beside them, for client libraries of its dialect; of any shape. */
  readonly supplierDetails: unknown;
  /** Whole seconds, from the supplier's Retry-After. */
  readonly retryAfterSeconds: number | null;
  /** The catalogue's own code for such a refusal by a supplier of this kind. */
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
