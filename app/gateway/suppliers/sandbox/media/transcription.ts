import { createHash } from "node:crypto";
import type { Answer, SandboxDialect, SandboxRequest } from "../act";
import { bad } from "../chat-request";
import { chatError } from "../chat-wire";
import { composeText } from "../compose";
import { partsOf } from "../form";
import { readOwnMp3 } from "./mp3";
import { readWav } from "./wav";

/**
 * Transcription: the original text of a file that the sandbox spoke; for any other file words derived from its bytes.
 */
export const transcription: SandboxDialect = {
  answer: answerTranscription,
  errorBody: chatError,
  errorEvent: chatError,
};

async function answerTranscription(inference: SandboxRequest): Promise<Answer> {
  const form = partsOf(Buffer.from(inference.body), inference.contentType);
  const file = form.get("file");
  if (file === undefined || file.length === 0) throw bad("file is missing");
  const { text, seconds } = heard(file, inference.omitted);
  const format = form.get("response_format")?.toString() ?? "json";
  const plain = PLAIN[format]?.(text, seconds);
  if (plain !== undefined) return { contentType: "text/plain; charset=utf-8", body: Buffer.from(plain) };
  const language = form.get("language")?.toString() ?? "en";
  const transcript = { text, ...JSON_FORMATS[format]?.({ text, seconds, language }) };
  const answer = { ...transcript, ...usageOf(inference, seconds) };
  return { contentType: "application/json", body: Buffer.from(JSON.stringify(answer)) };
}

/** Formats other than JSON. Subtitles are one cue with the duration of the sound. */
const PLAIN: Readonly<Record<string, (text: string, seconds: number) => string>> = {
  text: (text) => `${text}\n`,
  srt: (text, seconds) => `1\n${clock(0, ",")} --> ${clock(seconds, ",")}\n${text}\n\n`,
  vtt: (text, seconds) => `WEBVTT\n\n${clock(0, ".")} --> ${clock(seconds, ".")}\n${text}\n\n`,
};

/** Additional members of the longer JSON formats. */
const JSON_FORMATS: Readonly<Record<string, (heard: { text: string; seconds: number; language: string }) => object>> = {
  verbose_json: ({ text, seconds, language }) => ({
    task: "transcribe",
    language,
    duration: seconds,
    segments: [segment(text, seconds)],
  }),
  diarized_json: ({ text, seconds }) => ({
    task: "transcribe",
    duration: seconds,
    segments: [{ type: "transcript.text.segment", id: "seg_0", start: 0, end: seconds, text, speaker: "A" }],
  }),
};

/** Formats seconds for subtitles: hours, minutes, seconds and, after the mark, milliseconds. */
const clock = (seconds: number, mark: string): string =>
  new Date(Math.round(seconds * 1_000)).toISOString().slice(11, 23).replace(".", mark);

const BYTES_A_SECOND = 16_000;
const WORDS_A_SECOND = 2.5;

function heard(file: Buffer, omitted: number): { text: string; seconds: number } {
  const wav = readWav(file, omitted);
  const own = readOwnMp3(file, omitted);
  const length = own?.seconds ?? wav?.seconds ?? (file.length + omitted) / BYTES_A_SECOND;
  const seconds = Math.round(length * 100) / 100;
  const spoken = own?.text ?? wav?.text;
  if (spoken) return { text: spoken, seconds };
  const words = Math.min(500, Math.max(3, Math.round(seconds * WORDS_A_SECOND)));
  const seed = createHash("sha256").update(file).digest("hex");
  const text = composeText({ text: `${words} words`, toolResults: [], attachments: 0, seed });
  return { text: text.charAt(0).toUpperCase() + text.slice(1), seconds };
}

const segment = (text: string, end: number) => ({
  id: 0,
  seek: 0,
  start: 0,
  end,
  text,
  tokens: [],
  temperature: 0,
  avg_logprob: -0.1,
  compression_ratio: 1,
  no_speech_prob: 0,
});

function usageOf(inference: SandboxRequest, seconds: number): object {
  if (inference.usage === "none") return {};
  return { usage: { type: "duration", seconds: inference.usage === "insane" ? -1 : Math.ceil(seconds) } };
}
