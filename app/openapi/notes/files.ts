import { z } from "zod";
import type { NotesByOperation } from "../shared";

const KeyErrors = ["missing_api_key", "invalid_api_key", "expired_api_key"] as const;
const FileErrors = [...KeyErrors, "not_found"] as const;

const StoredFile = z
  .object({
    id: z.string(),
    object: z.literal("file"),
    bytes: z.int(),
    created_at: z.int().describe("Seconds since 1970."),
    expires_at: z.int(),
    filename: z.string(),
    purpose: z.enum(["batch", "batch_output"]),
    status: z.literal("processed"),
    status_details: z.null(),
  })
  .meta({ id: "File" });

const FileForm = z
  .object({
    file: z.string().meta({ format: "binary" }).describe("JSON Lines: a request on each line."),
    purpose: z.literal("batch"),
    "expires_after[anchor]": z.literal("created_at").optional(),
    "expires_after[seconds]": z
      .string()
      .optional()
      .describe("3600 to 2592000; at most for as long as the installation keeps files."),
  })
  .meta({ id: "FileForm" });

/** The files API. */
export const filesNotes: NotesByOperation = {
  "POST /v1/files": {
    summary: "Upload a file",
    description:
      "A file for a batch. It is encrypted, and there for keys of the same owner in the same organisation only.",
    body: FileForm,
    bodyType: "multipart/form-data",
    answer: StoredFile,
    errors: [
      ...KeyErrors,
      ...(["missing_fields", "invalid_request", "unsupported_parameter", "unsupported_media_type"] as const),
      ...(["invalid_expires_after", "request_too_large", "capacity_exceeded", "not_implemented"] as const),
    ],
  },
  "GET /v1/files": {
    summary: "List files",
    description: "The newest first; `order=asc`, `after`, `limit` (1 to 10000) and `purpose` choose among them.",
    answer: z.object({
      object: z.literal("list"),
      data: z.array(StoredFile),
      first_id: z.string().nullable(),
      last_id: z.string().nullable(),
      has_more: z.boolean(),
    }),
    errors: KeyErrors,
  },
  "GET /v1/files/{file_id}": { summary: "Retrieve a file", answer: StoredFile, errors: FileErrors },
  "DELETE /v1/files/{file_id}": {
    summary: "Delete a file",
    answer: z.object({ id: z.string(), object: z.literal("file"), deleted: z.literal(true) }),
    errors: [...FileErrors, "conflict"],
  },
  "GET /v1/files/{file_id}/content": {
    summary: "Download a file",
    otherAnswers: [{ contentType: "application/octet-stream" }],
    errors: FileErrors,
  },
};
