import { apiError } from "~/errors/app-error";
import type { Member } from "~/http/body/json/json-surgery";
import type { ParsedJson } from "~/http/body/json/parse-json";
import { DIALECTS } from "../../canonical/dialects";
import type { InferenceRequest } from "../../canonical/inference-request";
import { billedToolsOf, hasResponsesMedia } from "../native/read";
import {
  check,
  checkFlag,
  checkNumber,
  checkObject,
  membersOf,
  modelOf,
  parseBody,
  regionOf,
  sessionIdOf,
  wholeNumber,
} from "../wire/body-checks";
import { requestedTierOf } from "../wire/service-tier";

/** A responses body: its text, the positions of its members for edits, and the parsed value. */
export type ResponsesSource = { text: string; members: readonly Member[]; body: ResponsesBody };

/** Members that gw reads; all others pass through unread. `input` is a list even if the client sent text. */
export type ResponsesBody = {
  model: string;
  input: readonly unknown[];
  instructions?: string | null;
  tools?: readonly unknown[] | null;
  metadata?: Record<string, unknown> | null;
  [other: string]: unknown;
};

/**
 * Reads a request for a response. Validates only the members that gw uses; a supplier of the same dialect gets all
 * others unchanged.
 */
export function readResponses(text: string, parsed: ParsedJson | null = null): InferenceRequest<ResponsesSource> {
  const written = parseBody(text, parsed);
  const requestedModel = modelOf(written);
  const body: ResponsesBody = { ...written, model: requestedModel, input: inputOf(written.input) };
  check(body.instructions == null || typeof body.instructions === "string", "instructions", "must be a text");
  check(body.tools == null || Array.isArray(body.tools), "tools", "must be a list");
  for (const name of ["stream", "store", "background"]) checkFlag(written, name);
  for (const name of ["metadata", "text", "reasoning"]) checkObject(written, name);
  checkNumber({ body: written, name: "temperature", low: 0, high: 2 });
  checkNumber({ body: written, name: "top_p", low: 0, high: 1 });
  refuseUnkept(written);
  const source: ResponsesSource = { text, members: membersOf(text, parsed), body };
  return {
    dialect: "responses",
    endpoint: DIALECTS.responses.endpoint,
    requestedModel,
    stream: written.stream === true,
    region: regionOf(written),
    sessionId: sessionIdOf(body.metadata),
    size: {
      bodyBytes: Buffer.byteLength(text),
      hasMedia: body.input.some(hasResponsesMedia),
      maxOutputTokens: wholeNumber(written, "max_output_tokens"),
      choices: 1,
      ...billedToolsOf(body),
      askedTier: requestedTierOf(written),
    },
    // gw disables storage at suppliers, whatever the client's value of `store`.
    retrySafe: true,
    source,
  };
}

/** Returns the items of an input; a text becomes a message of the user. */
function inputOf(input: unknown): readonly unknown[] {
  if (input === undefined)
    throw apiError("missing_fields", { userMessage: "The field input is missing.", param: "input" });
  if (typeof input === "string") return [{ type: "message", role: "user", content: input }];
  check(Array.isArray(input) && input.length > 0, "input", "must be a text or a list with at least one item");
  return input as readonly unknown[];
}

/** Rejects fields that require storage at the supplier, and work in the background. */
function refuseUnkept(body: Readonly<Record<string, unknown>>): void {
  if (body.background === true)
    throw refused("background", "Work in the background is not supported here. Leave background out.");
  if (body.conversation != null)
    throw refused("conversation", "Conversations are not kept here. Send the items of the conversation as input.");
  if (body.prompt != null)
    throw refused("prompt", "Stored prompts are not available here. Send the text as instructions.");
}

const refused = (param: string, userMessage: string) => apiError("unsupported_parameter", { userMessage, param });
