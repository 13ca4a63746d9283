import { DIALECTS } from "../../canonical/dialects";
import type { Dialect, Translator } from "../dialect";
import { readSpeechAnswer, SpeechReader } from "./answer";
import { forwardSpeech } from "./forward";
import { readSpeech, type SpeechSource } from "./read";

const MEDIA_TYPES = { mp3: "audio/mpeg", wav: "audio/wav" } as const;

/** The speech format: a text in, the bytes of an audio file out. */
export const speechDialect: Dialect<SpeechSource> = {
  name: "speech",
  endpoint: DIALECTS.speech.endpoint,
  streamTexts: null,
  read: readSpeech,
  // An audio file cannot contain an error. The connection is aborted instead, so that the file does not look complete.
  errorEvent: () => null,
  streamHeaders: (inference) => ({
    "content-type": MEDIA_TYPES[inference.source.format],
    "cache-control": "no-store",
  }),
  promptText: (inference) => inference.source.input,
};

/** Connects a speech client with a supplier of the same format: the audio passes through unchanged. */
export const speechToSpeech: Translator<SpeechSource> = {
  bytes: true,
  forward: forwardSpeech,
  readAnswer: (inference, body) => {
    const source = inference.source;
    return { ...readSpeechAnswer(source, body), contentType: MEDIA_TYPES[source.format] };
  },
  openStream: (inference) => new SpeechReader(inference.source),
};
