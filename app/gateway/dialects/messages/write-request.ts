import { createHash } from "node:crypto";
import type { Conversation, ToolDefinition } from "../../canonical/conversation";
import type { ToolNames } from "../wire/identifiers";
import { isObject } from "../wire/reading";
import { malformed, unsupported } from "../wire/unsupported";
import { type WireTurn, writeTurns } from "./write-turns";

export type MessagesRequest = {
  model: string;
  /** Used when the conversation sets no ceiling: this dialect requires one. */
  defaultMaxTokens: number;
  stream: boolean;
  names: ToolNames;
};

/**
 * A conversation as the body of a messages request.
 * @throws AppError unsupported_parameter for what messages-style suppliers cannot do.
 */
export function writeMessagesRequest(conversation: Conversation, request: MessagesRequest): string {
  const { model, defaultMaxTokens, stream, names } = request;
  const { system, messages } = writeTurns(conversation.turns, names);
  const tools = conversation.tools.length > 0 ? conversation.tools : toolsOfHistory(messages);
  const body: Record<string, unknown> = {
    model,
    max_tokens: conversation.maxOutputTokens ?? defaultMaxTokens,
    ...systemOf(system, conversation),
    messages,
    ...(stream ? { stream } : {}),
    ...(tools.length === 0 ? {} : { tools: tools.map((tool) => writeTool(tool, names)) }),
    ...toolChoiceOf(conversation, tools.length > 0, names),
    ...samplingOf(conversation),
    ...reasoningOf(conversation),
  };
  const { stopSequences, endUser, outputFormat } = conversation;
  const visible = stopSequences.filter(isVisible);
  if (visible.length > 0) body.stop_sequences = visible;
  if (endUser !== null) body.metadata = { user_id: endUser.length <= 256 ? endUser : digest(endUser) };
  if (outputFormat?.kind === "schema") {
    const format = { type: "json_schema", schema: closed(outputFormat.schema) };
    body.output_config = { ...(body.output_config as object | undefined), format };
  }
  return JSON.stringify(body);
}

/** No such supplier has a mode for JSON without a schema; the models follow this sentence. */
export const JSON_ONLY =
  "Answer with one JSON object and nothing else: no words around it and no code fence. The first character is { and the last is }.";

function systemOf(blocks: readonly object[], { outputFormat }: Conversation): { system?: unknown } {
  const all = outputFormat?.kind === "json" ? [...blocks, { type: "text", text: JSON_ONLY }] : blocks;
  if (all.length === 0) return {};
  const only = all[0] as { text: string; cache_control?: unknown };
  return { system: all.length === 1 && only.cache_control === undefined ? only.text : all };
}

function writeTool({ name, description, schema, strict, cacheControl }: ToolDefinition, names: ToolNames): object {
  return {
    name: names.fit(name),
    ...(description === null ? {} : { description }),
    input_schema: isObject(schema) && schema.type === undefined ? { type: "object", ...schema } : schema,
    ...(strict === true ? { strict } : {}),
    ...(cacheControl === undefined ? {} : { cache_control: cacheControl }),
  };
}

/** A history with tool calls needs its tools described, also when none may be called any more. */
export function toolsOfHistory(messages: readonly WireTurn[]): ToolDefinition[] {
  const names = new Set<string>();
  for (const { content } of messages)
    for (const block of content) if (block.type === "tool_use") names.add(block.name as string);
  return [...names].map((name) => ({ name, description: null, schema: { type: "object" }, strict: null }));
}

function toolChoiceOf(
  { tools, toolChoice, parallelToolCalls }: Conversation,
  hasTools: boolean,
  names: ToolNames,
): { tool_choice?: object } {
  if (tools.length === 0) {
    if (toolChoice?.kind === "any" || toolChoice?.kind === "tool") throw malformed("tool_choice", "needs tools");
    return hasTools ? { tool_choice: { type: "none" } } : {};
  }
  const oneAtATime = parallelToolCalls === false ? { disable_parallel_tool_use: true } : {};
  if (toolChoice === null) return parallelToolCalls === false ? { tool_choice: { type: "auto", ...oneAtATime } } : {};
  switch (toolChoice.kind) {
    case "none":
      return { tool_choice: { type: "none" } };
    case "tool":
      return { tool_choice: { type: "tool", name: names.fit(toolChoice.name), ...oneAtATime } };
    default:
      return { tool_choice: { type: toolChoice.kind, ...oneAtATime } };
  }
}

/**
 * Values that are the default in both dialects are left out: newer models refuse the fields as such. Above 1 this
 * dialect has no temperature.
 */
function samplingOf(conversation: Conversation): object {
  const { temperature, topP, topK } = conversation;
  const refused = new Set(refusedSampling(conversation));
  return {
    ...(temperature !== null && temperature < 1 && !refused.has("temperature") ? { temperature } : {}),
    ...(topP !== null && topP < 1 && !refused.has("top_p") ? { top_p: topP } : {}),
    ...(topK === null || refused.has("top_k") ? {} : { top_k: topK }),
  };
}

/** The lowest `top_p` with which models of this dialect think. */
const LOWEST_TOP_P = 0.95;

/** Sampling parameters that are refused beside thinking, where it was asked for in another dialect's words. */
function refusedSampling(conversation: Conversation): string[] {
  const { temperature, topP, topK, reasoning } = conversation;
  const above = temperature !== null && temperature > 1;
  if (reasoning?.kind !== "effort" || isToolDemanded(conversation)) return above ? ["temperature"] : [];
  return [
    ...(temperature !== null && temperature !== 1 ? ["temperature"] : []),
    ...(topP !== null && topP < LOWEST_TOP_P ? ["top_p"] : []),
    ...(topK === null ? [] : ["top_k"]),
  ];
}

const isToolDemanded = ({ toolChoice }: Conversation): boolean =>
  toolChoice?.kind === "any" || toolChoice?.kind === "tool";

function reasoningOf(conversation: Conversation): object {
  const { reasoning } = conversation;
  if (reasoning === null) return {};
  if (reasoning.kind === "thinking") return { thinking: reasoning.config };
  if (reasoning.kind === "off") return { thinking: { type: "disabled" } };
  const effort = reasoning.effort === "minimal" ? "low" : reasoning.effort;
  if (!EFFORTS.has(effort)) throw unsupported("reasoning_effort", `Use one of ${[...EFFORTS].join(", ")}.`);
  // Who must call a tool cannot think first in this dialect; the effort holds for the call all the same.
  if (isToolDemanded(conversation)) return { output_config: { effort } };
  return { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort } };
}

export const EFFORTS = new Set(["low", "medium", "high", "xhigh", "max"]);

/** This dialect's stop sequences need a character that can be seen. */
export const isVisible = (sequence: string): boolean => sequence.trim() !== "";

/** What only tunes an answer and has no place in a messages request, by the client's names. */
export const leftOutOfMessages = (conversation: Conversation): string[] => [
  ...conversation.leftOut,
  ...(conversation.stopSequences.every(isVisible) ? [] : ["stop"]),
  ...refusedSampling(conversation),
];

const digest = (text: string) => createHash("sha256").update(text).digest("hex");

/** The schema with every object closed: this dialect's structured output takes no other, and chat SDKs leave it out. */
export function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (!isObject(schema)) return schema;
  const inside = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
  const isOfObjects = [schema.type].flat().includes("object");
  return isOfObjects && schema.additionalProperties === undefined ? { ...inside, additionalProperties: false } : inside;
}
