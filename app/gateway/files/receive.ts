import { config } from "~/config.server";
import { db } from "~/connection/db.server";
import { finishFile, writeFile } from "~/domain/files/index.server";
import type { StoredFile } from "~/domain/files/shared";
import type { KeyOwner } from "~/domain/keys/shared";
import { apiError } from "~/errors/app-error";
import type { Upload } from "~/http/body/multipart";
import { receiveForm } from "../dialects/wire/media/form-upload";
import { secondsAfter } from "./expires-after";

const FIELDS = new Set(["purpose", "expires_after[anchor]", "expires_after[seconds]"]);

/**
 * Receives a file from a client. It is spooled to disk first, so that a file that is too large or incomplete never
 * reaches the database.
 * @throws AppError those of `receiveForm`; missing_fields, unsupported_parameter, validation_error,
 * invalid_expires_after; capacity_exceeded if the owner's quota is full
 */
export async function receiveFile(request: Request, owner: KeyOwner): Promise<StoredFile> {
  const { files, limits } = config();
  const { upload, release } = await receiveForm(request, { fileFields: ["file"], fileBytes: limits.fileBytes });
  try {
    const seconds = read(upload);
    const [file] = upload.files;
    if (file === undefined) throw apiError("missing_fields", { userMessage: "The file is missing.", param: "file" });
    const { spool, filename } = file;
    const written = await writeFile(db(), owner, {
      purpose: "batch",
      filename: readable(filename ?? "file.jsonl"),
      seconds,
      content: spool.pieces(),
      room: { bytes: spool.size, ownerBytes: files.ownerBytes },
    });
    if (written === null) throw full();
    const stored = await finishFile(db(), written);
    if (stored === null) throw apiError("not_found");
    return stored;
  } finally {
    release();
  }
}

/** Validates all fields and returns the file's lifetime in seconds. */
function read({ fields }: Upload): number {
  const formFields = new Map(fields);
  for (const [name] of fields)
    if (!FIELDS.has(name))
      throw apiError("unsupported_parameter", { userMessage: `A file takes no ${JSON.stringify(name)}.`, param: name });
  const purpose = formFields.get("purpose");
  if (purpose === undefined)
    throw apiError("missing_fields", { userMessage: "The field purpose is missing.", param: "purpose" });
  if (purpose !== "batch")
    throw apiError("unsupported_parameter", {
      userMessage: "Files are taken for batches: the purpose has to be batch.",
      param: "purpose",
    });
  const anchor = formFields.get("expires_after[anchor]");
  const seconds = formFields.get("expires_after[seconds]");
  return secondsAfter(anchor === undefined && seconds === undefined ? null : { anchor, seconds: Number(seconds) });
}

/** Replaces control characters in a name. */
const readable = (name: string): string => name.replace(/\p{C}|\p{Surrogate}/gu, "_");

const full = () =>
  apiError("capacity_exceeded", {
    userMessage: "There is no room for more files. Delete some, or wait until they expire.",
    doNotRepeat: true,
  });
