import { z } from "zod";
import type { NotesByOperation } from "../shared";
import { callHeaders, GatewayMetadata, lockErrors, Region, receiptHeaders } from "./inference-parts";

const MessagesTurn = z
  .looseObject({
    role: z.enum(["user", "assistant", "system"]),
    content: z
      .union([z.string(), z.array(z.looseObject({ type: z.string() }))])
      .describe("A text, or blocks: text, image, document, tool_use, tool_result, thinking."),
  })
  .meta({ id: "MessagesTurn" });

const MessagesRequest = z
  .looseObject({
    model: z.string().describe("An id of the model listing, or `auto`."),
    max_tokens: z.int().min(0),
    messages: z.array(MessagesTurn).min(1),
    system: z.union([z.string(), z.array(z.looseObject({}))]).optional(),
    tools: z.array(z.looseObject({})).optional(),
    tool_choice: z.looseObject({}).optional(),
    stream: z.boolean().default(false).describe("The full event sequence of the messages API."),
    temperature: z.number().min(0).max(1).optional(),
    top_p: z.number().min(0).max(1).optional(),
    stop_sequences: z.array(z.string()).optional(),
    region: Region,
    metadata: GatewayMetadata,
  })
  .describe("Fields that gw does not know go to a messages-style supplier as they are.")
  .meta({ id: "MessagesRequest" });

const MessagesAnswer = z
  .looseObject({
    id: z.string(),
    type: z.literal("message"),
    role: z.literal("assistant"),
    model: z.string(),
    content: z.array(z.looseObject({ type: z.string() })),
    stop_reason: z.string().nullable(),
    usage: z
      .looseObject({ input_tokens: z.int(), output_tokens: z.int() })
      .optional()
      .describe("Left out where the supplier reports none; what is charged is estimated then."),
  })
  .meta({ id: "Message" });

const versionHeaders = {
  ...callHeaders,
  "vendord-version": "The version of the messages API, a date. Accepted under the SDKs’ own name too.",
} as const;

const NativeRequest = z
  .looseObject({
    model: z.string().describe("A model that a native-agent supplier serves."),
    instructions: z.string().optional(),
    input: z.array(z.looseObject({})).min(1),
    stream: z.literal(true),
    store: z.boolean().optional().describe("Passed on unchanged."),
  })
  .meta({ id: "NativeAgentRequest" });

/** The messages API and the native agent endpoint. */
export const messagesNotes: NotesByOperation = {
  "POST /v1/messages": {
    summary: "Create a message",
    description:
      "Messages-style suppliers get the request as it is. For chat-style ones it is converted, both ways; what the other side cannot express is refused with `unsupported_parameter` and never dropped.",
    headers: versionHeaders,
    body: MessagesRequest,
    answer: MessagesAnswer,
    otherAnswers: [{ contentType: "text/event-stream" }],
    answerHeaders: receiptHeaders,
    errors: [...lockErrors, "missing_fields", "unsupported_parameter", "stream_error"],
    example: { model: "sandbox-messages", max_tokens: 64, messages: [{ role: "user", content: "Say hello." }] },
  },
  "POST /v1/messages/count_tokens": {
    summary: "Count input tokens",
    description:
      "Free. Counted by the supplier where it can, otherwise by gw’s tokenizer, as the header says; always by gw for a payer without money or budget. Counts against the key’s rate limit and passes its guardrails.",
    headers: { "vendord-version": versionHeaders["vendord-version"] },
    body: MessagesRequest.omit({ max_tokens: true, stream: true }).meta({ id: "CountTokensRequest" }),
    answer: z.object({ input_tokens: z.int() }),
    errors: [...lockErrors, "missing_fields", "rate_limit_exceeded", "request_rejected"],
    answerHeaders: { "x-gw-token-source": "`supplier` or `estimated`." },
    example: { model: "sandbox-messages", messages: [{ role: "user", content: "Say hello." }] },
  },
  "POST /v1/vendorb/responses": {
    summary: "Create a native agent response",
    description: "Passed through byte for byte, to native-agent credentials only. The response is always a stream.",
    headers: callHeaders,
    body: NativeRequest,
    otherAnswers: [{ contentType: "text/event-stream", description: "The supplier’s own events" }],
    errors: [...lockErrors, "invalid_request"],
    example: {
      model: "sandbox-agent",
      stream: true,
      input: [{ role: "user", content: [{ type: "input_text", text: "Say hello." }] }],
    },
  },
};
