import { randomBytes } from "node:crypto";
import type { Route } from "~/domain/catalogue/shared";
import type { BodySource } from "../../canonical/exchange";
import type { InferenceRequest } from "../../canonical/inference-request";
import { steers } from "../wire/steering-fields";
import { AUDIO_FORMATS } from "./audio-format";
import type { TranscriptionSource } from "./read";

/**
 * The form for the supplier: the supplier's name for the model, the client's other fields, and the file from the disk
 * under a name that says what it is. Every attempt reads it anew.
 */
export function forwardTranscription(inference: InferenceRequest, route: Route): BodySource {
  const { file, format, fields } = inference.source as TranscriptionSource;
  // Nobody can guess it, so no file contains it.
  const boundary = `gw-${randomBytes(24).toString("hex")}`;
  let head = "";
  for (const [name = "", value] of [["model", route.upstreamModel], ...fields]) {
    if (steers(name.replace(/\[.*$/s, ""), route.supplier)) continue;
    head += `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"\r\n\r\n${value}\r\n`;
  }
  head += `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="audio.${format}"\r\n`;
  head += `Content-Type: ${AUDIO_FORMATS[format]}\r\n\r\n`;
  const first = Buffer.from(head);
  const last = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    contentLength: first.length + file.size + last.length,
    async *open() {
      yield first;
      yield* file.pieces();
      yield last;
    },
  };
}

/** A field's name inside its quotes, as browsers write it. */
const escaped = (name: string | undefined = "") =>
  name.replace(/["\r\n]/g, (character) => encodeURIComponent(character));
