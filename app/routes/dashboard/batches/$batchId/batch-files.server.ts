import { db } from "~/db.server";
import type { Batch } from "~/domain/batches/shared";
import { findFile } from "~/domain/files/index.server";

/** The files of a batch: what it answered, what it could not, and what it was asked. */
export const BATCH_FILES = ["output", "errors", "input"] as const;
export type BatchFile = (typeof BATCH_FILES)[number];

/** The file of that kind; null: the batch has none, or none yet. */
export const fileIdOf = (batch: Batch, file: BatchFile): string | null =>
  ({ output: batch.outputFileId, errors: batch.errorFileId, input: batch.inputFileId })[file];

export type BatchFileView = { file: BatchFile; id: string; kept: { bytes: number; until: Date } | null };

/** The files that a batch has; `kept` is null for one that has been deleted since. */
export async function filesOf(batch: Batch): Promise<BatchFileView[]> {
  const files = BATCH_FILES.map(async (file): Promise<BatchFileView[]> => {
    const id = fileIdOf(batch, file);
    if (id === null) return [];
    const found = await findFile(db(), batch, id);
    return [{ file, id, kept: found && { bytes: found.bytes, until: found.expiresAt } }];
  });
  return (await Promise.all(files)).flat();
}
