import { z } from "zod";
import { config } from "~/config.server";
import { db } from "~/connection/db.server";
import { cancelBatch, createBatch, findBatch, listBatches } from "~/domain/batches/index.server";
import { BATCH_ENDPOINTS, type Batch } from "~/domain/batches/shared";
import { findFile } from "~/domain/files/index.server";
import { apiError } from "~/errors/app-error";
import { readBody } from "~/http/body/read-body";
import { secondsAfter } from "../files/expires-after";
import { type KeyRequest, keyEndpoint, ownerOf } from "../key-endpoint";
import { listOf, pageOf } from "../list-page";
import { batchView } from "./batch-view";
import { checkedBody } from "./checked-body";

const MAX_BODY_BYTES = 64 * 1024;
const MAX_PAGE = 100;

const BatchRequest = z.object({
  input_file_id: z.string().min(1).max(200),
  endpoint: z.enum(BATCH_ENDPOINTS),
  completion_window: z.literal("24h"),
  metadata: z
    .record(z.string().max(64), z.string().max(512))
    .refine((entries) => Object.keys(entries).length <= 16)
    .nullish(),
  output_expires_after: z.object({ anchor: z.literal("created_at"), seconds: z.number() }).nullish(),
});

/** An owner's batches: create, or list, newest first. */
export const batches = keyEndpoint({
  async GET({ caller, query }) {
    const { after, limit } = pageOf(query, MAX_PAGE);
    const { batches: page, hasMore } = await listBatches(db(), ownerOf(caller), { after, limit });
    return listOf(page.map(batchView), hasMore);
  },
  POST: create,
});

/** A batch: read its state. */
export const batch = keyEndpoint({
  async GET({ caller, id }) {
    return batchView(present(await findBatch(db(), ownerOf(caller), id)));
  },
});

/** Cancels a batch: no more lines start. */
export const cancelledBatch = keyEndpoint({
  async POST({ caller, id }) {
    return batchView(present(await cancelBatch(db(), ownerOf(caller), id)));
  },
});

async function create({ request, caller }: KeyRequest) {
  if (config().files.days === 0)
    throw apiError("not_implemented", { userMessage: "This installation keeps no files, and has no batches." });
  const text = await readBody(request, MAX_BODY_BYTES, config().limits.requestTimeoutMs);
  const requested = checkedBody(text, BatchRequest);
  const owner = ownerOf(caller);
  const file = await findFile(db(), owner, requested.input_file_id);
  if (file === null) throw apiError("not_found", { userMessage: "There is no such file.", param: "input_file_id" });
  if (file.purpose !== "batch")
    throw apiError("validation_error", { userMessage: "The file is not one for batches.", param: "input_file_id" });
  const made = await createBatch(db(), owner, {
    keyId: caller.keyId,
    endpoint: requested.endpoint,
    inputFileId: file.id,
    metadata: requested.metadata ?? null,
    outputSeconds: requested.output_expires_after == null ? null : secondsAfter(requested.output_expires_after),
  });
  if (made === null)
    throw apiError("rate_limit_exceeded", {
      userMessage: "Too many batches are under way. Wait until some are over.",
      retryAfterSeconds: 60,
    });
  return batchView(made);
}

/** The same error for an unknown batch and for one of another owner. */
function present(match: Batch | null): Batch {
  if (match === null) throw apiError("not_found", { userMessage: "There is no such batch." });
  return match;
}
