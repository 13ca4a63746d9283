import { z } from "zod";
import type { NotesByOperation } from "../shared";

const KeyErrors = ["missing_api_key", "invalid_api_key", "expired_api_key"] as const;

const moment = z.int().nullable().describe("Seconds since 1970; null until then.");

const Batch = z
  .object({
    id: z.string(),
    object: z.literal("batch"),
    endpoint: z.string(),
    errors: z
      .object({
        object: z.literal("list"),
        data: z.array(
          z.object({
            code: z.string(),
            message: z.string(),
            param: z.string().nullable(),
            line: z.int().nullable().describe("The line of the file, from 1; null: the batch as a whole."),
          }),
        ),
      })
      .nullable(),
    input_file_id: z.string(),
    completion_window: z.literal("24h"),
    status: z.enum([
      ...(["validating", "in_progress", "finalizing", "completed", "failed", "cancelling"] as const),
      ...(["cancelled", "expired"] as const),
    ]),
    output_file_id: z.string().nullable(),
    error_file_id: z.string().nullable(),
    created_at: z.int(),
    in_progress_at: moment,
    expires_at: z.int(),
    finalizing_at: moment,
    completed_at: moment,
    failed_at: moment,
    expired_at: moment,
    cancelling_at: moment,
    cancelled_at: moment,
    request_counts: z.object({ total: z.int(), completed: z.int(), failed: z.int() }),
    metadata: z.record(z.string(), z.string()).nullable(),
    processing: z
      .array(
        z.object({
          supplier: z.string(),
          lines: z.int(),
          status: z.enum(["preparing", "creating", "running", "ended", "refused"]),
          reason: z.string().nullable().describe("Why the supplier took no batch; its lines are calls then."),
        }),
      )
      .describe("What suppliers have of it as batches of their own, at their price. All other lines are calls."),
  })
  .meta({ id: "Batch" });

const BatchRequest = z
  .looseObject({
    input_file_id: z.string(),
    endpoint: z.enum(["/v1/chat/completions", "/v1/responses", "/v1/embeddings", "/v1/completions"]),
    completion_window: z.literal("24h"),
    metadata: z.record(z.string(), z.string()).nullish(),
    output_expires_after: z
      .object({ anchor: z.literal("created_at"), seconds: z.int().min(3_600).max(2_592_000) })
      .nullish(),
  })
  .meta({ id: "BatchRequest" });

/** The batch API. */
export const batchesNotes: NotesByOperation = {
  "POST /v1/batches": {
    summary: "Create a batch",
    description:
      "Carries out each line of a file within a day, as a call of this key: with its limits, its money and its guardrails. Lines for a supplier that takes batches go there as one, at its price for them; all others are called at the ordinary price. Every line is checked before the first is carried out.",
    body: BatchRequest,
    answer: Batch,
    errors: [
      ...KeyErrors,
      ...(["not_found", "missing_fields", "validation_error", "invalid_json", "invalid_expires_after"] as const),
      ...(["rate_limit_exceeded", "not_implemented"] as const),
    ],
  },
  "GET /v1/batches": {
    summary: "List batches",
    description: "The newest first; `after` and `limit` (1 to 100) page through them.",
    answer: z.object({
      object: z.literal("list"),
      data: z.array(Batch),
      first_id: z.string().nullable(),
      last_id: z.string().nullable(),
      has_more: z.boolean(),
    }),
    errors: KeyErrors,
  },
  "GET /v1/batches/{batch_id}": { summary: "Retrieve a batch", answer: Batch, errors: [...KeyErrors, "not_found"] },
  "POST /v1/batches/{batch_id}/cancel": {
    summary: "Cancel a batch",
    description:
      "No more lines are begun, here and at suppliers; those under way are finished, and what is done is in the files.",
    answer: Batch,
    errors: [...KeyErrors, "not_found", "conflict"],
  },
};
