import type { Hash } from "node:crypto";
import { join } from "node:path";
import { config } from "~/config.server";
import { apiError } from "~/errors/app-error";
import { readMultipart, type Upload, type UploadRules } from "~/http/body/multipart";
import type { InferenceRequest } from "../../../canonical/inference-request";

/** Maximum concurrent uploads on disk per process. It protects the disk; it is not a limit on usage. */
const MAX_UPLOADS = 128;
let uploads = 0;

/**
 * Reads a form with files from the connection to disk and parses it with `parse`. `release` of the returned request
 * frees the disk space.
 * @throws AppError those of `receiveForm` and of `parse`.
 */
export async function readFormUpload<Source>(
  request: Request,
  rules: Omit<UploadRules, "folder" | "pauseMs">,
  parse: (upload: Upload) => Promise<InferenceRequest<Source>>,
): Promise<InferenceRequest<Source>> {
  const { upload, release } = await receiveForm(request, rules);
  try {
    return { ...(await parse(upload)), release, digest: (hash) => digest(upload, hash) };
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * Reads a form with files from the connection to disk. `release` frees the disk space and may be repeated.
 * @throws AppError those of `readMultipart`; capacity_exceeded.
 */
export async function receiveForm(
  request: Request,
  rules: Omit<UploadRules, "folder" | "pauseMs">,
): Promise<{ upload: Upload; release(): void }> {
  if (uploads >= MAX_UPLOADS) throw apiError("capacity_exceeded");
  uploads += 1;
  let upload: Upload | null = null;
  let released = false;
  const release = () => {
    if (released) return;
    released = true;
    uploads -= 1;
    // The files are unlinked, so the last close deletes them; a failed close loses nothing.
    for (const { spool } of upload?.files ?? []) spool.close().catch(() => {});
  };
  try {
    const { dataDir, limits } = config();
    const folder = join(dataDir, "uploads");
    upload = await readMultipart(request, { ...rules, folder, pauseMs: limits.requestTimeoutMs });
    return { upload, release };
  } catch (error) {
    release();
    throw error;
  }
}

/** Hashes the fields and files, not the bytes of the form: its boundary differs each time. */
async function digest({ fields, files }: Upload, hash: Hash): Promise<void> {
  hash.update(JSON.stringify(fields));
  const isOne = files.length === 1;
  for (const { field, spool } of files) {
    // Separates the files.
    if (!isOne) hash.update(`\n${field} ${spool.size}\n`);
    for await (const piece of spool.pieces()) hash.update(piece);
  }
}
