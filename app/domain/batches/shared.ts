export const BATCH_ENDPOINTS = ["/v1/chat/completions", "/v1/responses", "/v1/embeddings", "/v1/completions"] as const;
export type BatchEndpoint = (typeof BATCH_ENDPOINTS)[number];

/** How a batch can end. */
export type BatchOutcome = "completed" | "failed" | "cancelled" | "expired";
type BatchState = BatchOutcome | "validating" | "in_progress" | "finalizing" | "cancelling";

/** What is wrong with a line of the file, or with the batch as a whole (`line`: null). */
export type BatchError = { code: string; message: string; param: string | null; line: number | null };

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

/** Where a line stands in the input file: from byte `at`, `bytes` long. */
export type LinePlace = { position: number; at: number; bytes: number };

/** `tries`: how often it has been begun. `begun`: a call may have been made for it. */
export type BatchLine = LinePlace & { tries: number; begun: boolean };
