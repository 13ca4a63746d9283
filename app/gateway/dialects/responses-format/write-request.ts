import { createHash } from "node:crypto";
import type { ModelProfile } from "~/domain/catalogue/profiles";
import type { Conversation, ToolDefinition } from "../../canonical/conversation";
import type { ToolNames } from "../wire/identifiers";
import { canBeStrict, fitSchema, toolSchema } from "../wire/schemas/schema-rules";
import { outputInstructions, structuredFor } from "../wire/schemas/structured";
import type { FormatRequest } from "../wire/supplier-format";
import { type AskedThinking, type ThinkingApi, thinkingFor } from "../wire/thoughts/thinking";
import { takesField, tuningFor } from "../wire/tuning";
import { writeItems } from "./write-items";

/**
 * Writes a conversation as the body of a request for a response that the supplier does not store.
 * @throws AppError unsupported_parameter for fields that the format cannot express.
 */
export function writeResponsesRequest(
  requested: Conversation,
  { model, profile, stream, names }: FormatRequest,
): string {
  const conversation = structuredFor(requested, profile);
  const { turns, maxOutputTokens, tools } = conversation;
  const thinking = thinkingFor(conversation, profile, RESPONSES_THINKING);
  const { temperature, topP, parallelToolCalls, endUser } = tuningFor(conversation, profile, { thinking });
  const text = textOf(conversation, profile, thinking);
  return JSON.stringify({
    model,
    input: writeItems(turns, names),
    store: false,
    include: ["reasoning.encrypted_content"],
    ...(stream ? { stream } : {}),
    ...(maxOutputTokens === null ? {} : { max_output_tokens: Math.max(MIN_CEILING, maxOutputTokens) }),
    ...(temperature === null ? {} : { temperature }),
    ...(topP === null ? {} : { top_p: topP }),
    ...(tools.length === 0 ? {} : { tools: tools.map((tool) => writeTool(tool, names, profile)) }),
    ...choiceOf(conversation, names),
    ...(parallelToolCalls === null || tools.length === 0 ? {} : { parallel_tool_calls: parallelToolCalls }),
    ...reasoningOf(thinking),
    ...(Object.keys(text).length === 0 ? {} : { text }),
    ...(endUser === null ? {} : { user: endUser.length <= 64 ? endUser : digest(endUser) }),
  });
}

/**
 * Minimum output ceiling. Suppliers reject lower ones: "Invalid 'max_output_tokens': integer below minimum value." It
 * adds less than a sentence to an answer.
 */
const MIN_CEILING = 16;

/** Returns the tuning fields that such a request omits. */
export function fieldsOmittedFromResponses(conversation: Conversation, profile: ModelProfile): string[] {
  const { leftOut, stopSequences, chatHints = [], topK } = conversation;
  const thinking = thinkingFor(conversation, profile, RESPONSES_THINKING);
  const accepted = chatHints.filter(({ field }) => field === null || isVerbosity(field, profile, thinking));
  const names = new Set(accepted.map(({ name }) => name));
  const tuned = tuningFor(conversation, profile, { thinking }).leftOut.filter(
    (name) => name !== "stop" && name !== "top_k",
  );
  return [
    ...leftOut.filter((name) => !names.has(name)),
    ...tuned,
    ...(topK === null ? [] : ["top_k"]),
    // The format has no stop sequences.
    ...(stopSequences.length === 0 ? [] : ["stop"]),
    ...(thinking.isLost ? ["thinking"] : []),
    ...outputInstructions(conversation, profile),
  ];
}

const RESPONSES_THINKING: ThinkingApi = { forms: new Set(["effort", "reasoning"]) };

const isVerbosity = (field: string, profile: ModelProfile, thinking: AskedThinking): boolean =>
  field === "verbosity" && takesField(profile, "verbosity", thinking);

function reasoningOf({ says, level }: AskedThinking): { reasoning?: object } {
  if (says === "nothing") return {};
  return { reasoning: says === "off" ? { effort: "none" } : { effort: level, summary: "auto" } };
}

function textOf(
  { outputFormat, chatHints = [] }: Conversation,
  profile: ModelProfile,
  thinking: AskedThinking,
): object {
  const hint = chatHints.find(({ field }) => field !== null && isVerbosity(field, profile, thinking));
  return {
    ...(hint === undefined ? {} : { verbosity: hint.value }),
    ...(outputFormat === null ? {} : { format: formatOf(outputFormat, profile) }),
  };
}

function formatOf(format: NonNullable<Conversation["outputFormat"]>, { outputSchema: rules }: ModelProfile): object {
  if (format.kind === "json") return { type: "json_object" };
  const { name, description, schema, strict } = format;
  return {
    type: "json_schema",
    name,
    ...(description === undefined ? {} : { description }),
    schema: fitSchema(schema, rules),
    ...(strict === null ? {} : { strict: strict && canBeStrict(schema, rules) }),
  };
}

/** Writes a function with an explicit `strict`, because the format's default is strict. */
function writeTool(
  { name, description, schema, strict }: ToolDefinition,
  names: ToolNames,
  profile: ModelProfile,
): object {
  const rules = strict === true ? profile.strictToolSchema : profile.toolSchema;
  const parameters = toolSchema(schema, rules);
  return {
    type: "function",
    name: names.fit(name),
    ...(description === null ? {} : { description }),
    parameters,
    strict: strict === true && canBeStrict(parameters, rules),
  };
}

function choiceOf({ tools, toolChoice }: Conversation, names: ToolNames): { tool_choice?: unknown } {
  if (tools.length === 0 || toolChoice === null) return {};
  if (toolChoice.kind === "tool") return { tool_choice: { type: "function", name: names.fit(toolChoice.name) } };
  return { tool_choice: toolChoice.kind === "any" ? "required" : toolChoice.kind };
}

const digest = (text: string) => createHash("sha256").update(text).digest("hex");
