import { createHash } from "node:crypto";
import type { ModelProfile } from "~/domain/catalogue/profiles";
import type { Conversation, ToolDefinition } from "../../canonical/conversation";
import { withFewerMarks } from "../wire/cache-marks";
import type { ToolNames } from "../wire/identifiers";
import { fitSchema, toolSchema } from "../wire/schemas/schema-rules";
import { JSON_ONLY, outputInstructions, structuredFor } from "../wire/schemas/structured";
import {
  type AskedReasoning,
  budgetFor,
  effortOf,
  isOff,
  levelFor,
  type ThinkingApi,
  thinkingFor,
} from "../wire/thoughts/thinking";
import { messagesWire } from "../wire/thoughts/thoughts";
import { type Tuning, tuningFor } from "../wire/tuning";
import { malformed } from "../wire/unsupported";
import { lacksThought, withThought } from "./required-thoughts";
import { endWithUser, type WireTurn, writeTurns } from "./write-turns";

export type MessagesRequest = {
  model: string;
  profile: ModelProfile;
  /** Output ceiling if the conversation sets none; this dialect requires one. */
  defaultMaxTokens: number;
  stream: boolean;
  names: ToolNames;
};

/**
 * Writes a conversation as the body of a messages request.
 * @throws AppError unsupported_parameter for features that messages-style suppliers do not have.
 */
export function writeMessagesRequest(requested: Conversation, request: MessagesRequest): string {
  const { model, profile, defaultMaxTokens, stream, names } = request;
  const conversation = withFewerMarks(structuredFor(requested, profile));
  const { system, messages } = writeTurns(conversation.turns, names, messagesWire(profile));
  if (profile.lastAssistant === "refused") endWithUser(messages);
  const tools = conversation.tools.length > 0 ? conversation.tools : toolsOfHistory(messages);
  const thinking = thinkingFor(conversation, profile, MESSAGES_THINKING);
  const tuning = tuningFor(conversation, profile, { thinking, isVisible });
  const maxTokens = conversation.maxOutputTokens ?? defaultMaxTokens;
  const body: Record<string, unknown> = {
    model,
    max_tokens: maxTokens,
    ...systemOf(system, conversation),
    messages: messages.map((message) => (lacksThought(message, profile) ? withThought(message) : message)),
    ...(stream ? { stream } : {}),
    ...(tools.length === 0 ? {} : { tools: tools.map((tool) => writeTool(tool, names, profile)) }),
    ...toolChoiceOf(conversation, tools.length > 0, names),
    ...samplingOf(tuning),
    ...writeThinking(conversation, profile, maxTokens),
  };
  const { endUser, outputFormat } = conversation;
  if (tuning.stop.length > 0) body.stop_sequences = tuning.stop;
  if (endUser !== null) body.metadata = { user_id: endUser.length <= 256 ? endUser : digest(endUser) };
  if (outputFormat?.kind === "schema") {
    const format = { type: "json_schema", schema: fitSchema(outputFormat.schema, profile.outputSchema) };
    body.output_config = { ...(body.output_config as object | undefined), format };
  }
  return JSON.stringify(body);
}

/** Adds an instruction for JSON output without a schema, because no messages-style supplier has a mode for it. */
function systemOf(blocks: readonly object[], { outputFormat }: Conversation): { system?: unknown } {
  const all = outputFormat?.kind === "json" ? [...blocks, { type: "text", text: JSON_ONLY }] : blocks;
  if (all.length === 0) return {};
  const only = all[0] as { text: string; cache_control?: unknown };
  return { system: all.length === 1 && only.cache_control === undefined ? only.text : all };
}

function writeTool(
  { name, description, schema, strict, cacheControl }: ToolDefinition,
  names: ToolNames,
  { toolSchema: plain, strictToolSchema }: ModelProfile,
): object {
  return {
    name: names.fit(name),
    ...(description === null ? {} : { description }),
    input_schema: toolSchema(schema, strict === true ? strictToolSchema : plain),
    ...(strict === true ? { strict } : {}),
    ...(cacheControl === undefined ? {} : { cache_control: cacheControl }),
  };
}

/** Returns declarations for the tools of a history; suppliers require them even if the request has no tools. */
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

/** Omits values that are the default in both dialects, because newer models reject the fields as such. */
const samplingOf = ({ temperature, topP, topK }: Tuning): object => ({
  ...(temperature === null || temperature === 1 ? {} : { temperature }),
  ...(topP === null || topP === 1 ? {} : { top_p: topP }),
  ...(topK === null ? {} : { top_k: topK }),
});

/** Forms of the thinking setting in this dialect. */
const MESSAGES_THINKING: ThinkingApi = { forms: new Set(["adaptive", "budget"]) };

/** Whether a model accepts the dialect's own `thinking` as the client wrote it. */
function takesAsWritten(
  { type, budget_tokens }: Readonly<Record<string, unknown>>,
  { thinking }: ModelProfile,
): boolean {
  if (type === "adaptive") return thinking.form === "adaptive";
  return (
    type === "enabled" && typeof budget_tokens === "number" && (thinking.form === "budget" || thinking.takesBudget)
  );
}

/** Minimum tokens of the output ceiling that remain for the answer after the thoughts. */
const MIN_ANSWER_TOKENS = 1_024;

/**
 * Writes the thinking setting in a form that the model accepts. `maxTokens`: the output ceiling, which includes the
 * thinking budget; null if there is none.
 */
export function writeThinking(
  { reasoning, ...conversation }: Conversation,
  profile: ModelProfile,
  maxTokens: number | null,
): { thinking?: unknown; output_config?: { effort: string } } {
  const requested = thinkingFor({ reasoning, ...conversation }, profile, MESSAGES_THINKING);
  const { form, outputEffort, minBudget } = profile.thinking;
  if (requested.says === "off") return { thinking: { type: "disabled" } };
  if (requested.says === "nothing") {
    // A model that must call a tool cannot think first; the effort still applies to the call.
    if (reasoning === null || isOff(reasoning) || !outputEffort) return {};
    const level = levelFor(effortOf(reasoning as AskedReasoning), profile);
    return level === null ? {} : { output_config: { effort: level } };
  }
  const isWritten = reasoning?.kind === "thinking";
  const isEffort = outputEffort && requested.level !== null && !(isWritten && reasoning.effort === null);
  const output = isEffort ? { output_config: { effort: requested.level as string } } : {};
  if (isWritten && takesAsWritten(reasoning.config, profile)) return { thinking: reasoning.config, ...output };
  if (form === "adaptive") return { thinking: { type: "adaptive", display: "summarized" }, ...output };
  const budget = Math.min(budgetFor(requested, profile), (maxTokens ?? Number.POSITIVE_INFINITY) - MIN_ANSWER_TOKENS);
  return budget < minBudget ? output : { thinking: { type: "enabled", budget_tokens: budget }, ...output };
}

/** Whether a stop sequence has a visible character, which this dialect requires. */
export const isVisible = (sequence: string): boolean => sequence.trim() !== "";

/** Returns the tuning fields that a messages request to this model omits, by the client's names. */
export function fieldsOmittedFromMessages(conversation: Conversation, profile: ModelProfile): string[] {
  const thinking = thinkingFor(conversation, profile, MESSAGES_THINKING);
  const isSaid = Object.keys(writeThinking(conversation, profile, null)).length > 0;
  return [
    ...conversation.leftOut,
    ...tuningFor(conversation, profile, { thinking, isVisible }).leftOut,
    ...(thinking.isLost && !isSaid ? ["thinking"] : []),
    ...outputInstructions(conversation, profile),
  ];
}

const digest = (text: string) => createHash("sha256").update(text).digest("hex");
