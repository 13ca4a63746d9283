import { config } from "~/config.server";
import { apiError } from "~/errors/app-error";
import type { Upload } from "~/http/body/multipart";
import type { Spool } from "~/http/body/spool";
import type { InferenceRequest } from "../../canonical/inference-request";
import { check, modelOf, regionOf, sessionIdOf } from "../wire/body-checks";
import { readFormUpload } from "../wire/media/form-upload";
import { refuseAuto } from "../wire/refuse-auto";
import { type AudioFormat, audioFormatOf, HEAD_BYTES } from "./audio-format";
import { type AudioLength, audioLengthOf } from "./duration";

/** The parsed form of a transcription or translation. */
export type TranscriptionSource = {
  file: Spool;
  format: AudioFormat;
  length: AudioLength;
  /** Fields for the supplier besides the model and the file, in the client's order. */
  fields: readonly (readonly [name: string, value: string])[];
  answerFormat: AnswerFormat;
};

/** The endpoint of a form; two endpoints accept it. */
type FormKind = { dialect: "transcription" | "translation"; endpoint: string };

const ANSWER_FORMATS = ["json", "text", "srt", "verbose_json", "vtt", "diarized_json"] as const;
export type AnswerFormat = (typeof ANSWER_FORMATS)[number];

const DEFAULT_MODEL = "whisper";

/**
 * Reads a transcription request: stores the form on disk, reads its fields, and detects the type of the file from its
 * content. `release` of the returned request frees the disk space.
 * @throws AppError unsupported_media_type, request_too_large, missing_fields, invalid_request, unsupported_parameter,
 *   capacity_exceeded.
 */
export function readTranscription(request: Request, kind: FormKind): Promise<InferenceRequest<TranscriptionSource>> {
  const rules = { fileFields: ["file"], fileBytes: config().limits.audioBodyBytes };
  return readFormUpload(request, rules, (upload) => parsedConversation(upload, kind));
}

async function parsedConversation(
  { fields, files }: Upload,
  kind: FormKind,
): Promise<InferenceRequest<TranscriptionSource>> {
  const file = files[0]?.spool ?? null;
  const formFields = new Map(fields);
  const model = formFields.get("model") ?? DEFAULT_MODEL;
  const requestedModel = modelOf({ model: model === "" ? DEFAULT_MODEL : model });
  refuseAuto(requestedModel);
  checkFields(fields, formFields);
  if (kind.dialect === "translation") refuseLanguage(formFields);
  if (file === null) throw apiError("missing_fields", { userMessage: "The field file is missing.", param: "file" });
  check(file.size > 0, "file", "is empty");
  const format = audioFormatOf(await file.read(0, HEAD_BYTES));
  if (format === null) {
    throw apiError("unsupported_media_type", {
      userMessage: "The file is not audio of a known kind. Send WAV, MP3, M4A, FLAC, OGG or WebM.",
      param: "file",
    });
  }
  const length = await audioLengthOf(file, format);
  const source: TranscriptionSource = {
    file,
    format,
    length,
    fields: forwarded(fields),
    answerFormat: answerFormatOf(formFields.get("response_format")),
  };
  return {
    ...kind,
    requestedModel,
    stream: false,
    region: regionOf({ region: formFields.get("region") || null }),
    sessionId: sessionIdOf({
      session_id: formFields.get("metadata[session_id]"),
      sticky_key: formFields.get("metadata[sticky_key]"),
    }),
    size: sizeOf(file.size, length, fields),
    retrySafe: true,
    source,
  };
}

/** Maximum input tokens per second of audio at suppliers that count tokens, and maximum tokens of text per second. */
const HEARD_TOKENS_A_SECOND = 50;
const SPOKEN_TOKENS_A_SECOND = 10;

function sizeOf(
  bodyBytes: number,
  { milliseconds, maxMs }: AudioLength,
  fields: Upload["fields"],
): InferenceRequest["size"] {
  const seconds = Math.ceil(maxMs / 1000);
  const textBytes = fields.reduce((sum, [, value]) => sum + Buffer.byteLength(value), 0);
  return {
    bodyBytes,
    hasMedia: true,
    maxInputTokens: seconds * HEARD_TOKENS_A_SECOND + textBytes,
    maxOutputTokens: seconds * SPOKEN_TOKENS_A_SECOND,
    choices: 1,
    milliseconds,
    maxMilliseconds: maxMs,
  };
}

/** gw's own fields, and fields that gw writes itself. */
const NOT_FORWARDED = new Set(["model", "region", "stream", "metadata[session_id]", "metadata[sticky_key]"]);

const forwarded = (fields: Upload["fields"]): [string, string][] =>
  fields
    .filter(([name, value]) => !NOT_FORWARDED.has(name) && !(name === "language" && value === ""))
    .map(([name, value]) => [name, name === "language" ? value.toLowerCase() : value]);

function checkFields(fields: Upload["fields"], formFields: ReadonlyMap<string, string>): void {
  for (const name of ["model", "language", "response_format", "region", "stream"]) {
    check(fields.filter(([other]) => other === name).length <= 1, name, "may be given once");
  }
  const language = formFields.get("language");
  check(language === undefined || language === "" || isIso6391(language), "language", "must be an ISO 639-1 code");
  const temperature = formFields.get("temperature");
  const isTemperature = temperature === undefined || (/^\d(\.\d{1,9})?$/.test(temperature) && Number(temperature) <= 1);
  check(isTemperature, "temperature", "must be a number from 0 to 1");
  if (!["", "false", undefined].includes(formFields.get("stream")?.toLowerCase())) {
    throw apiError("unsupported_parameter", {
      userMessage: "The text is answered as a whole. Leave stream out.",
      param: "stream",
    });
  }
}

/** Rejects `language`: translations are always into English. Suppliers reject it or read it as the spoken language. */
function refuseLanguage(formFields: ReadonlyMap<string, string>): void {
  if ((formFields.get("language") ?? "") === "") return;
  throw apiError("unsupported_parameter", {
    userMessage: "Translations are into English, from whatever is spoken. Leave language out.",
    param: "language",
  });
}

function answerFormatOf(value: string | undefined): AnswerFormat {
  const format = ANSWER_FORMATS.find((known) => known === (value || "json"));
  check(format !== undefined, "response_format", `must be one of ${ANSWER_FORMATS.join(", ")}`);
  return format;
}

const languages = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });

/** Whether a code is a two-letter language code. */
const isIso6391 = (code: string) => /^[a-z]{2}$/i.test(code) && languages.of(code.toLowerCase()) !== undefined;
