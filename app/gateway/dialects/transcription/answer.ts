import { NO_USAGE, type Usage } from "../../canonical/usage";
import type { WholeAnswer } from "../dialect";
import { answerObject, notAnAnswer } from "../wire/events/whole-json";
import type { TranscriptionSource } from "./read";

/**
 * Reads a transcription: a JSON object with a text, or the text itself in plain text formats. The length of the audio
 * is taken from the answer if it has one, else from the file.
 * @throws SupplierFailure `protocol`
 */
export function readTranscriptionAnswer(
  { answerFormat, length }: Pick<TranscriptionSource, "answerFormat" | "length">,
  body: Buffer,
): WholeAnswer {
  if (!answerFormat.endsWith("json")) return plainAnswer(body, length.milliseconds);
  const answer = answerObject(body);
  const { text } = answer;
  if (typeof text !== "string") throw notAnAnswer("the supplier's answer has no text");
  const reported = reportedUsage(answer, length.milliseconds);
  return {
    body,
    usage: reported ?? heard(length.milliseconds),
    estimated: reported === null,
    outputText: () => text,
  };
}

function plainAnswer(body: Buffer, milliseconds: number): WholeAnswer {
  if (body.length === 0) throw notAnAnswer("the supplier sent an empty answer");
  const text = body.toString("utf8");
  // A transcript does not start like an HTML page or an error object.
  if (/^\s{0,99}<(!doctype|html)/i.test(text)) throw notAnAnswer("the supplier's answer is a page");
  if (/^\s{0,99}\{\s{0,99}"error"/.test(text)) answerObject(body);
  return {
    body,
    contentType: "text/plain; charset=utf-8",
    usage: heard(milliseconds),
    estimated: true,
    outputText: () => text,
  };
}

const heard = (milliseconds: number): Usage => ({ ...NO_USAGE, milliseconds });

/** Reads the reported usage: `usage` in seconds or tokens, or the `duration` of a verbose answer. */
function reportedUsage({ usage, duration }: Record<string, unknown>, milliseconds: number): Usage | null {
  const reported = (typeof usage === "object" && usage !== null ? usage : {}) as Record<string, unknown>;
  const seconds = secondsOf(reported.seconds) ?? secondsOf(duration);
  const inputTokens = countOf(reported.input_tokens);
  const outputTokens = countOf(reported.output_tokens);
  if (inputTokens === null && seconds === null) return null;
  return {
    ...NO_USAGE,
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    milliseconds: seconds === null ? milliseconds : Math.ceil(seconds * 1000),
  };
}

function secondsOf(value: unknown): number | null {
  const seconds = typeof value === "string" && /^\d{1,9}(\.\d{1,12})?$/.test(value) ? Number(value) : value;
  return typeof seconds === "number" && seconds >= 0 && seconds < 1e9 ? seconds : null;
}

const countOf = (value: unknown): number | null =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null;
