import { apiError } from "~/errors/app-error";
import type { Member } from "~/http/json-surgery";
import type { ParsedJson } from "~/http/parse-json";
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
import { askedTierOf } from "../wire/service-tier";

/** What the native dialect keeps of a body: its text and where the members stand that gw exchanges. */
export type NativeSource = { text: string; members: readonly Member[]; body: NativeBody };

/** The members gw reads; everything else passes through unread. */
export type NativeBody = {
  model: string;
  input: unknown[];
  instructions?: string | null;
  tools?: unknown;
  metadata?: Record<string, unknown> | null;
  [other: string]: unknown;
};

/**
 * Reads a native agent's request. Only what gw itself needs is looked at: new kinds of items, tools and settings appear
 * all the time, and they reach the supplier as the client wrote them.
 */
export function readNative(text: string, parsed: ParsedJson | null = null): InferenceRequest {
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
    endpoint: "vendorb/responses",
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
      askedTier: askedTierOf(body),
    },
    // Responses are stored unless the client says otherwise.
    retrySafe: body.store === false,
    source,
  };
}

/** Work whose end gw does not know. */
function refuseBackground({ background }: Record<string, unknown>): void {
  if (background === true) {
    throw apiError("unsupported_parameter", {
      userMessage: "Work in the background is not supported here. Leave background out.",
      param: "background",
    });
  }
}

/** Whether more can go in than the body's own text: media, or what the supplier remembers. */
function isOpenEnded({ input, previous_response_id, conversation, prompt }: NativeBody): boolean {
  if (previous_response_id != null || conversation != null || prompt != null) return true;
  return input.some(hasResponsesMedia);
}

/**
 * How often the supplier's own tools can run. A request that offers them is an agent's usual one: where they have no price they
 * are left out.
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

/** Whether an item has parts, or stands for some, whose tokens have nothing to do with the length of its JSON. */
export function hasResponsesMedia(item: unknown): boolean {
  if (typeof item !== "object" || item === null) return false;
  const { type, content, output } = item as { type?: unknown; content?: unknown; output?: unknown };
  if (type === "item_reference" || type === "input_image" || type === "input_file" || type === "input_audio")
    return true;
  return [content, output].some((parts) => Array.isArray(parts) && parts.some(hasResponsesMedia));
}
