import { apiError } from "~/errors/app-error";
import type { Dialect, Translator } from "../dialect";
import { notAnAnswer } from "../wire/whole-json";
import { readTranscriptionAnswer } from "./answer";
import { forwardTranscription } from "./forward";
import { readTranscription, type TranscriptionSource } from "./read";

/** The transcription format: a multipart form with a sound file in, its text out. */
export const transcriptionDialect: Dialect = {
  name: "transcription",
  endpoint: "audio/transcriptions",
  read() {
    throw apiError("unsupported_media_type", { userMessage: "Send the request as multipart/form-data." });
  },
  readUpload: readTranscription,
  errorEvent: () => null,
  promptText: () => "",
};

/** A transcription client and a supplier with the same format: the form is written anew, the answer passes through. */
export const transcriptionToTranscription: Translator = {
  forward: forwardTranscription,
  readAnswer: (inference, body) => readTranscriptionAnswer(inference.source as TranscriptionSource, body),
  openStream() {
    throw notAnAnswer("the supplier streamed what is never streamed");
  },
};
