import type { SupplierFailure } from "../../canonical/supplier-failure";
import { readFailure } from "../toolkit/read-failure";
import { type Answer, type Problem, requestIn, type SandboxDialect, type SandboxRequest } from "./act";
import { areTools, isList, type OfferedTool } from "./chat-request";
import { toolCallsOf } from "./chat-tools";
import { limited, type Prompt } from "./compose";
import { messageEvents } from "./messages-stream";
import type { Block, Message } from "./messages-wire";
import { type TextFormat, textIn as textInForm } from "./structured";
import { countTokens, jsonOf, TokenCount } from "./tokens";

type MessagesRequest = {
  messages: readonly { role: string; content?: unknown }[];
  system?: unknown;
  max_tokens?: number;
  stop_sequences?: readonly string[];
  tools?: readonly { name: string; input_schema?: unknown }[];
  tool_choice?: { type?: string; name?: string; disable_parallel_tool_use?: boolean };
  thinking?: { type?: string; budget_tokens?: number };
  thread?: unknown;
  output_config?: { format?: TextFormat } | null;
  /** The earlier name of the same field. */
  output_format?: TextFormat;
};

/** Messages, whole and streamed. */
export const messages: SandboxDialect = {
  answer: answerMessages,
  errorBody: errorBody,
  errorEvent: (problem) => Buffer.from(`event: error\ndata: ${errorBody(problem).toString()}\n\n`),
};

function errorBody({ type, message }: Problem): Buffer {
  return Buffer.from(JSON.stringify({ type: "error", error: { type, message } }));
}

async function answerMessages(inference: SandboxRequest): Promise<Answer> {
  const request = (await requestIn(inference)) as MessagesRequest;
  if (request.thread != null) throw threadless();
  if (!Array.isArray(request.messages) || request.messages.length === 0)
    throw bad("messages: at least one message is required");
  if (!areTools(request.tools)) throw bad("tools: must be a list of tools");
  if (!isList(request.stop_sequences)) throw bad("stop_sequences: must be a list of texts");
  const message = await composeMessage(inference, request);
  if (inference.stream) return { events: messageEvents(message) };
  const answer = { type: "message", role: "assistant", ...message };
  return { contentType: "application/json", body: Buffer.from(JSON.stringify(answer)) };
}

const bad = (message: string) =>
  readFailure({ status: 400, headers: {}, body: errorBody({ code: "", type: "invalid_request_error", message }) });

/**
 * Rejects a request for a stored conversation: the sandbox stores none. The messages SDK reads the details and then
 * sends the whole conversation each time.
 */
function threadless(): SupplierFailure {
  const details = { error_code: "thread_unsupported_request", unsupported: ["model"] };
  const error = { type: "invalid_request_error", message: "thread: conversations are not kept here", details };
  return readFailure({ status: 400, headers: {}, body: Buffer.from(JSON.stringify({ type: "error", error })) });
}

async function composeMessage(inference: SandboxRequest, request: MessagesRequest): Promise<Message> {
  const prompt = promptOf(request);
  const thoughts = thoughtsOf(request);
  const calls = toolCallsOf(offerOf(request), prompt, "toolu_").flatMap((call) =>
    call.type === "function" ? [{ id: call.id, ...call.function }] : [],
  );
  const uses = calls.map(
    ({ id, name, arguments: argumentText }): Block => ({ type: "tool_use", id, name, input: JSON.parse(argumentText) }),
  );
  const spoken = limited(textInForm(request.output_config?.format ?? request.output_format, prompt), {
    maxTokens: request.max_tokens ?? null,
    stops: request.stop_sequences ?? [],
  });
  const content: Block[] = uses.length > 0 ? uses : [{ type: "text", text: spoken.text }];
  const reason = { end: "end_turn", stop: "stop_sequence", length: "max_tokens" }[spoken.stoppedBy];
  return {
    id: `msg_${inference.callId.replaceAll("-", "")}`,
    model: inference.model,
    content: [...thoughts, ...content],
    stop_reason: uses.length > 0 ? "tool_use" : reason,
    stop_sequence: uses.length > 0 ? null : spoken.stop,
    usage: await usageOf(
      inference,
      request,
      uses.length > 0 ? countTokens(JSON.stringify(uses)) : spoken.tokens.length,
    ),
  };
}

/** Returns one short thought if the client enables thinking. */
const thoughtsOf = ({ thinking }: MessagesRequest): Block[] =>
  thinking?.type === "enabled" ? [{ type: "thinking", thinking: THOUGHT, signature: "c2FuZGJveA==" }] : [];

const THOUGHT = "The sandbox repeats what it was told.";

function promptOf({ messages: turns }: MessagesRequest): Prompt {
  const last = turns.findLastIndex(({ role }) => role === "user");
  const parts = blocksOf(turns[last]?.content);
  const toolResults = parts.filter(({ type }) => type === "tool_result").map(({ content }) => textIn(content));
  const own = parts.filter(({ type }) => type === "text" || type === "image" || type === "document");
  return {
    text: textIn(own),
    toolResults,
    attachments: own.filter(({ type }) => type !== "text").length,
    seed: "",
  };
}

type WireBlock = { type?: unknown; text?: unknown; content?: unknown };

const blocksOf = (content: unknown): WireBlock[] =>
  typeof content === "string"
    ? [{ type: "text", text: content }]
    : Array.isArray(content)
      ? content.filter((block) => typeof block === "object" && block !== null)
      : [];

const textIn = (content: unknown): string =>
  blocksOf(content)
    .map(({ text }) => (typeof text === "string" ? text : ""))
    .filter((text) => text !== "")
    .join(" ");

function offerOf({ tools, tool_choice, messages: turns }: MessagesRequest) {
  const offered = (tools ?? [])
    // Tools that the supplier runs have no schema; the sandbox runs none.
    .filter(({ input_schema }) => input_schema !== undefined)
    .map(({ name, input_schema }): OfferedTool => ({ type: "function", function: { name, parameters: input_schema } }));
  const { type, name, disable_parallel_tool_use: single } = tool_choice ?? {};
  const choice = type === "tool" ? { type: "function", function: { name } } : type === "none" ? "none" : "auto";
  return { tools: offered, choice, parallel: single !== true, turn: `${JSON.stringify(turns.at(-1))}/${turns.length}` };
}

const TOKENS_OF_A_MESSAGE = 4;

/**
 * Counts each input token once; system and tools count as read from the cache if a `cache_control` marks one of them.
 */
async function usageOf(
  inference: SandboxRequest,
  request: MessagesRequest,
  output: number,
): Promise<Record<string, number> | undefined> {
  if (inference.usage === "none") return undefined;
  if (inference.usage === "insane") return { input_tokens: -1, output_tokens: 1_000_000_000_000 };
  const count = new TokenCount();
  const offered = request.tools && request.tools.length > 0 ? await jsonOf(request.tools) : "";
  const tools = count.of(offered);
  const system = count.of(textIn(request.system));
  const marked = (offered + JSON.stringify(request.system ?? null)).includes('"cache_control"');
  const turns = request.messages.reduce((sum, { content }) => sum + TOKENS_OF_A_MESSAGE + tokensIn(content, count), 0);
  const thinking = request.thinking?.type === "enabled" ? countTokens(THOUGHT) : 0;
  return {
    input_tokens: turns + (marked ? 0 : system + tools),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: marked ? system + tools : 0,
    output_tokens: output + thinking,
  };
}

const tokensIn = (content: unknown, count: TokenCount): number =>
  count.of(textIn(content)) + blocksOf(content).filter(({ type }) => type !== "text").length * 85;
