import type { Route } from "~/domain/catalogue/shared";
import type { BodySource } from "../../canonical/exchange";
import type { InferenceRequest } from "../../canonical/inference-request";
import { formBody } from "../wire/form-body";
import { steers } from "../wire/steering-fields";
import { AUDIO_FORMATS } from "./audio-format";
import type { TranscriptionSource } from "./read";

/**
 * The form for the supplier: the supplier's name for the model, the client's other fields, and the file from the disk
 * under a name that says what it is. Every attempt reads it anew.
 */
export function forwardTranscription(inference: InferenceRequest, route: Route): BodySource {
  const { file, format, fields } = inference.source as TranscriptionSource;
  const passed = fields.filter(([name]) => !steers(name.replace(/\[.*$/s, ""), route.supplier));
  return formBody(
    [["model", route.upstreamModel], ...passed],
    [{ field: "file", spool: file, filename: `audio.${format}`, contentType: AUDIO_FORMATS[format] }],
  );
}
