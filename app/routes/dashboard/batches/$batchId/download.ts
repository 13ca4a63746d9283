import { z } from "zod";
import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { readVisibleBatch } from "~/domain/batches/index.server";
import { findFile, readFile } from "~/domain/files/index.server";
import { apiError } from "~/errors/app-error";
import { fileResponse } from "~/http/file-response";
import { BatchParams } from "../params";
import { BATCH_FILES, fileIdOf } from "./batch-files.server";

const endpoint = portalEndpoint({
  allow: "viewer",
  params: BatchParams,
  query: z.object({ file: z.enum(BATCH_FILES).default("output") }),
  GET: async ({ actor, params, query, request }) => {
    const batch = await readVisibleBatch(db(), actor, params.batchId);
    const id = fileIdOf(batch, query.file);
    const file = id === null ? null : await findFile(db(), batch, id);
    if (file === null) throw apiError("not_found", { key: "rejections:noBatchFile" });
    return fileResponse(request, {
      name: `${batch.id}-${query.file}.jsonl`,
      type: "application/jsonl; charset=utf-8",
      size: file.bytes,
      etag: `"${file.id}"`,
      read: (range) => readFile(db(), batch, { id: file.id, ...range }),
    });
  },
});
export const loader = endpoint;
export const action = endpoint;
