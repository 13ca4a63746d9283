import { createHash } from "node:crypto";
import type { Conversation, ToolDefinition } from "../../canonical/conversation";
import type { ToolNames } from "../wire/identifiers";
import { unsupported } from "../wire/unsupported";
import { writeChatMessages } from "./write-messages";

/** `streamUsage`: the supplier may be asked to report the usage of a stream. */
export type ChatRequest = { model: string; stream: boolean; streamUsage: boolean; names: ToolNames };

/**
 * A conversation as the body of a chat completion request. How hard to think is not passed on: most chat-style
 * suppliers refuse the field for most of their models.
 * @throws AppError unsupported_parameter for what chat-style suppliers cannot do.
 */
export function writeChatRequest(
  conversation: Conversation,
  { model, stream, streamUsage, names }: ChatRequest,
): string {
  const { maxOutputTokens, temperature, topP, topK, stopSequences, endUser, outputFormat } = conversation;
  if (topK !== null) throw unsupported("top_k");
  const body: Record<string, unknown> = {
    model,
    messages: writeChatMessages(conversation.turns, names),
    ...(maxOutputTokens === null ? {} : { [ceilingField(model)]: maxOutputTokens }),
    ...(temperature === null ? {} : { temperature }),
    ...(topP === null ? {} : { top_p: topP }),
    ...(stopSequences.length === 0 ? {} : { stop: stopSequences }),
    ...(stream ? { stream } : {}),
    ...(stream && streamUsage ? { stream_options: { include_usage: true } } : {}),
    ...toolsOf(conversation, names),
    ...(endUser === null ? {} : { user: endUser.length <= 64 ? endUser : digest(endUser) }),
  };
  if (outputFormat?.kind === "json") body.response_format = { type: "json_object" };
  else if (outputFormat?.kind === "schema") {
    const { name, schema, strict } = outputFormat;
    body.response_format = {
      type: "json_schema",
      json_schema: { name, schema, ...(strict === null ? {} : { strict }) },
    };
  }
  return JSON.stringify(body);
}

/** Models that think before they answer take only the newer name of the ceiling; many other suppliers know only the older one. */
export const ceilingField = (model: string): string =>
  /(^|\/)(o[1-9]|gpt-[5-9])/.test(model) ? "max_completion_tokens" : "max_tokens";

function toolsOf({ tools, toolChoice, parallelToolCalls }: Conversation, names: ToolNames): object {
  if (tools.length === 0) return {};
  return {
    tools: tools.map((tool) => writeTool(tool, names)),
    ...(toolChoice === null ? {} : { tool_choice: choiceOf(toolChoice, names) }),
    ...(parallelToolCalls === null ? {} : { parallel_tool_calls: parallelToolCalls }),
  };
}

function choiceOf(choice: NonNullable<Conversation["toolChoice"]>, names: ToolNames): unknown {
  if (choice.kind === "tool") return { type: "function", function: { name: names.fit(choice.name) } };
  return choice.kind === "any" ? "required" : choice.kind;
}

function writeTool({ name, description, schema, strict }: ToolDefinition, names: ToolNames): object {
  return {
    type: "function",
    function: {
      name: names.fit(name),
      ...(description === null ? {} : { description }),
      parameters: schema,
      ...(strict === null ? {} : { strict }),
    },
  };
}

const digest = (text: string) => createHash("sha256").update(text).digest("hex");
