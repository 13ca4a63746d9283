import type { Capability } from "~/domain/catalogue/shared";
import type { ErrorDialect } from "~/errors/envelope";

/** The facts of a client-facing wire format that other parts need without its code. */
type DialectFacts = {
  /** Path after `/v1/`, also the name in logs and usage records. */
  endpoint: string;
  /** Name in messages. */
  title: string;
  /** The capability of the models that it serves. */
  capability: Capability;
  /**
   * `translated`: requests and answers are texts, and other formats of suppliers can express them. `native`: texts, but
   * without translation. Null: no conversation.
   */
  conversation: "translated" | "native" | null;
  /** Answers contain text from a model, which guardrails check. */
  answersText: boolean;
  /** Style of error responses. */
  errors: ErrorDialect;
  /** Members that configure a request, besides `COMMON_SETTINGS`. Guardrails do not check the values as text. */
  settings: string;
};

const OF_RESPONSES =
  "store background service_tier previous_response_id conversation tool_choice reasoning prompt_cache_key safety_identifier include truncation thread";
const OF_IMAGES = "size quality style response_format";

/** Every dialect. A new one begins with its row here; the compiler then asks for the rest. See docs/decisions/076. */
export const DIALECTS = {
  chat: {
    endpoint: "chat/completions",
    title: "chat completions",
    capability: "chat",
    conversation: "translated",
    answersText: true,
    errors: "chat",
    settings:
      "stream_options store service_tier tool_choice response_format reasoning reasoning_effort prompt_cache_key safety_identifier modalities audio thinking stop",
  },
  completions: {
    endpoint: "completions",
    title: "text completions",
    capability: "chat",
    conversation: "translated",
    answersText: true,
    errors: "chat",
    settings: "stream_options stop",
  },
  messages: {
    endpoint: "messages",
    title: "messages",
    capability: "chat",
    conversation: "translated",
    answersText: true,
    errors: "messages",
    settings: "service_tier tool_choice container thinking context_management stop_sequences",
  },
  responses: {
    endpoint: "responses",
    title: "responses",
    capability: "chat",
    conversation: "translated",
    answersText: true,
    errors: "chat",
    settings: OF_RESPONSES,
  },
  native: {
    endpoint: "vendorb/responses",
    title: "native agents' responses",
    capability: "chat",
    conversation: "native",
    answersText: true,
    errors: "chat",
    settings: OF_RESPONSES,
  },
  embeddings: {
    endpoint: "embeddings",
    title: "embeddings",
    capability: "embedding",
    conversation: null,
    answersText: false,
    errors: "chat",
    settings: "encoding_format",
  },
  rerank: {
    endpoint: "rerank",
    title: "rerank",
    capability: "rerank",
    conversation: null,
    answersText: true,
    errors: "chat",
    settings: "",
  },
  moderation: {
    endpoint: "moderations",
    title: "moderations",
    capability: "moderation",
    conversation: null,
    answersText: false,
    errors: "chat",
    settings: "",
  },
  image: {
    endpoint: "images/generations",
    title: "image generation",
    capability: "image",
    conversation: null,
    answersText: true,
    errors: "chat",
    settings: OF_IMAGES,
  },
  imageEdit: {
    endpoint: "images/edits",
    title: "image edits",
    capability: "image",
    conversation: null,
    answersText: true,
    errors: "chat",
    settings: OF_IMAGES,
  },
  speech: {
    endpoint: "audio/speech",
    title: "speech",
    capability: "speech",
    conversation: null,
    answersText: false,
    errors: "chat",
    settings: "voice response_format",
  },
  transcription: {
    endpoint: "audio/transcriptions",
    title: "transcriptions",
    capability: "transcription",
    conversation: null,
    answersText: true,
    errors: "chat",
    settings: "response_format include",
  },
  translation: {
    endpoint: "audio/translations",
    title: "audio translations",
    capability: "transcription",
    conversation: null,
    answersText: true,
    errors: "chat",
    settings: "response_format",
  },
} as const satisfies Readonly<Record<string, DialectFacts>>;

/** Wire format for clients; a supplier's bytes are in one of them, too. */
export type DialectName = keyof typeof DIALECTS;

export const DIALECT_NAMES = Object.keys(DIALECTS) as readonly DialectName[];

/** The dialects that are translated to the formats of suppliers, and that `auto` and dry runs can read. */
export type TranslatedName = {
  [Name in DialectName]: (typeof DIALECTS)[Name]["conversation"] extends "translated" ? Name : never;
}[DialectName];

export const isTranslated = (name: DialectName): name is TranslatedName => DIALECTS[name].conversation === "translated";

export const TRANSLATED = DIALECT_NAMES.filter(isTranslated);

const COMMON_SETTINGS = "model region metadata user stream";

/** The settings of all dialects: suppliers may accept a setting of another dialect. */
export const SETTINGS: ReadonlySet<string> = new Set(
  [COMMON_SETTINGS, ...DIALECT_NAMES.map((name) => DIALECTS[name].settings)]
    .flatMap((names) => names.split(" "))
    .filter((name) => name !== ""),
);
