import type { Route } from "~/domain/catalogue/shared";
import { editMembers } from "~/http/body/json/json-surgery";
import type { InferenceRequest } from "../../canonical/inference-request";
import { ownFieldEdits } from "../wire/body-checks";
import type { SpeechSource } from "./read";

/** Returns the body for the supplier with an explicit format, because the suppliers' defaults differ. */
export function forwardSpeech(inference: InferenceRequest<SpeechSource>, route: Route): string {
  const { text, members, body, format } = inference.source;
  const edits = ownFieldEdits({ text, body, members }, route);
  edits.response_format = JSON.stringify(format);
  return editMembers(text, members, edits);
}
