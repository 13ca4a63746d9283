import type { WebhookNote } from "~/domain/guardrails/shared";

export const BATCH_ENDPOINTS = ["/v1/chat/completions", "/v1/responses", "/v1/embeddings", "/v1/completions"] as const;
export type BatchEndpoint = (typeof BATCH_ENDPOINTS)[number];

/** How a batch can end. */
export type BatchOutcome = "completed" | "failed" | "cancelled" | "expired";
export type BatchState = BatchOutcome | "validating" | "in_progress" | "finalizing" | "cancelling";

/** What is wrong with a line of the file, or with the batch as a whole (`line`: null). */
export type BatchError = { code: string; message: string; param: string | null; line: number | null };

type SupplierBatchState = "preparing" | "creating" | "running" | "ended" | "refused";

/** Lines of a batch that are with a supplier, as a batch of its own. */
export type SupplierBatch = {
  /** gw's own name, which the supplier keeps with it. */
  id: string;
  batchId: string;
  routeId: number;
  /** The name of the supplier, and of its credential in whose account it lies. */
  supplier: string;
  credential: string | null;
  /** What its lines cost: a version of a price list, and what its prices are multiplied by, in millionths. */
  priceVersion: number;
  priceMillionths: number;
  state: SupplierBatchState;
  /** What the supplier calls it; null: that is not known, and perhaps there is none. */
  upstreamId: string | null;
  lines: number;
  /** It is time to ask about it. */
  isDue: boolean;
  ageSeconds: number;
  /** Since when the supplier may have it. */
  creatingAt: Date | null;
  cancellingAt: Date | null;
};

/** Where lines of a batch are, as its client may know it: with a supplier, and why they are not where that took none. */
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
  /** What it ends in, once no more lines are begun. */
  outcome: BatchOutcome | null;
  errors: readonly BatchError[] | null;
  metadata: Readonly<Record<string, string>> | null;
  /** For how long its files are kept; null: as long as the installation keeps files. */
  outputSeconds: number | null;
  /** The suppliers that have lines of it as batches of their own; empty: every line is a call. */
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

/** A batch as the portal shows it: `keyName` is that of its key, `chargedNanoUsd` what its calls have been charged so far. */
export type BatchView = Batch & { keyName: string; chargedNanoUsd: bigint };

/** Where a line stands in the input file: from byte `at`, `bytes` long. */
export type LinePlace = { position: number; at: number; bytes: number };

/** A line whose file has been checked. `routeId`: of the supplier that is to take it in a batch; null: it is carried out as a call. */
export type CheckedLine = LinePlace & { routeId: number | null };

/** `tries`: how often it has been begun. `begun`: a call may have been made for it. */
export type BatchLine = LinePlace & { tries: number; begun: boolean };

/**
 * A line that is in a supplier's batch, with the call that its hold and its usage row are of, and with what guardrail webhooks decided
 * about it before it was sent; null: none was asked.
 */
export type SentLine = BatchLine & { callId: string; webhookNotes: readonly WebhookNote[] | null };
