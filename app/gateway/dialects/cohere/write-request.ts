import type { ModelProfile } from "~/domain/catalogue/profiles";
import type { Conversation, Reasoning, ToolDefinition } from "../../canonical/conversation";
import { writeChatMessages } from "../chat/write-messages";
import type { ToolNames } from "../wire/identifiers";
import { fitSchema, toolSchema } from "../wire/schemas/schema-rules";
import { outputInstructions, structuredFor } from "../wire/schemas/structured";
import type { FormatRequest } from "../wire/supplier-format";
import { type AskedReasoning, isOff, type ThinkingApi, thinkingFor } from "../wire/thoughts/thinking";
import { tuningFor } from "../wire/tuning";
import { malformed, unsupported } from "../wire/unsupported";

/**
 * Writes a conversation as the body of a `/v2/chat` request.
 * @throws AppError unsupported_parameter for fields that the format cannot express.
 */
export function writeCohereRequest(requested: Conversation, { model, profile, stream, names }: FormatRequest): string {
  const conversation = structuredFor(requested, profile);
  const { maxOutputTokens, stopSequences, reasoning } = conversation;
  const says = thinkingFor(conversation, profile, COHERE_THINKING);
  const { temperature, topP, topK } = tuningFor(conversation, profile, { thinking: says });
  refuseFiles(conversation);
  if (stopSequences.length > MAX_STOPS) throw unsupported("stop", `Use at most ${MAX_STOPS} sequences.`);
  const thinking = reasoning === null || says.says === "nothing" ? null : thinkingOf(reasoning);
  return JSON.stringify({
    model,
    stream,
    messages: writeChatMessages(conversation.turns, names).map(asCohere),
    ...(maxOutputTokens === null ? {} : { max_tokens: maxOutputTokens }),
    ...(temperature === null ? {} : { temperature }),
    ...(topP === null ? {} : { p: Math.min(MAX_P, Math.max(MIN_P, topP)) }),
    ...(topK === null ? {} : { k: Math.min(MAX_K, topK) }),
    ...(stopSequences.length === 0 ? {} : { stop_sequences: stopSequences }),
    ...(thinking === null ? {} : { thinking }),
    ...toolsOf(conversation, names, profile),
    ...formatOf(conversation, profile),
  });
}

/** Returns the tuning fields that a request to this model omits. */
export function fieldsOmittedFromCohere(conversation: Conversation, profile: ModelProfile): string[] {
  const { leftOut, endUser, parallelToolCalls, tools } = conversation;
  const thinking = thinkingFor(conversation, profile, COHERE_THINKING);
  return [
    ...leftOut,
    ...tuningFor(conversation, profile, { thinking }).leftOut,
    ...(endUser === null ? [] : ["user"]),
    ...(thinking.isLost ? ["thinking"] : []),
    ...(parallelToolCalls === false && tools.length > 0 ? ["parallel_tool_calls"] : []),
    ...outputInstructions(conversation, profile),
  ];
}

const COHERE_THINKING: ThinkingApi = { forms: new Set(["tokenBudget"]) };

const MAX_STOPS = 5;
const MIN_P = 0.01;
const MAX_P = 0.99;
const MAX_K = 500;

const BUDGETS: Readonly<Record<string, number>> = { minimal: 1_024, low: 1_024, medium: 8_192 };

/** Writes the thinking setting as a token budget; without one the model decides itself. */
function thinkingOf(reasoning: Reasoning): object {
  if (isOff(reasoning)) return { type: "disabled" };
  const { effort } = reasoning as AskedReasoning;
  const budgetTokens = reasoning.kind === "thinking" ? reasoning.config.budget_tokens : undefined;
  const budget = typeof budgetTokens === "number" ? budgetTokens : BUDGETS[effort ?? ""];
  return { type: "enabled", ...(budget === undefined ? {} : { token_budget: budget }) };
}

/**
 * Converts a message of the chat dialect, which is nearly the same. The thought before tool calls becomes the
 * `tool_plan`; other thoughts are dropped.
 */
function asCohere({ content, reasoning_content, reasoning, ...message }: Record<string, unknown>): object {
  const plan = [reasoning_content, reasoning].find((text) => typeof text === "string" && text !== "");
  return {
    ...message,
    ...(content === null ? {} : { content }),
    ...(message.tool_calls === undefined || plan === undefined ? {} : { tool_plan: plan }),
  };
}

/** Writes the tools. A specific tool is forced by omitting all others. */
function toolsOf({ tools, toolChoice }: Conversation, names: ToolNames, profile: ModelProfile): object {
  if (tools.length === 0) {
    if (toolChoice?.kind === "any" || toolChoice?.kind === "tool") throw malformed("tool_choice", "needs tools");
    return {};
  }
  const offered = toolChoice?.kind === "tool" ? tools.filter(({ name }) => name === toolChoice.name) : tools;
  if (offered.length === 0) throw malformed("tool_choice", "names no tool of this request");
  const choice =
    toolChoice?.kind === "none" ? "NONE" : toolChoice?.kind === "auto" || toolChoice === null ? null : "REQUIRED";
  return {
    tools: offered.map((tool) => writeTool(tool, names, profile)),
    ...(offered.every(({ strict }) => strict === true) ? { strict_tools: true } : {}),
    ...(choice === null ? {} : { tool_choice: choice }),
  };
}

const writeTool = (
  { name, description, schema }: ToolDefinition,
  names: ToolNames,
  { toolSchema: rules }: ModelProfile,
): object => ({
  type: "function",
  function: {
    name: names.fit(name),
    ...(description === null ? {} : { description }),
    parameters: toolSchema(schema, rules),
  },
});

function formatOf({ outputFormat }: Conversation, { outputSchema }: ModelProfile): object {
  if (outputFormat === null) return {};
  const schema = outputFormat.kind === "schema" ? { json_schema: fitSchema(outputFormat.schema, outputSchema) } : {};
  return { response_format: { type: "json_object", ...schema } };
}

/** Rejects files, because messages can contain only texts and pictures. */
function refuseFiles({ turns }: Conversation): void {
  for (const { parts } of turns)
    for (const part of parts) {
      const media = part.kind === "toolResult" ? part.parts : [part];
      for (const each of media)
        if (each.kind === "document" && each.source.kind !== "text")
          throw unsupported(each.at, "Send the document's text.");
    }
}
