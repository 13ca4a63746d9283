import type {
  Conversation,
  OutputFormat,
  Reasoning,
  ToolChoice,
  ToolDefinition,
  Turn,
} from "../../canonical/conversation";
import { isObject, listAt, numberOrNull, objectAt, textAt } from "../wire/events/reading";
import { malformed, refuseOthers, unsupported } from "../wire/unsupported";
import { ownTool } from "./own-tools";
import { isSupplierTool, type MessagesBody } from "./read";
import { cacheControlOf, readAssistantParts, readTexts, readUserParts } from "./read-blocks";

/**
 * Converts a messages request to a conversation.
 * @throws AppError unsupported_parameter for fields that only messages-style suppliers support; invalid_request for
 *   values that violate the dialect.
 */
export function readMessagesConversation(body: MessagesBody): Conversation {
  refuseOthers(body, UNDERSTOOD);
  refuseSpecial(body);
  const system = readTexts(body.system, "system");
  const dropped = new Set<string>();
  const turns = body.messages.map((message, index) => readTurn(message, `messages[${index}]`, dropped));
  return {
    turns: withMark(body, system.length === 0 ? turns : [{ role: "system", parts: system }, ...turns]),
    tools: listAt(body.tools, "tools").flatMap((tool, index) => readTool(tool, `tools[${index}]`)),
    ...readToolChoice(body.tool_choice),
    maxOutputTokens: numberOrNull(body.max_tokens),
    temperature: numberOrNull(body.temperature),
    topP: numberOrNull(body.top_p),
    topK: numberOrNull(body.top_k),
    stopSequences: listAt(body.stop_sequences, "stop_sequences").map((sequence, index) =>
      textAt(sequence, `stop_sequences[${index}]`),
    ),
    endUser: typeof body.metadata?.user_id === "string" && body.metadata.user_id !== "" ? body.metadata.user_id : null,
    reasoning: readReasoning(body),
    outputFormat: readOutputFormat(body),
    leftOut: [...dropped],
  };
}

/**
 * Fields that are translated here, read by gw itself, or safe to omit: cache marks, context editing, effort, service
 * tier and diagnostics change the processing of a request, not its meaning.
 */
const UNDERSTOOD = new Set([
  ...["model", "messages", "system", "stream", "metadata", "region", "max_tokens"],
  ...["tools", "tool_choice", "temperature", "top_p", "top_k", "stop_sequences"],
  ...["thinking", "output_config", "output_format", "context_management", "cache_control"],
  ...["service_tier", "speed", "inference_geo", "diagnostics", "container", "mcp_servers", "fallbacks", "thread"],
]);

function refuseSpecial(body: MessagesBody): void {
  // With these details the messages SDK switches to sending the whole conversation each time.
  if (body.thread != null)
    throw unsupported("thread", "Send the whole conversation.", {
      error_code: "thread_unsupported_request",
      unsupported: ["model"],
    });
  if (body.container != null) throw unsupported("container");
  if (Array.isArray(body.mcp_servers) && body.mcp_servers.length > 0) throw unsupported("mcp_servers");
  if (body.max_tokens === 0) throw unsupported("max_tokens", "There is no prompt cache to fill ahead of time.");
}

/** Moves a cache mark at the top of a body to the last block, if that can have one. */
function withMark(body: MessagesBody, turns: readonly Turn[]): readonly Turn[] {
  const last = turns.at(-1);
  const part = last?.parts.at(-1);
  if (body.cache_control == null || last === undefined || part === undefined || part.kind === "thinking") return turns;
  const marked = { ...cacheControlOf(body), ...part };
  return [...turns.slice(0, -1), { ...last, parts: [...last.parts.slice(0, -1), marked] } as Turn];
}

function readTurn({ role, content }: MessagesBody["messages"][number], at: string, dropped: Set<string>): Turn {
  switch (role) {
    case "system":
      return { role, parts: readTexts(content, `${at}.content`) };
    case "assistant":
      return { role, parts: readAssistantParts(content, `${at}.content`, dropped) };
    default:
      return { role: "user", parts: readUserParts(content, `${at}.content`) };
  }
}

function readTool(tool: unknown, at: string): ToolDefinition[] {
  const wireTool = objectAt(tool, at);
  // Tool search serves tools that are loaded on demand; here all tools are sent at once.
  if (isSupplierTool(wireTool) && String(wireTool.type).startsWith("tool_search_tool")) return [];
  const own = ownTool(wireTool);
  if (own !== null) return [own];
  if (isSupplierTool(wireTool)) throw unsupported(`${at}.type`, "Its supplier has no tools of its own.");
  const { name, description, input_schema, strict } = wireTool;
  if (!isObject(input_schema)) throw malformed(`${at}.input_schema`, "must be a JSON schema");
  return [
    {
      name: textAt(name, `${at}.name`),
      description: typeof description === "string" ? description : null,
      schema: input_schema,
      strict: typeof strict === "boolean" ? strict : null,
      ...cacheControlOf(wireTool),
    },
  ];
}

function readToolChoice(choice: unknown): { toolChoice: ToolChoice | null; parallelToolCalls: boolean | null } {
  if (choice == null) return { toolChoice: null, parallelToolCalls: null };
  const { type, name, disable_parallel_tool_use } = objectAt(choice, "tool_choice");
  const parallelToolCalls = typeof disable_parallel_tool_use === "boolean" ? !disable_parallel_tool_use : null;
  if (type === "auto" || type === "any" || type === "none") return { toolChoice: { kind: type }, parallelToolCalls };
  if (type !== "tool") throw malformed("tool_choice.type", "must be one of auto, any, tool, none");
  return { toolChoice: { kind: "tool", name: textAt(name, "tool_choice.name") }, parallelToolCalls };
}

function readReasoning({ thinking, output_config }: MessagesBody): Reasoning | null {
  if (thinking == null) return null;
  const config = objectAt(thinking, "thinking");
  if (config.type === "disabled") return { kind: "off" };
  const effort = isObject(output_config) ? output_config.effort : null;
  return { kind: "thinking", config, effort: typeof effort === "string" ? effort : null };
}

function readOutputFormat({ output_config, output_format }: MessagesBody): OutputFormat | null {
  const config = output_config == null ? {} : objectAt(output_config, "output_config");
  const format = config.format ?? output_format;
  if (format == null) return null;
  const { type, schema } = objectAt(format, "output_config.format");
  if (type !== "json_schema") throw unsupported("output_config.format.type");
  return { kind: "schema", name: "answer", schema: schema ?? { type: "object" }, strict: true };
}
