import { apiError } from "~/errors/app-error";
import type { Member } from "~/http/body/json/json-surgery";
import type { ParsedJson } from "~/http/body/json/parse-json";
import { DIALECTS } from "../../canonical/dialects";
import type { InferenceRequest } from "../../canonical/inference-request";
import {
  check,
  checkNumber,
  checkObject,
  membersOf,
  modelOf,
  parseBody,
  regionOf,
  sessionIdOf,
} from "../wire/body-checks";
import { refuseAuto } from "../wire/refuse-auto";

/** A speech body: its text, the positions of its members for edits, and the parsed values. */
export type SpeechSource = {
  text: string;
  members: readonly Member[];
  body: Record<string, unknown>;
  input: string;
  characters: number;
  format: "mp3" | "wav";
};

/** Maximum length of the text in code points. */
const MAX_CHARACTERS = 4096;

/**
 * Reads a speech request.
 * @throws AppError missing_model, missing_fields, invalid_request, unsupported_parameter, unsupported_auto_mode.
 */
export function readSpeech(text: string, parsed: ParsedJson | null = null): InferenceRequest<SpeechSource> {
  const body = parseBody(text, parsed);
  const requestedModel = modelOf(body);
  refuseAuto(requestedModel);
  const { input, voice } = body;
  if (input == null) throw apiError("missing_fields", { userMessage: "The field input is missing.", param: "input" });
  check(typeof input === "string" && input !== "", "input", "must be a text");
  // A code point takes one or two UTF-16 units, so a text of more than twice the maximum need not be counted.
  const characters = input.length > 2 * MAX_CHARACTERS ? input.length : charactersOf(input);
  check(characters <= MAX_CHARACTERS, "input", `may have at most ${MAX_CHARACTERS} characters; it has ${characters}`);
  const isVoice = voice == null || (typeof voice === "string" && voice !== "") || typeof voice === "object";
  check(isVoice, "voice", "must be the name of a voice");
  const format = body.response_format ?? "mp3";
  check(format === "mp3" || format === "wav", "response_format", "must be mp3 or wav");
  checkNumber({ body, name: "speed", low: 0.25, high: 4 });
  checkObject(body, "metadata");
  if (body.stream_format != null && body.stream_format !== "audio") {
    throw apiError("unsupported_parameter", {
      userMessage: "The answer is always the audio itself. Leave stream_format out.",
      param: "stream_format",
    });
  }
  const bodyBytes = Buffer.byteLength(text);
  const source: SpeechSource = { text, members: membersOf(text, parsed), body, input, characters, format };
  return {
    dialect: "speech",
    endpoint: DIALECTS.speech.endpoint,
    requestedModel,
    stream: false,
    region: regionOf(body),
    sessionId: sessionIdOf(body.metadata as Record<string, unknown> | null),
    // Suppliers report no usage with audio, so output is never charged by tokens.
    size: { bodyBytes, hasMedia: false, maxInputTokens: bodyBytes, maxOutputTokens: 0, choices: 1, characters },
    retrySafe: true,
    source,
  };
}

/** Counts code points, as suppliers do. */
function charactersOf(text: string): number {
  let pairs = 0;
  for (let at = 1; at < text.length; at += 1) {
    const isPair = (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
    if (isPair) pairs += 1;
  }
  return text.length - pairs;
}
