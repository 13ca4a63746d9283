import { apiError } from "~/errors/app-error";
import type { Dialect, Translator } from "../dialect";
import { neverStreamed } from "../wire/pass-through";
import { readTranscriptionAnswer } from "./answer";
import { forwardTranscription } from "./forward";
import { readTranscription, type TranscriptionSource } from "./read";

/** The transcription format: a multipart form with a sound file in, its text out, in the language that is spoken. */
export const transcriptionDialect = formDialect("transcription", "audio/transcriptions");

/** The same form and the same answers, with the text in English. */
export const translationDialect = formDialect("translation", "audio/translations");

function formDialect(name: "transcription" | "translation", endpoint: string): Dialect {
  return {
    name,
    endpoint,
    read() {
      throw apiError("unsupported_media_type", { userMessage: "Send the request as multipart/form-data." });
    },
    readUpload: (request) => readTranscription(request, { dialect: name, endpoint }),
    errorEvent: () => null,
    promptText: () => "",
  };
}

/** A client of one of the two and a supplier with the same format: the form is written anew, the answer passes through. */
export const transcriptionToTranscription: Translator = {
  forward: forwardTranscription,
  readAnswer: (inference, body) => readTranscriptionAnswer(inference.source as TranscriptionSource, body),
  openStream: neverStreamed,
};
