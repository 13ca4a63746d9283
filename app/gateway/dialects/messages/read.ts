import { apiError } from "~/errors/app-error";
import type { Member } from "~/http/body/json/json-surgery";
import type { ParsedJson } from "~/http/body/json/parse-json";
import { DIALECTS } from "../../canonical/dialects";
import type { InferenceRequest } from "../../canonical/inference-request";
import { isBilledTool, MAX_TOOL_USES, USUAL_TOOL_USES } from "../wire/billed-tools";
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

/** A messages body: its text, the positions of its members for edits, and the parsed value. */
export type MessagesSource = { text: string; members: readonly Member[]; body: MessagesBody };

/** Members that gw reads; all others pass through unread. */
export type MessagesBody = {
  model: string;
  messages: { role: string; content: string | { type: string; [other: string]: unknown }[] }[];
  system?: string | unknown[] | null;
  tools?: unknown[] | null;
  metadata?: Record<string, unknown> | null;
  /** The supplier stores the conversation; a request that continues it sends only the newest turn. */
  thread?: Record<string, unknown> | null;
  [other: string]: unknown;
};

/**
 * Reads a messages request. Validates only the members that gw uses. All others must reach the supplier unchanged,
 * because vendors add new kinds of blocks, tools and settings all the time.
 */
export function readMessages(text: string, parsed: ParsedJson | null = null): InferenceRequest<MessagesSource> {
  const body = parseBody(text, parsed);
  const requestedModel = modelOf(body);
  if (body.max_tokens == null) throw missing("max_tokens");
  // Zero is valid: the request fills the supplier's prompt cache and generates nothing.
  const maxOutputTokens = wholeNumber(body, "max_tokens", { low: 0 });
  const inference = parseRequest(text, body, parsed);
  const size = sizeOf(text, body, maxOutputTokens);
  // The spread comes last, because V8 builds a literal that begins with a spread very slowly.
  return { endpoint: DIALECTS.messages.endpoint, requestedModel, size, ...inference };
}

/** Reads a token-count request: the same body, without the fields for the answer. */
export function readCountTokens(text: string, parsed: ParsedJson | null = null): InferenceRequest<MessagesSource> {
  const body = parseBody(text, parsed);
  const requestedModel = modelOf(body);
  const inference = parseRequest(text, body, parsed);
  inference.stream = false;
  return { endpoint: "messages/count_tokens", requestedModel, size: sizeOf(text, body, 0), ...inference };
}

function parseRequest(
  text: string,
  body: Record<string, unknown>,
  parsed: ParsedJson | null,
): Omit<InferenceRequest<MessagesSource>, "endpoint" | "requestedModel" | "size"> {
  checkObject(body, "thread");
  checkMessages(body.messages, isContinuation(body as MessagesBody));
  check(
    body.system == null || typeof body.system === "string" || Array.isArray(body.system),
    "system",
    "must be a text or a list of text blocks",
  );
  check(body.tools == null || Array.isArray(body.tools), "tools", "must be a list");
  checkNumber({ body, name: "temperature", low: 0, high: 1 });
  checkNumber({ body, name: "top_p", low: 0, high: 1 });
  checkFlag(body, "stream");
  checkObject(body, "metadata");
  refuseUnpriced(body);
  const source: MessagesSource = { text, members: membersOf(text, parsed), body: body as MessagesBody };
  return {
    dialect: "messages",
    stream: body.stream === true,
    region: regionOf(body),
    sessionId: sessionIdOf(source.body.metadata),
    retrySafe: source.body.thread == null && !actsElsewhere(source.body),
    source,
  };
}

function sizeOf(text: string, body: Record<string, unknown>, maxOutputTokens: number | null): InferenceRequest["size"] {
  const { messages, tools } = body as MessagesBody;
  return {
    bodyBytes: Buffer.byteLength(text),
    hasMedia: messages.some(({ content }) => hasMedia(content)) || (tools ?? []).some(isSupplierTool),
    maxOutputTokens,
    choices: 1,
    readsMore: isContinuation(body as MessagesBody),
    maxToolUses: toolUsesOf(body as MessagesBody),
    longCacheWrites: text.includes(AN_HOUR),
    // The only other accepted value, `auto`, leaves the choice to the supplier.
    askedTier: body.service_tier === "standard_only" ? "default" : undefined,
  };
}

/** Text of a cache mark with a lifetime of one hour, anywhere in the body. */
const AN_HOUR = '"1h"';

/** Returns the maximum uses of billed tools; undefined if there are none. MCP servers count as tools. */
function toolUsesOf({ tools, mcp_servers }: MessagesBody): number | undefined {
  let maxUses: number | undefined;
  if (Array.isArray(mcp_servers) && mcp_servers.length > 0) maxUses = mcp_servers.length * USUAL_TOOL_USES;
  for (const [index, tool] of (tools ?? []).entries()) {
    if (!isBilledTool(tool, "messages")) continue;
    const { max_uses } = tool as { max_uses?: unknown };
    const isCount = typeof max_uses === "number" && Number.isInteger(max_uses) && max_uses >= 0;
    check(!isCount || max_uses <= MAX_TOOL_USES, `tools[${index}].max_uses`, `must be at most ${MAX_TOOL_USES}`);
    maxUses = (maxUses ?? 0) + (isCount ? max_uses : USUAL_TOOL_USES);
  }
  return maxUses;
}

/** Whether the request continues a conversation that its supplier stores. */
const isContinuation = ({ thread }: MessagesBody): boolean => thread?.type === "continue";

/** Checks the messages. `mayBeEmpty`: a request that continues a paused answer has no new message. */
function checkMessages(messages: unknown, mayBeEmpty: boolean): void {
  if (messages === undefined) throw missing("messages");
  const isFilled = Array.isArray(messages) && (messages.length > 0 || mayBeEmpty);
  check(isFilled, "messages", "must be a list with at least one message");
  for (const [index, message] of (messages as unknown[]).entries()) {
    const at = `messages[${index}]`;
    check(typeof message === "object" && message !== null && !Array.isArray(message), at, "must be an object");
    const { role, content } = message as { role?: unknown; content?: unknown };
    check(typeof role === "string" && ROLES.has(role), `${at}.role`, `must be one of ${[...ROLES].join(", ")}`);
    if (typeof content === "string") continue;
    check(Array.isArray(content), `${at}.content`, "must be a text or a list of blocks");
    for (const [place, block] of (content as unknown[]).entries()) {
      check(
        typeof (block as { type?: unknown } | null)?.type === "string",
        `${at}.content[${place}].type`,
        "must name the kind of block",
      );
    }
  }
}

const ROLES = new Set(["user", "assistant", "system"]);

/** Rejects fields that change the supplier's price beyond the price list, or allow another model to answer. */
function refuseUnpriced(body: Record<string, unknown>): void {
  const { speed, inference_geo, service_tier, fallbacks } = body;
  // The value "default" is optional for the supplier, so `forward` removes it; a list of models is rejected.
  if (fallbacks != null && fallbacks !== "default" && !(Array.isArray(fallbacks) && fallbacks.length === 0))
    throw unpriced("fallbacks", "Leave it out: which model answers is decided here.");
  const advisor = (body.tools as unknown[] | null | undefined)?.findIndex(isAdvisor) ?? -1;
  if (advisor >= 0) throw unpriced(`tools[${advisor}].type`, "The tool works with another model.");
  if (speed != null && speed !== "standard") throw unpriced("speed", "Leave it out, or use standard.");
  if (inference_geo != null && inference_geo !== "global")
    throw unpriced("inference_geo", "Use the field region to say where a request may be served.");
  if (service_tier != null && service_tier !== "auto" && service_tier !== "standard_only")
    throw unpriced("service_tier", "Leave it out, or use auto or standard_only.");
}

const unpriced = (param: string, advice: string) =>
  apiError("unsupported_parameter", { userMessage: `This ${param} is not priced here. ${advice}`, param });

const missing = (param: string) => apiError("missing_fields", { userMessage: `The field ${param} is missing.`, param });

const isAdvisor = (tool: unknown): boolean => String((tool as { type?: unknown } | null)?.type).startsWith("advisor_");

/** Whether the content has parts whose token count is unrelated to the length of their JSON. */
function hasMedia(content: unknown): boolean {
  if (!Array.isArray(content)) return false;
  return content.some((block: { type?: unknown; content?: unknown } | null) =>
    block?.type === "tool_result" ? hasMedia(block.content) : !TEXTUAL.has(block?.type as string),
  );
}

const TEXTUAL = new Set(["text", "thinking", "redacted_thinking", "tool_use", "tool_reference", "search_result"]);

/** Whether a tool is one of the supplier's; it may run there and read more input than the request contains. */
export function isSupplierTool(tool: unknown): boolean {
  const type = (tool as { type?: unknown } | null)?.type;
  return type != null && type !== "custom";
}

/** Whether the request may have side effects: files in a container of the supplier, or calls to other services. */
function actsElsewhere({ container, mcp_servers, tools }: MessagesBody): boolean {
  if (container != null || (Array.isArray(mcp_servers) && mcp_servers.length > 0)) return true;
  return (tools ?? []).some((tool) => String((tool as { type?: unknown } | null)?.type).startsWith("code_execution"));
}
