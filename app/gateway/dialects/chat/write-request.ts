import { createHash } from "node:crypto";
import { type ModelProfile, profileOf, type SchemaRules } from "~/domain/catalogue/profiles";
import type { Route } from "~/domain/catalogue/shared";
import type { ChatHint, Conversation, ToolDefinition } from "../../canonical/conversation";
import { ceilingField } from "../wire/ceiling-field";
import type { ToolNames } from "../wire/identifiers";
import { canBeStrict, fitSchema, toolSchema } from "../wire/schemas/schema-rules";
import { outputInstructions, structuredFor } from "../wire/schemas/structured";
import { type AskedThinking, CHAT_THINKING, thinkingFor, writeChatThinking } from "../wire/thoughts/thinking";
import { takesField, tuningFor } from "../wire/tuning";
import { writeChatMessages } from "./write-messages";

/** Input for a request besides the conversation: its route, and the names of its tools at the supplier. */
export type ChatRequest = { route: Route; stream: boolean; names: ToolNames };

/**
 * Writes a conversation as the body of a chat completion request. The model's profile determines the thinking fields,
 * because most chat-style suppliers reject them for models that do not think.
 */
export function writeChatRequest(requested: Conversation, { route, stream, names: requestNames }: ChatRequest): string {
  const { upstreamModel: model, supplier } = route;
  const profile = profileOf(route);
  const names = requestNames.for(profile);
  const conversation = structuredFor(requested, profile);
  const { maxOutputTokens, outputFormat } = conversation;
  const thinking = thinkingFor(conversation, profile, CHAT_THINKING);
  const { temperature, topP, topK, stop, endUser, parallelToolCalls } = tuningFor(conversation, profile, { thinking });
  const body: Record<string, unknown> = {
    model,
    messages: writeChatMessages(conversation.turns, names, profile),
    ...(maxOutputTokens === null ? {} : { [ceilingField(route)]: maxOutputTokens }),
    ...(temperature === null ? {} : { temperature }),
    ...(topP === null ? {} : { top_p: topP }),
    ...(topK === null ? {} : { top_k: topK }),
    ...(stop.length === 0 ? {} : { stop }),
    ...(stream ? { stream } : {}),
    ...(stream && supplier.streamUsage ? { stream_options: { include_usage: true } } : {}),
    ...toolsOf({ ...conversation, parallelToolCalls }, names, profile),
    ...writeChatThinking(thinking, profile),
    ...hintsFor(hintsTaken(conversation, profile, thinking)),
    ...(endUser === null ? {} : { user: endUser.length <= 64 ? endUser : digest(endUser) }),
  };
  if (outputFormat?.kind === "json") body.response_format = { type: "json_object" };
  else if (outputFormat?.kind === "schema") {
    const { name, description, schema, strict } = outputFormat;
    const head = description === undefined ? { name } : { name, description };
    const rules = profile.outputSchema;
    const fit = { schema: fitSchema(schema, rules), ...strictness(schema, strict, rules) };
    body.response_format = { type: "json_schema", json_schema: { ...head, ...fit } };
  }
  return JSON.stringify(body);
}

/** Returns the tuning fields that a chat request on this route omits, by the client's names. */
export function fieldsOmittedFromChat(conversation: Conversation, route: Route): string[] {
  const profile = profileOf(route);
  const thinking = thinkingFor(conversation, profile, CHAT_THINKING);
  const accepted = new Set(hintsTaken(conversation, profile, thinking).map(({ name }) => name));
  return [
    ...conversation.leftOut.filter((name) => !accepted.has(name)),
    ...tuningFor(conversation, profile, { thinking }).leftOut,
    ...(thinking.isLost ? ["thinking"] : []),
    ...outputInstructions(conversation, profile),
  ];
}

const hintsTaken = (
  { chatHints = [] }: Conversation,
  profile: ModelProfile,
  thinking: AskedThinking,
): readonly ChatHint[] => chatHints.filter(({ field }) => field === null || takesField(profile, field, thinking));

const hintsFor = (hints: readonly ChatHint[]): object =>
  Object.fromEntries(hints.flatMap(({ field, value }) => (field === null ? [] : [[field, value]])));

function toolsOf(
  { tools, toolChoice, parallelToolCalls }: Conversation,
  names: ToolNames,
  profile: ModelProfile,
): object {
  if (tools.length === 0) return {};
  return {
    tools: tools.map((tool) => writeTool(tool, names, profile)),
    ...(toolChoice === null ? {} : { tool_choice: choiceOf(toolChoice, names) }),
    ...(parallelToolCalls === null ? {} : { parallel_tool_calls: parallelToolCalls }),
  };
}

function choiceOf(choice: NonNullable<Conversation["toolChoice"]>, names: ToolNames): unknown {
  if (choice.kind === "tool") return { type: "function", function: { name: names.fit(choice.name) } };
  return choice.kind === "any" ? "required" : choice.kind;
}

function writeTool(
  { name, description, schema, strict }: ToolDefinition,
  names: ToolNames,
  { toolSchema: plain, strictToolSchema }: ModelProfile,
): object {
  const rules = strict === true ? strictToolSchema : plain;
  const parameters = toolSchema(schema, rules);
  return {
    type: "function",
    function: {
      name: names.fit(name),
      ...(description === null ? {} : { description }),
      parameters,
      ...strictness(parameters, strict, rules),
    },
  };
}

/** Returns `strict` for a schema; false if the model would reject the schema as strict. */
const strictness = (schema: unknown, strict: boolean | null, rules: SchemaRules): { strict?: boolean } =>
  strict === null ? {} : { strict: strict && canBeStrict(schema, rules) };

const digest = (text: string) => createHash("sha256").update(text).digest("hex");
