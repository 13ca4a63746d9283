import { type ErrorCode, refusal } from "~/errors/app-error";
import { type Member, topLevelMembers } from "~/http/json-surgery";
import type { Ask } from "../../canonical/ask";

/** What the chat dialect keeps of a body: its text and where the members stand that gw exchanges. */
export type ChatSource = {
  text: string;
  members: readonly Member[];
  body: ChatBody;
  /** The client itself asked for usage in its stream. */
  wantsUsage: boolean;
};

/** The members gw reads; everything else passes through unread. */
export type ChatBody = {
  model: string;
  messages: { role: string; content?: unknown }[];
  stream?: boolean | null;
  stream_options?: { include_usage?: unknown } | null;
  metadata?: Record<string, unknown> | null;
  [other: string]: unknown;
};

/**
 * Reads a chat completion request. Checked by hand and not by a schema: this runs for every request, and what gw does
 * not read must reach the supplier as the client wrote it.
 */
export function readChat(text: string): Ask {
  const body = parseObject(text);
  if (body.model === undefined || body.model === "") throw refusal("missing_model", { param: "model" });
  check(typeof body.model === "string" && body.model.length <= 256, "model", "must be the id of a model");
  checkMessages(body.messages);
  numberIn(body, "temperature", 0, 2);
  numberIn(body, "top_p", 0, 1);
  check(body.stream == null || typeof body.stream === "boolean", "stream", "must be true or false");
  check(
    body.region == null || (typeof body.region === "string" && body.region !== ""),
    "region",
    "must be a region name",
  );
  check(isObjectOrNull(body.stream_options), "stream_options", "must be an object");
  check(isObjectOrNull(body.metadata), "metadata", "must be an object");
  refuseUnpriced(body);

  const choices = wholeNumber(body, "n", 128) ?? 1;
  const ceilings = [wholeNumber(body, "max_tokens"), wholeNumber(body, "max_completion_tokens")];
  const given = ceilings.filter((ceiling) => ceiling !== null);
  const source: ChatSource = {
    text,
    members: topLevelMembers(text),
    body: body as ChatBody,
    wantsUsage: (body.stream_options as ChatBody["stream_options"])?.include_usage === true,
  };
  return {
    dialect: "chat",
    endpoint: "chat/completions",
    requestedModel: body.model,
    stream: body.stream === true,
    region: typeof body.region === "string" ? body.region.toLowerCase() : null,
    sessionId: sessionIdOf(source.body.metadata),
    size: {
      bodyBytes: Buffer.byteLength(text),
      hasMedia: hasMedia(source.body.messages),
      maxOutputTokens: given.length === 0 ? null : Math.max(...given),
      choices,
    },
    retrySafe: body.store !== true,
    source,
  };
}

function parseObject(text: string): Record<string, unknown> {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw refusal("invalid_json", { cause });
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw refusal("invalid_json", { human: "The request body must be a JSON object." });
  }
  return body as Record<string, unknown>;
}

function checkMessages(messages: unknown): void {
  if (messages === undefined)
    throw refusal("missing_fields", { human: "The field messages is missing.", param: "messages" });
  check(Array.isArray(messages) && messages.length > 0, "messages", "must be a list with at least one message");
  for (const [index, message] of (messages as unknown[]).entries()) {
    const at = `messages[${index}]`;
    check(typeof message === "object" && message !== null && !Array.isArray(message), at, "must be an object");
    const { role, content } = message as { role?: unknown; content?: unknown };
    check(typeof role === "string" && ROLES.has(role), `${at}.role`, `must be one of ${[...ROLES].join(", ")}`);
    check(
      content == null || typeof content === "string" || Array.isArray(content),
      `${at}.content`,
      "must be a text or a list of parts",
    );
  }
}

const ROLES = new Set(["system", "developer", "user", "assistant", "tool", "function"]);

/** Fields that change the supplier's price in a way the price list does not know. */
function refuseUnpriced(body: Record<string, unknown>): void {
  const tier = body.service_tier;
  if (tier != null && tier !== "auto" && tier !== "default" && tier !== "flex") {
    throw refusal("unsupported_parameter", {
      human: "This service_tier is not priced here. Leave it out, or use auto, default or flex.",
      param: "service_tier",
    });
  }
}

/** gw's own two fields inside `metadata`, in their order of precedence; the header is read by `serve`. */
function sessionIdOf(metadata: ChatBody["metadata"]): string | null {
  for (const name of ["session_id", "sticky_key"]) {
    const value = metadata?.[name];
    if (typeof value === "string" && value !== "") return value.slice(0, 256);
  }
  return null;
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

function numberIn(body: Record<string, unknown>, name: string, low: number, high: number): void {
  const value = body[name];
  if (value == null) return;
  check(typeof value === "number" && value >= low && value <= high, name, `must be a number from ${low} to ${high}`);
}

function wholeNumber(body: Record<string, unknown>, name: string, high = 10_000_000): number | null {
  const value = body[name];
  if (value == null) return null;
  check(
    Number.isInteger(value) && (value as number) >= 1 && (value as number) <= high,
    name,
    `must be a whole number from 1 to ${high}`,
  );
  return value as number;
}

const isObjectOrNull = (value: unknown) => value == null || (typeof value === "object" && !Array.isArray(value));

function check(fine: boolean, param: string, rule: string, code: ErrorCode = "invalid_request"): asserts fine {
  if (!fine) throw refusal(code, { human: `The field ${param} ${rule}.`, param });
}
