import type { Conversation, Reasoning, ToolDefinition } from "../../canonical/conversation";
import { toolsOfHistory } from "../messages/write-request";
import { writeTurns } from "../messages/write-turns";
import type { FormatRequest } from "../translate/formats";
import { isObject } from "../wire/reading";
import { malformed, unsupported } from "../wire/unsupported";
import { writeGeminiContents } from "./write-contents";

/**
 * A conversation as the body of a `generateContent` request; the model stands in the address.
 * @throws AppError unsupported_parameter for what the format cannot say.
 */
export function writeGeminiRequest(conversation: Conversation, { model, names }: FormatRequest): string {
  refuseAddresses(conversation);
  const { system, messages } = writeTurns(conversation.turns, names, "gemini");
  const tools = conversation.tools.length > 0 ? conversation.tools : toolsOfHistory(messages);
  const parts = system.map(({ text }) => ({ text }));
  const config = generationConfigOf(conversation, model);
  return JSON.stringify({
    ...(parts.length === 0 ? {} : { systemInstruction: { parts } }),
    contents: writeGeminiContents(messages, hasLevels(model)),
    ...(tools.length === 0
      ? {}
      : { tools: [{ functionDeclarations: tools.map((tool) => writeTool(tool, names.fit(tool.name))) }] }),
    ...toolConfigOf(conversation, tools.length > 0, (name) => names.fit(name)),
    ...(Object.keys(config).length === 0 ? {} : { generationConfig: config }),
  });
}

/** What only tunes an answer and has no place in a request to this model. */
export function leftOutOfGemini(conversation: Conversation, model: string): string[] {
  const { leftOut, endUser, reasoning, parallelToolCalls, tools } = conversation;
  const wantsThoughts = reasoning !== null && reasoning.kind !== "off";
  return [
    ...leftOut,
    ...(endUser === null ? [] : ["user"]),
    ...(wantsThoughts && !thinks(model) ? ["thinking"] : []),
    ...(parallelToolCalls === false && tools.length > 0 ? ["parallel_tool_calls"] : []),
  ];
}

/** Models before 2.5 do not think. */
const thinks = (model: string): boolean => !/gemini-(1|2\.0)/.test(model);
/** From 3 on the effort has a name; before, it is a number of tokens. */
const hasLevels = (model: string): boolean => /gemini-([3-9]|\d\d)/.test(model);

function generationConfigOf(conversation: Conversation, model: string): Record<string, unknown> {
  const { maxOutputTokens, temperature, topP, topK, stopSequences, outputFormat, reasoning } = conversation;
  return {
    ...(maxOutputTokens === null ? {} : { maxOutputTokens }),
    ...(temperature === null ? {} : { temperature }),
    ...(topP === null ? {} : { topP }),
    ...(topK === null ? {} : { topK }),
    ...(stopSequences.length === 0 ? {} : { stopSequences }),
    ...(outputFormat === null ? {} : { responseMimeType: "application/json" }),
    ...(outputFormat?.kind === "schema" ? { responseJsonSchema: outputFormat.schema } : {}),
    ...(reasoning === null || !thinks(model) ? {} : { thinkingConfig: thinkingOf(reasoning, model) }),
  };
}

const BUDGETS: Readonly<Record<string, number>> = {
  minimal: 1_024,
  low: 1_024,
  medium: 8_192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
};

function thinkingOf(reasoning: Reasoning, model: string): object {
  if (reasoning.kind === "off")
    // The larger models cannot be kept from thinking: they think as little as they can.
    return hasLevels(model) ? { thinkingLevel: "low" } : { thinkingBudget: /-pro/.test(model) ? 128 : 0 };
  const { effort } = reasoning;
  if (effort !== null && BUDGETS[effort] === undefined)
    throw unsupported("reasoning_effort", `Use one of ${Object.keys(BUDGETS).join(", ")}.`);
  const asked = reasoning.kind === "thinking" ? reasoning.config.budget_tokens : undefined;
  const shown = { includeThoughts: true };
  if (typeof asked === "number" && effort === null) return { ...shown, thinkingBudget: Math.min(asked, 24_576) };
  if (effort === null) return shown;
  if (!hasLevels(model)) return { ...shown, thinkingBudget: BUDGETS[effort] };
  return { ...shown, thinkingLevel: effort === "low" || effort === "minimal" ? "low" : "high" };
}

function writeTool({ description, schema }: ToolDefinition, name: string): object {
  const hasParameters = isObject(schema) && Object.keys(schema).length > 0;
  return {
    name,
    ...(description === null ? {} : { description }),
    ...(hasParameters ? { parametersJsonSchema: schema } : {}),
  };
}

function toolConfigOf({ tools, toolChoice }: Conversation, hasTools: boolean, named: (name: string) => string): object {
  const mode = (functionCallingConfig: object) => ({ toolConfig: { functionCallingConfig } });
  if (tools.length === 0) {
    if (toolChoice?.kind === "any" || toolChoice?.kind === "tool") throw malformed("tool_choice", "needs tools");
    return hasTools ? mode({ mode: "NONE" }) : {};
  }
  if (toolChoice === null) return {};
  if (toolChoice.kind === "tool") return mode({ mode: "ANY", allowedFunctionNames: [named(toolChoice.name)] });
  return mode({ mode: toolChoice.kind.toUpperCase() });
}

/** Addresses of the web are fetched by few of these models and by none of the older ones. */
function refuseAddresses({ turns }: Conversation): void {
  for (const { parts } of turns)
    for (const part of parts) {
      const media = part.kind === "toolResult" ? part.parts : [part];
      for (const each of media)
        if ((each.kind === "image" || each.kind === "document") && each.source.kind === "url")
          throw unsupported(each.at, "Images and documents come as base64 data.");
    }
}
