import { randomBytes } from "node:crypto";
import type { Spool } from "~/http/body/spool";
import type { BodySource } from "../../../canonical/exchange";

/** A file in a form for a supplier: its field, file name and media type. */
export type FormFile = { field: string; spool: Spool; filename: string; contentType: string };

/** Returns a multipart form of fields and files on disk. Every attempt reads the files again. */
export function formBody(
  fields: readonly (readonly [name: string, value: string])[],
  files: readonly FormFile[],
): BodySource {
  // The boundary cannot be guessed, so no file contains it.
  const boundary = `gw-${randomBytes(24).toString("hex")}`;
  let head = "";
  for (const [name, value] of fields)
    head += `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"\r\n\r\n${value}\r\n`;
  const parts = files.map(({ field, spool, filename, contentType }, index) => ({
    spool,
    before: Buffer.from(
      `${index === 0 ? head : "\r\n"}--${boundary}\r\nContent-Disposition: form-data; name="${escaped(field)}"; ` +
        `filename="${filename}"\r\nContent-Type: ${contentType}\r\n\r\n`,
    ),
  }));
  const last = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    contentLength: parts.reduce((sum, { before, spool }) => sum + before.length + spool.size, last.length),
    async *open() {
      for (const { before, spool } of parts) {
        yield before;
        yield* spool.pieces();
      }
      yield last;
    },
  };
}

/** Escapes a field name in quotes in the same way as browsers. */
const escaped = (name: string) => name.replace(/["\r\n]/g, (character) => encodeURIComponent(character));
