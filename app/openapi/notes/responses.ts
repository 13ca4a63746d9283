import { z } from "zod";
import type { NotesByOperation } from "../shared";
import { callHeaders, GatewayMetadata, lockErrors, Region, receiptHeaders } from "./inference-parts";

const Item = z.looseObject({ type: z.string().optional() });

const ResponsesRequest = z
  .looseObject({
    model: z.string().describe("An id of the model listing, or `auto`."),
    input: z
      .union([z.string(), z.array(Item).min(1)])
      .describe("A text, or items: messages, function and custom tool calls and their outputs, reasoning."),
    instructions: z.string().nullish(),
    max_output_tokens: z.int().min(1).nullish(),
    tools: z.array(z.looseObject({ type: z.string() })).nullish(),
    tool_choice: z.union([z.string(), z.looseObject({})]).nullish(),
    reasoning: z.looseObject({ effort: z.string().nullish() }).nullish(),
    text: z.looseObject({ format: z.looseObject({ type: z.string() }).optional() }).nullish(),
    temperature: z.number().min(0).max(2).nullish(),
    top_p: z.number().min(0).max(1).nullish(),
    store: z.boolean().nullish().describe("Left out: the response is stored, for as long as the installation says."),
    previous_response_id: z
      .string()
      .nullish()
      .describe("A stored response, whose whole conversation goes before `input`."),
    stream: z.boolean().nullish().describe("The full event sequence, with sequence numbers."),
    region: Region,
    metadata: GatewayMetadata.nullish(),
  })
  .describe("Fields that gw does not know go to a supplier of the same format as they are.")
  .meta({ id: "ResponsesRequest" });

const ResponsesAnswer = z
  .looseObject({
    id: z.string(),
    object: z.literal("response"),
    created_at: z.number(),
    model: z.string(),
    status: z.string(),
    output: z.array(z.looseObject({ type: z.string() })),
    usage: z
      .looseObject({ input_tokens: z.int(), output_tokens: z.int() })
      .nullish()
      .describe("Left out where the supplier reports none; what is charged is estimated then."),
  })
  .meta({ id: "Response" });

const KEY_ERRORS = ["missing_api_key", "invalid_api_key", "expired_api_key", "not_found"] as const;

/** The responses API. */
export const responsesNotes: NotesByOperation = {
  "POST /v1/responses": {
    summary: "Create a response",
    description:
      "For every chat model. Suppliers that have this format get the request as it is; for all others it is converted, both ways. Tools that run at a supplier and fields that only tune are left out where the supplier has nothing like them, and named in `x-gw-dropped-params`; what changes the meaning is refused with `unsupported_parameter`. A stream that breaks ends with `response.failed`.",
    headers: callHeaders,
    body: ResponsesRequest,
    answer: ResponsesAnswer,
    otherAnswers: [{ contentType: "text/event-stream" }],
    answerHeaders: receiptHeaders,
    errors: [...lockErrors, "missing_fields", "unsupported_parameter", "not_found", "stream_error"],
    example: { model: "sandbox-chat", input: "Say hello." },
  },
  "GET /v1/responses/{response_id}": {
    summary: "Retrieve a stored response",
    answer: ResponsesAnswer,
    errors: KEY_ERRORS,
  },
  "DELETE /v1/responses/{response_id}": {
    summary: "Delete a stored response",
    answer: z.object({ id: z.string(), object: z.literal("response"), deleted: z.literal(true) }),
    errors: KEY_ERRORS,
  },
  "POST /v1/responses/{response_id}/cancel": {
    summary: "Cancel a response",
    description:
      "Refused for every response that is there: only work in the background can be cancelled, and none is accepted.",
    errors: [...KEY_ERRORS, "invalid_request"],
  },
  "GET /v1/responses/{response_id}/input_items": {
    summary: "List what led to a stored response",
    description: "The newest item first; `order=asc`, `after` and `limit` (1 to 100) page through them.",
    answer: z.object({
      object: z.literal("list"),
      data: z.array(z.looseObject({ id: z.string(), type: z.string() })),
      first_id: z.string().nullable(),
      last_id: z.string().nullable(),
      has_more: z.boolean(),
    }),
    errors: KEY_ERRORS,
  },
};
