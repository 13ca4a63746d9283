import { z } from "zod";
import type { NotesByOperation } from "../shared";
import { callHeaders, GatewayMetadata, lockErrors, Region, receiptHeaders } from "./inference-parts";

const ChatMessage = z
  .looseObject({
    role: z.enum(["system", "developer", "user", "assistant", "tool"]),
    content: z
      .union([z.string(), z.array(z.looseObject({ type: z.string() }))])
      .nullable()
      .optional()
      .describe("A text, or a list of parts: text, images by address or base64, audio, files."),
    tool_calls: z.array(z.looseObject({ id: z.string() })).optional(),
    tool_call_id: z.string().optional(),
  })
  .meta({ id: "ChatMessage" });

const ChatRequest = z
  .looseObject({
    model: z.string().describe("An id of the model listing, or `auto`."),
    messages: z.array(ChatMessage).min(1),
    stream: z.boolean().default(false).describe("Tokens as server-sent events."),
    temperature: z.number().min(0).max(2).default(1),
    top_p: z.number().min(0).max(1).default(1),
    max_tokens: z.int().min(1).optional().describe("The most tokens to generate; what is held follows from it."),
    max_completion_tokens: z.int().min(1).optional(),
    n: z.int().min(1).max(128).default(1),
    stop: z.union([z.string(), z.array(z.string())]).optional(),
    tools: z.array(z.looseObject({ type: z.string() })).optional(),
    tool_choice: z.union([z.string(), z.looseObject({})]).optional(),
    response_format: z.looseObject({ type: z.string() }).optional().describe("`json_object` or `json_schema`."),
    stream_options: z.looseObject({ include_usage: z.boolean().optional() }).optional(),
    service_tier: z.enum(["auto", "default", "flex", "priority"]).optional(),
    region: Region,
    metadata: GatewayMetadata,
  })
  .describe("Fields that gw does not know go to the supplier as they are.")
  .meta({ id: "ChatRequest" });

const Usage = z.looseObject({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int().describe("The sum of the other two."),
});

const ChatAnswer = z
  .looseObject({
    id: z.string(),
    object: z.literal("chat.completion"),
    model: z.string(),
    choices: z.array(
      z.looseObject({
        index: z.int(),
        message: z.looseObject({
          role: z.literal("assistant"),
          content: z
            .union([z.string(), z.array(z.looseObject({ type: z.string() }))])
            .nullable()
            .optional()
            .describe(
              "A text. Suppliers that write a list of parts, as Mistral does with thoughts, are passed on as they are.",
            ),
        }),
        finish_reason: z.string().nullable(),
      }),
    ),
    usage: Usage.optional().describe("Left out where the supplier reports none; what is charged is estimated then."),
  })
  .meta({ id: "ChatCompletion" });

const CompletionRequest = z
  .object({
    model: z.string().describe("An id of a chat model, or `auto`."),
    prompt: z.union([z.string(), z.array(z.string()).length(1)]).describe("What the model answers."),
    stream: z.boolean().default(false).describe("Text as server-sent events."),
    max_tokens: z.int().min(1).default(16).describe("The most tokens to generate; what is held follows from it."),
    temperature: z.number().min(0).max(2).default(1),
    top_p: z.number().min(0).max(1).default(1),
    stop: z.union([z.string(), z.array(z.string())]).optional(),
    frequency_penalty: z.number().optional(),
    presence_penalty: z.number().optional(),
    seed: z.int().optional(),
    user: z.string().optional(),
    stream_options: z.looseObject({ include_usage: z.boolean().optional() }).optional(),
    region: Region,
    metadata: GatewayMetadata,
  })
  .meta({ id: "CompletionRequest" });

const Completion = z
  .object({
    id: z.string(),
    object: z.literal("text_completion"),
    created: z.int(),
    model: z.string(),
    choices: z.array(
      z.object({
        index: z.int(),
        text: z.string(),
        logprobs: z.null(),
        finish_reason: z.enum(["stop", "length", "content_filter", "tool_calls"]),
      }),
    ),
    usage: Usage.optional(),
  })
  .meta({ id: "Completion" });

const Model = z
  .object({ id: z.string(), object: z.literal("model"), owned_by: z.string().describe("Whose model it is.") })
  .meta({ id: "Model" });

const ChatModel = Model.extend({
  created: z.int().describe("When the model came into the catalogue, in Unix seconds."),
  type: z.literal("base").optional().describe("For Mistral’s SDKs, with the next two."),
  max_context_length: z.int().optional(),
  capabilities: z.record(z.string(), z.boolean()).optional(),
}).meta({ id: "ChatModel" });

const ChatModels = z
  .object({
    object: z.literal("list"),
    data: z.array(ChatModel),
    first_id: z.string().nullish(),
    last_id: z.string().nullish(),
    has_more: z.boolean().optional(),
  })
  .meta({ id: "ChatModels" });

const MessagesModel = z
  .object({ type: z.literal("model"), id: z.string(), display_name: z.string(), created_at: z.iso.datetime() })
  .meta({ id: "MessagesModel" });

const MessagesModels = z
  .object({
    data: z.array(MessagesModel),
    has_more: z.boolean(),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
  })
  .meta({ id: "MessagesModels" });

const Health = z
  .object({
    status: z.string().describe("`ok` when healthy."),
    database: z.string().optional(),
    reason: z.string().optional(),
    late_jobs: z
      .array(z.string())
      .optional()
      .describe(
        "Jobs of the installation that have not succeeded for far too long. The process is ready all the same.",
      ),
    posting_lag_ms: z
      .number()
      .int()
      .optional()
      .describe(
        "How far the ledger is behind settled calls, where that is two seconds or more. The process is ready all the same.",
      ),
  })
  .meta({ id: "Health" });

/** Health, models, chat and completions. */
export const inferenceNotes: NotesByOperation = {
  "GET /health": {
    summary: "Check liveness; with ?ready, readiness",
    query: z.object({ ready: z.string().optional() }),
    parameters: { ready: "Also asks the database, and says 503 while the process drains." },
    answer: Health,
    unready: Health,
  },
  "GET /v1/models": {
    summary: "List models",
    description:
      "Applications and SDKs get the list object that they read, and plain tools such as curl a bare array; `object` decides. A version header answers the shape of the messages SDKs.",
    query: z.object({
      object: z.string().optional(),
      limit: z.coerce.number().int().min(1).optional(),
      after_id: z.string().optional(),
      before_id: z.string().optional(),
    }),
    parameters: {
      object: "`list` asks for the list object, `array` for the bare array.",
      limit: "How many models at most; left out, all of them.",
      after_id: "The id of the last model of the page before.",
      before_id: "The id of the first model of the page behind.",
    },
    headers: {
      "vendord-version": "Asks for the list of the messages SDKs. The SDKs’ own version header does the same.",
    },
    answer: z.union([z.array(Model), ChatModels, MessagesModels]),
    errors: ["missing_api_key", "invalid_api_key", "expired_api_key", "invalid_request"],
  },
  "GET /v1/models/{model}": {
    summary: "Retrieve a model",
    description: "The slashes of its name may be encoded. A version header answers the shape of the messages SDKs.",
    parameters: { model: "The model's name." },
    headers: {
      "vendord-version": "Asks for the shape of the messages SDKs. The SDKs’ own version header does the same.",
    },
    answer: z.union([ChatModel, MessagesModel]),
    errors: ["missing_api_key", "invalid_api_key", "expired_api_key", "model_not_found"],
  },
  "POST /v1/chat/completions": {
    summary: "Create a chat completion",
    description:
      "A stream ends with `data: [DONE]`. If it breaks after it has begun, it ends with one event that carries an error, and without [DONE].",
    headers: callHeaders,
    body: ChatRequest,
    answer: ChatAnswer,
    otherAnswers: [{ contentType: "text/event-stream" }],
    answerHeaders: receiptHeaders,
    errors: [...lockErrors, "context_length_exceeded", "autorouter_no_candidate", "stream_error"],
    example: { model: "sandbox-chat", messages: [{ role: "user", content: "Say hello." }] },
  },
  "POST /v1/completions": {
    summary: "Create a text completion",
    description:
      "The format of older clients: a prompt that any chat model answers. One prompt and one answer at a time; `suffix`, `echo`, `logprobs` and `logit_bias` are refused.",
    headers: callHeaders,
    body: CompletionRequest,
    answer: Completion,
    otherAnswers: [{ contentType: "text/event-stream" }],
    answerHeaders: receiptHeaders,
    errors: [
      ...lockErrors,
      "unsupported_parameter",
      "context_length_exceeded",
      "autorouter_no_candidate",
      "stream_error",
    ],
    example: { model: "sandbox-chat", prompt: "Say hello.", max_tokens: 64 },
  },
};
