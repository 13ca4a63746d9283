import { createHash } from "node:crypto";
import type { Answer, SandboxDialect, SandboxRequest } from "./act";
import { bad } from "./chat-request";
import { chatError } from "./chat-wire";
import { composeText } from "./compose";
import { readOwnMp3 } from "./mp3";
import { readWav } from "./wav";

/** Transcription: the very text of a file that the sandbox spoke, and always the same words for any other file. */
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
  if (format === "text") return { contentType: "text/plain; charset=utf-8", body: Buffer.from(`${text}\n`) };
  const language = form.get("language")?.toString() ?? "en";
  const usage = usageOf(inference, seconds);
  const answer =
    format === "verbose_json"
      ? { task: "transcribe", language, duration: seconds, text, segments: [segment(text, seconds)], ...usage }
      : { text, ...usage };
  return { contentType: "application/json", body: Buffer.from(JSON.stringify(answer)) };
}

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

/** The parts of a multipart form by their names. @throws SupplierFailure 400 for anything else. */
function partsOf(body: Buffer, contentType: string): Map<string, Buffer> {
  const boundary = /boundary=(?:"([^"]{1,200})"|([^;\s]{1,200}))/i.exec(contentType);
  if (!boundary) throw bad("the body must be a multipart form");
  const delimiter = Buffer.from(`\r\n--${boundary[1] ?? boundary[2]}`);
  const parts = new Map<string, Buffer>();
  // The first delimiter stands at the very beginning, without the line end in front of it.
  let at = body.indexOf(delimiter.subarray(2));
  while (at >= 0) {
    const headersFrom = at + delimiter.length + (at === 0 ? -2 : 0);
    const headersEnd = body.indexOf("\r\n\r\n", headersFrom);
    const end = body.indexOf(delimiter, headersFrom);
    if (headersEnd < 0 || end < headersEnd) break;
    const name = /\bname="([^"]*)"/i.exec(body.toString("latin1", headersFrom, headersEnd))?.[1];
    if (name !== undefined) parts.set(name, body.subarray(headersEnd + 4, end));
    at = end;
  }
  return parts;
}
