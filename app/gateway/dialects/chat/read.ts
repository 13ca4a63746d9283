import { apiError } from "~/errors/app-error";
import type { Member } from "~/http/body/json/json-surgery";
import type { ParsedJson } from "~/http/body/json/parse-json";
import { DIALECTS } from "../../canonical/dialects";
import type { InferenceRequest } from "../../canonical/inference-request";
import { billedUsesOf } from "../wire/billed-tools";
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

/** A chat body: its text, the positions of its members for edits, and the parsed value. */
export type ChatSource = {
  text: string;
  members: readonly Member[];
  body: ChatBody;
  /** The client requested usage in its stream. */
  wantsUsage: boolean;
};

/** Members that gw reads; all others pass through unread. */
export type ChatBody = {
  model: string;
  messages: { role: string; content?: unknown }[];
  stream?: boolean | null;
  stream_options?: { include_usage?: unknown } | null;
  metadata?: Record<string, unknown> | null;
  [other: string]: unknown;
};

/**
 * Reads a chat completion request. Validates by hand instead of by a schema, because this runs for every request.
 * Members that gw does not read must reach the supplier unchanged.
 */
export function readChat(text: string, parsed: ParsedJson | null = null): InferenceRequest<ChatSource> {
  const body = parseBody(text, parsed);
  const requestedModel = modelOf(body);
  checkMessages(body.messages);
  checkNumber({ body, name: "temperature", low: 0, high: 2 });
  checkNumber({ body, name: "top_p", low: 0, high: 1 });
  checkFlag(body, "stream");
  checkObject(body, "stream_options");
  checkObject(body, "metadata");

  const choices = wholeNumber(body, "n", { high: 128 }) ?? 1;
  const ceilings = [wholeNumber(body, "max_tokens"), wholeNumber(body, "max_completion_tokens")];
  const present = ceilings.filter((ceiling) => ceiling !== null);
  const maxToolUses = maxToolUsesOf(body, choices);
  const source: ChatSource = {
    text,
    members: membersOf(text, parsed),
    body: body as ChatBody,
    wantsUsage: (body.stream_options as ChatBody["stream_options"])?.include_usage === true,
  };
  return {
    dialect: "chat",
    endpoint: DIALECTS.chat.endpoint,
    requestedModel,
    stream: body.stream === true,
    region: regionOf(body),
    sessionId: sessionIdOf(source.body.metadata),
    size: {
      bodyBytes: Buffer.byteLength(text),
      hasMedia: hasMedia(source.body.messages),
      maxOutputTokens: present.length === 0 ? null : Math.max(...present),
      choices,
      maxToolUses,
      readsMore: maxToolUses !== undefined,
      askedTier: requestedTierOf(body),
    },
    retrySafe: body.store !== true,
    source,
  };
}

function checkMessages(messages: unknown): void {
  if (messages === undefined)
    throw apiError("missing_fields", { userMessage: "The field messages is missing.", param: "messages" });
  check(Array.isArray(messages) && messages.length > 0, "messages", "must be a list with at least one message");
  const list = messages as unknown[];
  for (let index = 0; index < list.length; index += 1) {
    const fault = faultOf(list[index]);
    if (fault !== null) check(false, `messages[${index}]${fault.field}`, fault.rule);
  }
}

/** Returns the error in a message, or null. Agents send hundreds of messages, so valid ones cause no allocation. */
function faultOf(message: unknown): { field: "" | ".role" | ".content"; rule: string } | null {
  if (typeof message !== "object" || message === null || Array.isArray(message))
    return { field: "", rule: "must be an object" };
  const { role, content } = message as { role?: unknown; content?: unknown };
  if (typeof role !== "string" || !ROLES.has(role))
    return { field: ".role", rule: `must be one of ${[...ROLES].join(", ")}` };
  if (content != null && typeof content !== "string" && !Array.isArray(content))
    return { field: ".content", rule: "must be a text or a list of parts" };
  return null;
}

const ROLES = new Set(["system", "developer", "user", "assistant", "tool", "function"]);

/** Returns the maximum uses of billed tools. A model with built-in search counts one search per answer. */
function maxToolUsesOf({ web_search_options, tools }: Record<string, unknown>, choices: number): number | undefined {
  const uses = billedUsesOf(tools, "chat");
  if (web_search_options == null) return uses === undefined ? undefined : uses * choices;
  return ((uses ?? 0) + 1) * choices;
}

function hasMedia(messages: ChatBody["messages"]): boolean {
  for (const { content } of messages) {
    if (!Array.isArray(content)) continue;
    for (const part of content) {
      const type = (part as { type?: unknown } | null)?.type;
      if (type !== "text" && type !== "refusal") return true;
    }
  }
  return false;
}
