import { apiError } from "~/errors/app-error";
import { DIALECTS } from "../../canonical/dialects";
import type { Dialect, Translator } from "../dialect";
import { rejectStream } from "../wire/pass-through";
import { readTranscriptionAnswer } from "./answer";
import { forwardTranscription } from "./forward";
import { readTranscription, type TranscriptionSource } from "./read";

/** The transcription format: a multipart form with an audio file in, its text in the spoken language out. */
export const transcriptionDialect = formDialect("transcription");

/** The translation format: the same form and answers, with the text in English. */
export const translationDialect = formDialect("translation");

function formDialect(name: "transcription" | "translation"): Dialect<TranscriptionSource> {
  const { endpoint } = DIALECTS[name];
  return {
    name,
    endpoint,
    streamTexts: null,
    read() {
      throw apiError("unsupported_media_type", { userMessage: "Send the request as multipart/form-data." });
    },
    readUpload: (request) => readTranscription(request, { dialect: name, endpoint }),
    errorEvent: () => null,
    promptText: () => "",
  };
}

/** Connects a client with a supplier of the same format: the form is rewritten, the answer passes through. */
export const transcriptionToTranscription: Translator<TranscriptionSource> = {
  forward: forwardTranscription,
  readAnswer: (inference, body) => readTranscriptionAnswer(inference.source, body),
  openStream: rejectStream,
};
