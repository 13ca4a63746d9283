import type { Batch } from "~/domain/batches/shared";
import { unixSeconds } from "../unix-seconds";

/** Builds a batch object of the API's format. */
export function batchView(batch: Batch) {
  const { state, endedAt, errors } = batch;
  const endedAs = (end: Batch["outcome"]) => (state === end ? secondsOf(endedAt) : null);
  return {
    id: batch.id,
    object: "batch",
    endpoint: batch.endpoint,
    errors: errors === null ? null : { object: "list", data: errors },
    input_file_id: batch.inputFileId,
    completion_window: "24h",
    status: state,
    output_file_id: batch.outputFileId,
    error_file_id: batch.errorFileId,
    created_at: secondsOf(batch.createdAt),
    in_progress_at: secondsOf(batch.begunAt),
    expires_at: secondsOf(batch.expiresAt),
    finalizing_at: secondsOf(batch.finalizingAt),
    completed_at: endedAs("completed"),
    failed_at: endedAs("failed"),
    expired_at: endedAs("expired"),
    cancelling_at: secondsOf(batch.cancellingAt),
    cancelled_at: endedAs("cancelled"),
    request_counts: { total: batch.total, completed: batch.completed, failed: batch.failed },
    metadata: batch.metadata,
    processing: batch.processing,
  };
}

const secondsOf = (at: Date | null): number | null => at && unixSeconds(at);
