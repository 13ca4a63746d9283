import { z } from "zod";
import type { NotesByOperation, OperationNotes } from "../shared";
import { callHeaders, lockErrors, Region, receiptHeaders } from "./inference-parts";

const errors = [...lockErrors, "missing_fields", "unsupported_auto_mode"];

const { "x-gw-autorouter": _, "x-gw-fit-output": __, "x-gw-strict-params": ___, ...mediaHeaders } = callHeaders;

const EmbeddingsRequest = z
  .looseObject({
    model: z.string(),
    input: z
      .union([z.string().min(1), z.array(z.string()).min(1), z.array(z.int()).min(1), z.array(z.array(z.int())).min(1)])
      .describe("A text or a list of at most 2048; each at most 2048 tokens. Lists of token ids are taken too."),
    encoding_format: z.enum(["float", "base64"]).default("float"),
    dimensions: z.int().min(1).optional(),
    region: Region,
  })
  .meta({ id: "EmbeddingsRequest" });

const Embeddings = z
  .looseObject({
    object: z.literal("list"),
    model: z.string(),
    data: z.array(
      z.looseObject({
        object: z.literal("embedding"),
        index: z.int().describe("Position of the input."),
        embedding: z.union([z.array(z.number()), z.string()]),
      }),
    ),
    usage: z.looseObject({ prompt_tokens: z.int(), total_tokens: z.int() }),
  })
  .meta({ id: "Embeddings" });

const RerankRequest = z
  .looseObject({
    model: z.string(),
    query: z.string().min(1),
    documents: z.array(z.union([z.string(), z.looseObject({ text: z.string() })])).min(1),
    top_n: z.int().min(1).optional(),
    return_documents: z.boolean().default(false),
    region: Region,
  })
  .meta({ id: "RerankRequest" });

const Ranking = z
  .looseObject({
    model: z.string().optional(),
    results: z
      .array(z.looseObject({ index: z.int().describe("Position in the request."), relevance_score: z.number() }))
      .describe("Best first."),
  })
  .meta({ id: "Ranking" });

const rerank: OperationNotes = {
  summary: "Rerank documents",
  headers: mediaHeaders,
  body: RerankRequest,
  answer: Ranking,
  answerHeaders: receiptHeaders,
  errors,
  example: { model: "sandbox-rerank", query: "capital of France", documents: ["Paris is a city.", "Cats sleep."] },
};

const SpeechRequest = z
  .looseObject({
    model: z.string(),
    input: z.string().min(1).max(4096),
    voice: z.string().optional().describe("Of the model; left out, the model’s default."),
    response_format: z.enum(["mp3", "wav"]).default("mp3"),
    speed: z.number().min(0.25).max(4).default(1),
    region: Region,
  })
  .meta({ id: "SpeechRequest" });

const TranscriptionForm = z
  .looseObject({
    file: z
      .string()
      .meta({ format: "binary" })
      .describe("At most 25 MB: WAV, MP3, M4A, FLAC, OGG or WebM, by its content."),
    model: z.string().default("whisper"),
    language: z.string().optional().describe("ISO 639-1; detected when left out."),
    response_format: z.enum(["json", "text", "srt", "verbose_json", "vtt", "diarized_json"]).default("json"),
    region: Region,
  })
  .meta({ id: "TranscriptionForm" });

const TranslationForm = TranscriptionForm.omit({ language: true }).meta({ id: "TranslationForm" });

const ModerationRequest = z
  .looseObject({
    model: z.string(),
    input: z
      .union([
        z.string().min(1),
        z.array(z.string().min(1)).min(1).max(2048),
        z.array(z.looseObject({ type: z.enum(["text", "image_url"]) })).min(1),
      ])
      .describe("A text; a list of texts, each judged by itself; or a list of parts that are judged together."),
    region: Region,
  })
  .meta({ id: "ModerationRequest" });

const Moderation = z
  .looseObject({
    model: z.string().optional(),
    results: z.array(
      z.looseObject({
        flagged: z.boolean(),
        categories: z.record(z.string(), z.boolean()).optional(),
        category_scores: z.record(z.string(), z.number()).optional(),
      }),
    ),
  })
  .meta({ id: "Moderation" });

const ImageRequest = z
  .looseObject({
    model: z.string(),
    prompt: z.string().min(1),
    n: z.int().min(1).max(10).default(1),
    size: z.string().optional().describe("Such as 1024x1024; what a model knows is the supplier’s to say."),
    quality: z.string().optional(),
    region: Region,
  })
  .meta({ id: "ImageRequest" });

const ImageEditForm = z
  .looseObject({
    image: z
      .string()
      .meta({ format: "binary" })
      .describe("PNG, JPEG or WebP, by its content; up to 16 as `image` or `image[]`, 50 MB all together."),
    mask: z.string().meta({ format: "binary" }).optional().describe("Where to edit: its transparent places."),
    model: z.string(),
    prompt: z.string().min(1),
    n: z.int().min(1).max(10).default(1),
    size: z.string().optional(),
    quality: z.string().optional(),
    region: Region,
  })
  .meta({ id: "ImageEditForm" });

const Images = z
  .looseObject({
    created: z.int().optional(),
    data: z.array(z.looseObject({ b64_json: z.string().optional(), url: z.string().optional() })),
    usage: z.looseObject({ input_tokens: z.int(), output_tokens: z.int() }).optional(),
  })
  .meta({ id: "Images" });

/** Embeddings, reranking, moderations, images and audio. */
export const mediaNotes: NotesByOperation = {
  "POST /v1/embeddings": {
    summary: "Create embeddings",
    headers: mediaHeaders,
    body: EmbeddingsRequest,
    answer: Embeddings,
    answerHeaders: receiptHeaders,
    errors: [...errors, "context_length_exceeded"],
    example: { model: "sandbox-embed", input: ["first text", "second text"] },
  },
  "POST /v1/rerank": rerank,
  "POST /v2/rerank": {
    ...rerank,
    summary: "Rerank documents (path used by newer rerank SDKs)",
  },
  "POST /v1/moderations": {
    summary: "Create moderation",
    headers: mediaHeaders,
    body: ModerationRequest,
    answer: Moderation,
    answerHeaders: receiptHeaders,
    errors,
    example: { model: "sandbox-moderation", input: "I like this park." },
  },
  "POST /v1/images/generations": {
    summary: "Create images",
    headers: mediaHeaders,
    body: ImageRequest,
    answer: Images,
    answerHeaders: receiptHeaders,
    errors: [...errors, "unsupported_parameter"],
    example: { model: "sandbox-image", prompt: "A lighthouse at dusk", size: "1024x1024" },
  },
  "POST /v1/images/edits": {
    summary: "Edit images",
    headers: mediaHeaders,
    body: ImageEditForm,
    bodyType: "multipart/form-data",
    answer: Images,
    answerHeaders: receiptHeaders,
    errors: [...errors, "unsupported_media_type", "unsupported_parameter"],
  },
  "POST /v1/audio/speech": {
    summary: "Create speech",
    headers: mediaHeaders,
    body: SpeechRequest,
    otherAnswers: [{ contentType: "audio/mpeg", description: "The audio" }, { contentType: "audio/wav" }],
    answerHeaders: receiptHeaders,
    errors,
    example: { model: "sandbox-tts", input: "Good morning.", response_format: "wav" },
  },
  "POST /v1/audio/transcriptions": {
    summary: "Create transcription",
    headers: mediaHeaders,
    body: TranscriptionForm,
    bodyType: "multipart/form-data",
    answer: z.looseObject({ text: z.string() }).meta({ id: "Transcription" }),
    otherAnswers: [{ contentType: "text/plain" }],
    answerHeaders: receiptHeaders,
    errors: [...errors, "unsupported_media_type"],
  },
  "POST /v1/audio/translations": {
    summary: "Create translation (the text of a sound file, in English)",
    headers: mediaHeaders,
    body: TranslationForm,
    bodyType: "multipart/form-data",
    answer: z.looseObject({ text: z.string() }).meta({ id: "Translation" }),
    otherAnswers: [{ contentType: "text/plain" }],
    answerHeaders: receiptHeaders,
    errors: [...errors, "unsupported_media_type", "unsupported_parameter"],
  },
};
