import type { Lane } from "~/domain/catalogue/shared";
import { editMembers } from "~/http/json-surgery";
import type { Ask } from "../../canonical/ask";
import { ownFieldEdits } from "../wire/body-checks";
import type { SpeechSource } from "./read";

/** The body for the supplier, with the format named: suppliers' own defaults differ. */
export function forwardSpeech(ask: Ask, lane: Lane): string {
  const { text, members, body, format } = ask.source as SpeechSource;
  const edits = ownFieldEdits({ body, members }, lane);
  edits.response_format = JSON.stringify(format);
  return editMembers(text, members, edits);
}
