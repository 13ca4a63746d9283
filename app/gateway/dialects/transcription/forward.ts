import type { Route } from "~/domain/catalogue/shared";
import type { BodySource } from "../../canonical/exchange";
import type { InferenceRequest } from "../../canonical/inference-request";
import { formBody } from "../wire/media/form-body";
import { steers } from "../wire/steering-fields";
import { AUDIO_FORMATS } from "./audio-format";
import type { TranscriptionSource } from "./read";

/**
 * Returns the form for the supplier: the supplier's model name, the client's other fields, and the file from disk under
 * a name with the extension of its format. Every attempt reads the file again.
 */
export function forwardTranscription(inference: InferenceRequest<TranscriptionSource>, route: Route): BodySource {
  const { file, format, fields } = inference.source;
  const passed = fields.filter(([name]) => !steers(name.replace(/\[.*$/s, ""), route.supplier));
  return formBody(
    [["model", route.upstreamModel], ...passed],
    [{ field: "file", spool: file, filename: `audio.${format}`, contentType: AUDIO_FORMATS[format] }],
  );
}
