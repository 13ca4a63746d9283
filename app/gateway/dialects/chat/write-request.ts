import { createHash } from "node:crypto";
import { profileOf } from "~/domain/catalogue/profiles";
import type { OutputField, Route } from "~/domain/catalogue/shared";
import type { ChatHint, Conversation, ToolDefinition } from "../../canonical/conversation";
import type { ToolNames } from "../wire/identifiers";
import { writeChatMessages } from "./write-messages";

/** What a request needs besides the conversation: who serves it, and the names that its tools have there. */
export type ChatRequest = { route: Route; stream: boolean; names: ToolNames };

/**
 * A conversation as the body of a chat completion request. How hard to think is passed on to models that are known to think:
 * most chat-style suppliers refuse the field for the others.
 */
export function writeChatRequest(conversation: Conversation, { route, stream, names }: ChatRequest): string {
  const { upstreamModel: model, supplier } = route;
  const { maxOutputTokens, temperature, topP, stopSequences, endUser, outputFormat } = conversation;
  const effort = effortOf(conversation, model);
  const body: Record<string, unknown> = {
    model,
    messages: writeChatMessages(conversation.turns, names, profileOf(route)),
    ...(maxOutputTokens === null ? {} : { [ceilingField(route)]: maxOutputTokens }),
    ...(temperature === null ? {} : { temperature }),
    ...(topP === null ? {} : { top_p: topP }),
    ...(stopSequences.length === 0 ? {} : { stop: stopSequences }),
    ...(stream ? { stream } : {}),
    ...(stream && supplier.streamUsage ? { stream_options: { include_usage: true } } : {}),
    ...toolsOf(conversation, names),
    ...(effort === null ? {} : { reasoning_effort: effort }),
    ...hintsFor(conversation, model),
    ...(endUser === null ? {} : { user: endUser.length <= 64 ? endUser : digest(endUser) }),
  };
  if (outputFormat?.kind === "json") body.response_format = { type: "json_object" };
  else if (outputFormat?.kind === "schema") {
    const { name, description, schema, strict } = outputFormat;
    const told = description === undefined ? { name } : { name, description };
    body.response_format = {
      type: "json_schema",
      json_schema: { ...told, schema, ...(strict === null ? {} : { strict }) },
    };
  }
  return JSON.stringify(body);
}

/** What only tunes an answer and has no place in a chat request for this model, by the client's names. */
export function leftOutOfChat(conversation: Conversation, model: string): string[] {
  const { leftOut, topK, reasoning } = conversation;
  const isThinkingLost =
    reasoning !== null && (reasoning.kind !== "off" || thinks(model)) && effortOf(conversation, model) === null;
  const taken = new Set(hintsTaken(conversation, model).map(({ name }) => name));
  return [
    ...leftOut.filter((name) => !taken.has(name)),
    ...(topK === null ? [] : ["top_k"]),
    ...(isThinkingLost ? ["thinking"] : []),
  ];
}

/** Models that think have a verbosity and refuse penalties; with the others it is the other way round. */
const hintsTaken = ({ chatHints = [] }: Conversation, model: string): readonly ChatHint[] =>
  chatHints.filter(({ field }) => field === null || (field === "verbosity") === thinks(model));

const hintsFor = (conversation: Conversation, model: string): object =>
  Object.fromEntries(
    hintsTaken(conversation, model).flatMap(({ field, value }) => (field === null ? [] : [[field, value]])),
  );

const thinks = (model: string): boolean => /(^|\/)(o[1-9]|gpt-[5-9])/.test(model);

/** Models that think before they answer and can be kept from it. */
const canStop = (model: string): boolean => /(^|\/)gpt-(5\.[1-9]|[6-9])/.test(model);

/** Where a chat request by a route states the most output, as the catalogue has it. */
export const ceilingField = ({ outputField, supplier }: Route): OutputField =>
  outputField ?? supplier.outputField ?? "max_tokens";

/** Budgets of thinking, in tokens, below which the effort counts as low and as medium. */
const LOW_BELOW = 4_096;
const MEDIUM_BELOW = 16_384;

function effortOf({ reasoning }: Conversation, model: string): string | null {
  if (reasoning === null || !thinks(model)) return null;
  if (reasoning.kind === "off") return canStop(model) ? "none" : null;
  const { effort } = reasoning;
  if (effort !== null) return effort === "xhigh" || effort === "max" ? "high" : effort;
  const budget = reasoning.kind === "thinking" ? reasoning.config.budget_tokens : null;
  if (typeof budget !== "number") return "medium";
  return budget < LOW_BELOW ? "low" : budget < MEDIUM_BELOW ? "medium" : "high";
}

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
