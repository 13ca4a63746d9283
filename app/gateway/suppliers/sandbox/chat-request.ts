import { readFailure } from "../toolkit/read-failure";
import { chatError, type PromptTokens } from "./chat-wire";
import type { Prompt } from "./compose";
import { jsonOf, TokenCount } from "./tokens";

/** The fields of a chat completion request that change the sandbox's answer. */
export type ChatRequest = {
  messages: readonly ChatMessage[];
  stream_options?: { include_usage?: boolean } | null;
  max_tokens?: number | null;
  max_completion_tokens?: number | null;
  stop?: string | readonly string[] | null;
  n?: number | null;
  seed?: number | null;
  logprobs?: boolean | null;
  top_logprobs?: number | null;
  reasoning_effort?: string | null;
  response_format?: { type?: string; json_schema?: { schema?: unknown } } | null;
  tools?: readonly OfferedTool[] | null;
  tool_choice?: unknown;
  parallel_tool_calls?: boolean | null;
};

type ChatMessage = { role: string; content?: unknown; tool_calls?: unknown; [other: string]: unknown };

export type OfferedTool = {
  type: string;
  function?: { name: string; parameters?: unknown };
  custom?: { name: string };
};

/** Validates a body. @throws SupplierFailure 400 in the chat format for one that every supplier would reject. */
export function readChatRequest(body: unknown): ChatRequest {
  const request = body as ChatRequest;
  if (!Array.isArray(request.messages) || request.messages.length === 0) throw bad("messages must not be empty");
  if (!areTools(request.tools)) throw bad("tools must be a list of tools");
  if (typeof request.stop !== "string" && !isList(request.stop)) throw bad("stop must be a text or a list of texts");
  for (const tool of request.tools ?? []) {
    if (nameOfTool(tool) === null) throw bad("every tool needs a type and a name");
  }
  return request;
}

/** Whether a value is a list or absent. */
export const isList = (value: unknown): boolean => value == null || Array.isArray(value);

/** Whether a value is a list of objects or absent. */
export const areTools = (value: unknown): boolean =>
  value == null || (Array.isArray(value) && value.every((tool) => typeof tool === "object" && tool !== null));

export const nameOfTool = (tool: OfferedTool | null): string | null => {
  const name = tool?.function?.name ?? tool?.custom?.name;
  return typeof name === "string" && name !== "" ? name : null;
};

export const bad = (message: string) =>
  readFailure({
    status: 400,
    headers: {},
    body: chatError({ code: "invalid_request", type: "invalid_request_error", message }),
  });

/** Returns the basis of the answer: the last user message, and the tool results after it. */
export function promptOf(request: ChatRequest): Prompt {
  const { messages } = request;
  const lastUser = messages.findLastIndex(({ role }) => role === "user");
  const after = messages.slice(lastUser + 1);
  const content = messages[lastUser]?.content;
  return {
    text: textIn(content),
    toolResults: after
      .filter(({ role }) => role === "tool" || role === "function")
      .map((message) => textIn(message.content)),
    attachments: partsOf(content).filter((part) => part.type !== "text").length,
    seed: request.seed == null ? "" : String(request.seed),
  };
}

/** Returns all texts of a message's content, which is a text or a list of parts. */
function textIn(content: unknown): string {
  if (typeof content === "string") return content;
  return partsOf(content)
    .map((part) => (typeof part.text === "string" ? part.text : ""))
    .filter((text) => text !== "")
    .join(" ");
}

type Part = { type?: unknown; text?: unknown };

const partsOf = (content: unknown): Part[] =>
  Array.isArray(content) ? content.filter((part) => typeof part === "object" && part !== null) : [];

const TOKENS_OF_A_MESSAGE = 4;
const TOKENS_OF_AN_ATTACHMENT = 85;
/**
 * Minimum tokens and block size of a cached prompt. The part that an earlier turn has sent counts as cached, in whole
 * blocks.
 */
const CACHE_FROM = 1_024;
const CACHE_BLOCK = 128;

/** Counts the prompt's tokens: its texts, four per message, 85 per attachment, and the offered tools. */
export async function promptTokensOf({ messages, tools }: ChatRequest): Promise<PromptTokens> {
  const count = new TokenCount();
  const offered = tools && tools.length > 0 ? count.of(await jsonOf(tools)) : 0;
  const lastAnswer = messages.findLastIndex(({ role }) => role === "assistant");
  let all = offered;
  let before = 0;
  for (const [index, message] of messages.entries()) {
    if (index === lastAnswer) before = all;
    all += tokensOfMessage(message, count);
  }
  const cached = before < CACHE_FROM ? 0 : Math.floor(before / CACHE_BLOCK) * CACHE_BLOCK;
  return { all, cached };
}

function tokensOfMessage(message: ChatMessage, count: TokenCount): number {
  const attachments = partsOf(message.content).filter((part) => part.type !== "text").length;
  const calls = message.tool_calls == null ? 0 : count.of(JSON.stringify(message.tool_calls));
  return TOKENS_OF_A_MESSAGE + count.of(textIn(message.content)) + attachments * TOKENS_OF_AN_ATTACHMENT + calls;
}
