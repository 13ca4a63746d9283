import type { ModelProfile } from "~/domain/catalogue/profiles";
import type { Conversation, ToolDefinition } from "../../canonical/conversation";
import { toolsOfHistory } from "../messages/write-request";
import { writeTurns } from "../messages/write-turns";
import { fitSchema, toolSchema } from "../wire/schemas/schema-rules";
import { outputInstructions, structuredFor } from "../wire/schemas/structured";
import type { FormatRequest } from "../wire/supplier-format";
import {
  type AskedReasoning,
  type AskedThinking,
  budgetFor,
  isOff,
  type ThinkingApi,
  thinkingFor,
} from "../wire/thoughts/thinking";
import { tuningFor } from "../wire/tuning";
import { malformed, unsupported } from "../wire/unsupported";
import { writeGeminiContents } from "./write-contents";

/**
 * Writes a conversation as the body of a `generateContent` request; the URL contains the model.
 * @throws AppError unsupported_parameter for fields that the format cannot express.
 */
export function writeGeminiRequest(requested: Conversation, { profile, names: requestNames }: FormatRequest): string {
  const names = requestNames.for(profile);
  const conversation = structuredFor(requested, profile);
  refuseAddresses(conversation, profile);
  const { system, messages } = writeTurns(conversation.turns, names, "gemini");
  const tools = conversation.tools.length > 0 ? conversation.tools : toolsOfHistory(messages);
  const parts = system.map(({ text }) => ({ text }));
  const config = generationConfigOf(conversation, profile);
  return JSON.stringify({
    ...(parts.length === 0 ? {} : { systemInstruction: { parts } }),
    contents: writeGeminiContents(messages, profile.callSignature !== null),
    ...(tools.length === 0
      ? {}
      : { tools: [{ functionDeclarations: tools.map((tool) => writeTool(tool, names.fit(tool.name), profile)) }] }),
    ...toolConfigOf(conversation, tools.length > 0, (name) => names.fit(name)),
    ...(Object.keys(config).length === 0 ? {} : { generationConfig: config }),
  });
}

/** Returns the tuning fields that a request to this model omits. */
export function fieldsOmittedFromGemini(conversation: Conversation, profile: ModelProfile): string[] {
  const { leftOut, endUser, parallelToolCalls, tools } = conversation;
  const thinking = thinkingFor(conversation, profile, GEMINI_THINKING);
  return [
    ...leftOut,
    ...tuningFor(conversation, profile, { thinking }).leftOut,
    ...(endUser === null ? [] : ["user"]),
    ...(thinking.isLost && !isOff(conversation.reasoning) ? ["thinking"] : []),
    ...(parallelToolCalls === false && tools.length > 0 ? ["parallel_tool_calls"] : []),
    ...outputInstructions(conversation, profile),
  ];
}

const GEMINI_THINKING: ThinkingApi = { forms: new Set(["level", "tokens"]) };

function generationConfigOf(conversation: Conversation, profile: ModelProfile): Record<string, unknown> {
  const { maxOutputTokens, outputFormat } = conversation;
  const thinking = thinkingFor(conversation, profile, GEMINI_THINKING);
  const { temperature, topP, topK, stop } = tuningFor(conversation, profile, { thinking });
  const thinkingConfig = thinkingConfigOf(conversation, profile, thinking);
  return {
    ...(maxOutputTokens === null ? {} : { maxOutputTokens }),
    ...(temperature === null ? {} : { temperature }),
    ...(topP === null ? {} : { topP }),
    ...(topK === null ? {} : { topK }),
    ...(stop.length === 0 ? {} : { stopSequences: stop }),
    ...(outputFormat === null ? {} : { responseMimeType: "application/json" }),
    ...(outputFormat?.kind === "schema"
      ? { responseJsonSchema: fitSchema(outputFormat.schema, profile.outputSchema) }
      : {}),
    ...(thinkingConfig === null ? {} : { thinkingConfig }),
  };
}

function thinkingConfigOf(
  { reasoning }: Conversation,
  profile: ModelProfile,
  requested: AskedThinking,
): Record<string, unknown> | null {
  const { form, minBudget, levels } = profile.thinking;
  if (reasoning === null || !GEMINI_THINKING.forms.has(form)) return null;
  // The minimum, because some models cannot turn thinking off.
  if (isOff(reasoning)) return form === "level" ? { thinkingLevel: levels[0] } : { thinkingBudget: minBudget };
  const shown = { includeThoughts: true };
  if (requested.budget === null && (reasoning as AskedReasoning).effort === null) return shown;
  if (form === "level") return { ...shown, thinkingLevel: requested.level };
  const minimum = Math.max(minBudget, 1);
  return { ...shown, thinkingBudget: Math.max(minimum, budgetFor(requested, profile)) };
}

const writeTool = (
  { description, schema }: ToolDefinition,
  name: string,
  { toolSchema: rules }: ModelProfile,
): object => ({
  name,
  ...(description === null ? {} : { description }),
  parametersJsonSchema: toolSchema(schema, rules),
});

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

/** Rejects images and documents by URL; newer models fetch them, but only over HTTPS. */
function refuseAddresses({ turns }: Conversation, { fetchesAddresses }: ModelProfile): void {
  for (const { parts } of turns)
    for (const part of parts) {
      const media = part.kind === "toolResult" ? part.parts : [part];
      for (const each of media)
        if ((each.kind === "image" || each.kind === "document") && each.source.kind === "url") {
          if (fetchesAddresses && /^https:\/\//i.test(each.source.url)) continue;
          throw unsupported(each.at, "Images and documents come as base64 data.");
        }
    }
}
