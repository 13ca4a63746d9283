import { apiError } from "~/errors/app-error";
import type { Member } from "~/http/body/json/json-surgery";
import type { ParsedJson } from "~/http/body/json/parse-json";
import { DIALECTS } from "../../canonical/dialects";
import type { InferenceRequest } from "../../canonical/inference-request";
import { billedUsesOf, MAX_TOOL_USES } from "../wire/billed-tools";
import {
  check,
  checkFlag,
  checkObject,
  membersOf,
  modelOf,
  parseBody,
  regionOf,
  sessionIdOf,
  wholeNumber,
} from "../wire/body-checks";
import { requestedTierOf } from "../wire/service-tier";

/** A native body: its text, the positions of its members for edits, and the parsed value. */
export type NativeSource = { text: string; members: readonly Member[]; body: NativeBody };

/** Members that gw reads; all others pass through unread. */
export type NativeBody = {
  model: string;
  input: unknown[];
  instructions?: string | null;
  tools?: unknown;
  metadata?: Record<string, unknown> | null;
  [other: string]: unknown;
};

/**
 * Reads a native agent's request. Validates only the members that gw uses. All others reach the supplier unchanged,
 * because vendors add new kinds of items, tools and settings all the time.
 */
export function readNative(text: string, parsed: ParsedJson | null = null): InferenceRequest<NativeSource> {
  const body = parseBody(text, parsed);
  const requestedModel = modelOf(body);
  if (body.input === undefined)
    throw apiError("missing_fields", { userMessage: "The field input is missing.", param: "input" });
  check(Array.isArray(body.input) && body.input.length > 0, "input", "must be a list with at least one item");
  check(body.instructions == null || typeof body.instructions === "string", "instructions", "must be a text");
  check(body.stream === true, "stream", "must be true: this endpoint always streams");
  checkFlag(body, "store");
  checkFlag(body, "background");
  checkObject(body, "metadata");
  refuseBackground(body);
  const source: NativeSource = { text, members: membersOf(text, parsed), body: body as NativeBody };
  return {
    dialect: "native",
    endpoint: DIALECTS.native.endpoint,
    requestedModel,
    stream: true,
    region: regionOf(body),
    sessionId: sessionIdOf(source.body.metadata),
    size: {
      bodyBytes: Buffer.byteLength(text),
      hasMedia: isOpenEnded(source.body),
      maxOutputTokens: wholeNumber(body, "max_output_tokens"),
      choices: 1,
      ...billedToolsOf(body),
      askedTier: requestedTierOf(body),
    },
    // By default the supplier stores responses, so a retry could store a second one.
    retrySafe: body.store === false,
    source,
  };
}

/** Rejects background work, because gw would not learn its end. */
function refuseBackground({ background }: Record<string, unknown>): void {
  if (background === true) {
    throw apiError("unsupported_parameter", {
      userMessage: "Work in the background is not supported here. Leave background out.",
      param: "background",
    });
  }
}

/** Whether the model may read more than the text of the body: media, or content stored at the supplier. */
function isOpenEnded({ input, previous_response_id, conversation, prompt }: NativeBody): boolean {
  if (previous_response_id != null || conversation != null || prompt != null) return true;
  return input.some(hasResponsesMedia);
}

/**
 * Returns the maximum uses of the supplier's billed tools. Agents offer them in most requests, so tools without a price
 * are removed instead of rejected.
 */
export function billedToolsOf(body: Readonly<Record<string, unknown>>): {
  maxToolUses?: number;
  toolsAreOptional?: true;
} {
  const uses = billedUsesOf(body.tools, "responses");
  if (uses === undefined) return {};
  return {
    maxToolUses: wholeNumber(body, "max_tool_calls", { low: 0, high: MAX_TOOL_USES }) ?? uses,
    toolsAreOptional: true,
  };
}

/** Whether an item contains or references parts whose token count is unrelated to the length of their JSON. */
export function hasResponsesMedia(item: unknown): boolean {
  if (typeof item !== "object" || item === null) return false;
  const { type, content, output } = item as { type?: unknown; content?: unknown; output?: unknown };
  if (type === "item_reference" || type === "input_image" || type === "input_file" || type === "input_audio")
    return true;
  return [content, output].some((parts) => Array.isArray(parts) && parts.some(hasResponsesMedia));
}
