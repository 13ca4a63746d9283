import type { WebhookNote } from "~/domain/guardrails/shared";

export const BATCH_ENDPOINTS = ["/v1/chat/completions", "/v1/responses", "/v1/embeddings", "/v1/completions"] as const;
export type BatchEndpoint = (typeof BATCH_ENDPOINTS)[number];

/** Final states of a batch. */
export type BatchOutcome = "completed" | "failed" | "cancelled" | "expired";
export type BatchState = BatchOutcome | "validating" | "in_progress" | "finalizing" | "cancelling";

/** An error in a line of the file, or in the batch as a whole (`line`: null). */
export type BatchError = { code: string; message: string; param: string | null; line: number | null };

type SupplierBatchState = "preparing" | "creating" | "running" | "ended" | "refused";

/** Lines of a batch that a supplier processes as a batch of its own. */
export type SupplierBatch = {
  /** gw's own name, stored with the supplier's batch. */
  id: string;
  batchId: string;
  routeId: number;
  /** Name of the supplier, and of the credential whose account has the batch. */
  supplier: string;
  credential: string | null;
  /** Price of its lines: the version of a price list, and the factor for its prices in millionths. */
  priceVersion: number;
  priceMillionths: number;
  state: SupplierBatchState;
  /** The supplier's id of the batch; null: unknown, and the batch may not exist. */
  upstreamId: string | null;
  lines: number;
  /** It is time for a status request. */
  isDue: boolean;
  ageSeconds: number;
  /** Time since when the supplier may have it. */
  creatingAt: Date | null;
  cancellingAt: Date | null;
};

/** Processing by a supplier, as shown to the client; `reason`: why the supplier accepted no batch. */
type BatchProcessing = { supplier: string; lines: number; status: SupplierBatchState; reason: string | null };

export type Batch = {
  id: string;
  organisationId: number;
  userId: number | null;
  keyId: number;
  endpoint: BatchEndpoint;
  inputFileId: string;
  outputFileId: string | null;
  errorFileId: string | null;
  state: BatchState;
  /** Its final state, set when no more lines are started. */
  outcome: BatchOutcome | null;
  errors: readonly BatchError[] | null;
  metadata: Readonly<Record<string, string>> | null;
  /** Lifetime of its files in seconds; null: the installation's. */
  outputSeconds: number | null;
  /** Suppliers that process lines as batches of their own; empty: every line is a call. */
  processing: readonly BatchProcessing[];
  total: number;
  completed: number;
  failed: number;
  createdAt: Date;
  expiresAt: Date;
  begunAt: Date | null;
  finalizingAt: Date | null;
  cancellingAt: Date | null;
  endedAt: Date | null;
};

export const BATCH_STATES = [
  ...(["validating", "in_progress", "finalizing", "cancelling"] as const),
  ...(["completed", "failed", "cancelled", "expired"] as const),
] as const satisfies readonly BatchState[];

/**
 * A batch as the portal shows it: `keyName` is the name of its key, `chargedNanoUsd` the charges of its calls so far.
 */
export type BatchView = Batch & { keyName: string; chargedNanoUsd: bigint };

/** Position of a line in the input file: `bytes` bytes from byte `at` on. */
export type LinePlace = { position: number; at: number; bytes: number };

/** A line of a checked file. `routeId`: route whose supplier processes it in a batch; null: processed as a call. */
export type CheckedLine = LinePlace & { routeId: number | null };

/** `tries`: number of starts. `begun`: a call may have been made for it. */
export type BatchLine = LinePlace & { tries: number; begun: boolean };

/**
 * A line in a supplier's batch, with the call of its hold and its usage row, and with the decisions of guardrail
 * webhooks before it was sent; null: no webhook was called.
 */
export type SentLine = BatchLine & { callId: string; webhookNotes: readonly WebhookNote[] | null };
