import { type Answer, requestIn, type SandboxDialect, type SandboxRequest } from "../act";
import { bad } from "../chat-request";
import { chatError } from "../chat-wire";
import { melodyOf } from "./melody";
import { mp3Of } from "./mp3";
import { wavOf } from "./wav";

type SpeechRequest = { input?: unknown; voice?: unknown; response_format?: unknown; speed?: unknown };

/** Speech as a melody with one note per word. The text itself is in the file's comment. */
export const speech: SandboxDialect = {
  answer: answerSpeech,
  errorBody: chatError,
  errorEvent: chatError,
};

async function answerSpeech(inference: SandboxRequest): Promise<Answer> {
  const { input, voice, response_format: format, speed } = (await requestIn(inference)) as SpeechRequest;
  if (typeof input !== "string" || input === "") throw bad("input must be a text");
  if (format != null && format !== "mp3" && format !== "wav") throw bad("response_format must be mp3 or wav");
  const pace = typeof speed === "number" ? Math.min(4, Math.max(0.25, speed)) : 1;
  const melody = melodyOf(input, typeof voice === "string" ? voice : "", pace);
  return format === "wav"
    ? { contentType: "audio/wav", body: await wavOf(melody, input) }
    : { contentType: "audio/mpeg", body: await mp3Of(melody, input) };
}
