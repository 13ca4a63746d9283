import type {
  ChatHint,
  Conversation,
  OutputFormat,
  Reasoning,
  ToolChoice,
  ToolDefinition,
  Turn,
} from "../../canonical/conversation";
import { plainName } from "../wire/billed-tools";
import { isObject, type JsonObject, listAt, numberOrNull, objectAt, textAt } from "../wire/events/reading";
import { refuseOthers, unsupported } from "../wire/unsupported";
import { type CallForm, ClientTools, eachTool, isClientSearch, namespaceOf, type PlacedTool } from "./client-tools";
import { isLocal, LOCAL_TOOLS, type LocalForm, localForm } from "./local-tools";
import type { ResponsesBody } from "./read";
import { readItems } from "./read-items";

/** A request as a conversation, without some tuning fields and without tools that run at a supplier. */
export type ResponsesConversation = {
  conversation: Conversation;
  /** The client's tools by their names in other dialects, which have them as functions. */
  clientTools: ClientTools;
};

/**
 * Converts a request for a response to a conversation.
 * @throws AppError unsupported_parameter for fields that only suppliers of the same dialect support; invalid_request
 *   for values that violate the dialect.
 */
export function readResponsesConversation(body: ResponsesBody): ResponsesConversation {
  refuseOthers(body, UNDERSTOOD);
  refuseSpecial(body);
  const dropped = new Set<string>();
  const clientTools = new ClientTools(plainNamesIn(body));
  const loaded: PlacedTool[] = [];
  const turns = readItems(body.input, { dropped, clientTools, loaded });
  const tools = readTools([...eachTool(body.tools, "tools"), ...loaded], clientTools, dropped);
  const choice = readToolChoice(body.tool_choice, { tools, clientTools });
  for (const name of ["truncation", "max_tool_calls", "context_management"]) if (says(body[name])) dropped.add(name);
  const text = body.text == null ? {} : objectAt(body.text, "text");
  const chatHints = readChatHints(body, text, turns);
  for (const { name } of chatHints) dropped.add(name);
  const { instructions } = body;
  return {
    conversation: {
      turns: instructions ? [{ role: "system", parts: [{ kind: "text", text: instructions }] }, ...turns] : turns,
      tools: choice.tools,
      toolChoice: choice.toolChoice,
      parallelToolCalls: typeof body.parallel_tool_calls === "boolean" ? body.parallel_tool_calls : null,
      maxOutputTokens: numberOrNull(body.max_output_tokens),
      temperature: numberOrNull(body.temperature),
      topP: numberOrNull(body.top_p),
      topK: null,
      stopSequences: [],
      endUser: readEndUser(body),
      reasoning: readReasoning(body.reasoning),
      outputFormat: readOutputFormat(text.format),
      leftOut: [...dropped],
      chatHints,
    },
    clientTools,
  };
}

/** Yields the names of tools and calls without a namespace. */
function* plainNamesIn({ tools, input }: ResponsesBody): Iterable<unknown> {
  for (const each of [...(tools ?? []), ...input]) if (isObject(each) && namespaceOf(each) === null) yield each.name;
}

/**
 * Fields that are translated here, read by gw itself, or safe to omit: labels for the supplier's records, hints for its
 * cache, and options for parts of an answer that no other dialect has.
 */
const UNDERSTOOD = new Set([
  ...["model", "input", "instructions", "stream", "stream_options", "store", "metadata", "region", "background"],
  ...["tools", "tool_choice", "parallel_tool_calls", "max_tool_calls", "max_output_tokens", "temperature", "top_p"],
  ...["reasoning", "text", "user", "safety_identifier", "truncation", "include", "service_tier", "client_metadata"],
  ...["context_management", "frequency_penalty", "presence_penalty"],
  ...["prompt_cache_key", "prompt_cache_retention", "previous_response_id", "conversation", "prompt", "top_logprobs"],
]);

function refuseSpecial(body: ResponsesBody): void {
  if (typeof body.top_logprobs === "number" && body.top_logprobs > 0) throw unsupported("top_logprobs");
  if (listAt(body.include, "include").includes("message.output_text.logprobs")) throw unsupported("include");
  if (body.service_tier === "flex" || body.service_tier === "priority") throw unsupported("service_tier");
}

/** Whether a tuning field has a value other than the default. */
const says = (value: unknown) => value != null && value !== "disabled" && value !== "medium";

/** Reads tuning fields that the chat dialect has as well. */
function readChatHints(body: ResponsesBody, text: JsonObject, turns: readonly Turn[]): ChatHint[] {
  const hints: ChatHint[] = [];
  if (says(text.verbosity)) hints.push({ name: "text.verbosity", field: "verbosity", value: text.verbosity });
  for (const field of ["frequency_penalty", "presence_penalty"] as const)
    if (body[field] != null && body[field] !== 0) hints.push({ name: field, field, value: body[field] });
  if (turns.some(hasDetail)) hints.push({ name: "input_image.detail", field: null, value: null });
  return hints;
}

/** Whether a turn sets the level of detail of a picture. */
function hasDetail({ parts }: { parts: Turn["parts"] }): boolean {
  return parts.some((part) =>
    part.kind === "toolResult" ? hasDetail(part) : part.kind === "image" && part.detail !== undefined,
  );
}

/** Returns the tools that the client runs, each once, because a tool loaded by a search may also be declared. */
function readTools(placed: readonly PlacedTool[], clientTools: ClientTools, dropped: Set<string>): ToolDefinition[] {
  const tools = new Map<string, ToolDefinition>();
  for (const { tool, at, namespace, about } of placed) {
    const form = formOf(tool);
    if (form === null) {
      dropped.add(`tools.${plainName(textAt(tool.type, `${at}.type`))}`);
      continue;
    }
    const toolName = form === "search" || isLocal(form) ? "" : textAt(tool.name, `${at}.name`);
    const name = clientTools.add({ name: toolName, namespace, form });
    const definition = READERS[form](tool);
    const sentences = [definition.description, about === null ? null : `About all tools of ${namespace}: ${about}`];
    const description = sentences.filter((line) => line !== null).join("\n\n");
    tools.set(name, { ...definition, name, description: description === "" ? null : description });
  }
  return [...tools.values()];
}

/** Returns the call form of a tool; null if it runs at a supplier. */
function formOf(tool: JsonObject): CallForm | null {
  if (tool.type === "function" || tool.type === "custom") return tool.type;
  return isClientSearch(tool) ? "search" : localForm(tool);
}

const describedBy = (description: unknown) => (typeof description === "string" ? description : null);

type Described = Omit<ToolDefinition, "name">;

const READERS: Readonly<Record<CallForm, (tool: JsonObject) => Described>> = {
  function: ({ description, parameters, strict }) => ({
    description: describedBy(description),
    schema: parameters ?? { type: "object", properties: {} },
    strict: typeof strict === "boolean" ? strict : null,
  }),
  custom: readCustom,
  search: ({ description, parameters }) => ({
    description: describedBy(description),
    schema: parameters ?? { type: "object", properties: {} },
    strict: null,
  }),
  ...(Object.fromEntries(
    Object.entries(LOCAL_TOOLS).map(([form, { description, schema }]) => [
      form,
      () => ({ description, schema, strict: null }),
    ]),
  ) as Record<LocalForm, () => Described>),
};

/**
 * Converts a tool with text input to a function with one field. A grammar of the text becomes part of the description.
 */
function readCustom({ description, format }: JsonObject): Described {
  const grammar = isObject(format) && format.type === "grammar" ? format : null;
  const rule = grammar === null ? null : `The input follows this ${grammar.syntax} grammar:\n${grammar.definition}`;
  const words = [describedBy(description), rule].filter((line) => line !== null).join("\n\n");
  return {
    description: words === "" ? null : words,
    schema: {
      type: "object",
      properties: { input: { type: "string" } },
      required: ["input"],
      additionalProperties: false,
    },
    strict: null,
  };
}

type Offered = { tools: readonly ToolDefinition[]; clientTools: ClientTools };

/** Reads the choice and its tools; `allowed_tools` restricts both. */
function readToolChoice(
  choice: unknown,
  { tools, clientTools }: Offered,
): { toolChoice: ToolChoice | null; tools: readonly ToolDefinition[] } {
  if (choice == null) return { toolChoice: null, tools };
  if (choice === "auto" || choice === "none") return { toolChoice: { kind: choice }, tools };
  if (choice === "required") {
    if (tools.length === 0) throw unsupported("tool_choice", "None of the tools can be run for this model.");
    return { toolChoice: { kind: "any" }, tools };
  }
  const chosen = objectAt(choice, "tool_choice");
  if (chosen.type === "allowed_tools") {
    const allowed = listAt(chosen.tools, "tool_choice.tools").filter(isObject);
    const names = new Set(allowed.flatMap((tool) => chosenNames(tool, clientTools)));
    const remaining = { tools: tools.filter(({ name }) => names.has(name)), clientTools };
    return readToolChoice(chosen.mode === "required" ? "required" : "auto", remaining);
  }
  if (formOf({ execution: "client", ...chosen }) === null)
    throw unsupported("tool_choice", "The tool runs at a supplier that serves other models.");
  if (chosen.type === "function" || chosen.type === "custom") textAt(chosen.name, "tool_choice.name");
  return { toolChoice: { kind: "tool", name: chosenNames(chosen, clientTools)[0]! }, tools };
}

/** Returns the tool names that a choice selects: one tool, or all of a namespace. */
function chosenNames(chosen: JsonObject, clientTools: ClientTools): string[] {
  const { type, name } = chosen;
  if (type === "namespace") return typeof name === "string" ? clientTools.within(name) : [];
  const form = formOf({ execution: "client", ...chosen }) ?? "function";
  return typeof name === "string" || form === "search" || isLocal(form)
    ? [clientTools.nameOf({ name: String(name ?? ""), namespace: namespaceOf(chosen), form })]
    : [];
}

function readEndUser({ safety_identifier, user }: ResponsesBody): string | null {
  for (const name of [safety_identifier, user]) if (typeof name === "string" && name !== "") return name;
  return null;
}

function readReasoning(reasoning: unknown): Reasoning | null {
  if (reasoning == null) return null;
  const { effort } = objectAt(reasoning, "reasoning");
  if (effort == null) return null;
  const level = textAt(effort, "reasoning.effort");
  return level === "none" ? { kind: "off" } : { kind: "effort", effort: level };
}

function readOutputFormat(format: unknown): OutputFormat | null {
  if (format == null) return null;
  const { type, name, description, schema, strict } = objectAt(format, "text.format");
  if (type === "text") return null;
  if (type === "json_object") return { kind: "json" };
  if (type !== "json_schema") throw unsupported("text.format.type");
  return {
    kind: "schema",
    name: typeof name === "string" ? name : "answer",
    ...(typeof description === "string" ? { description } : {}),
    schema: schema ?? { type: "object" },
    strict: typeof strict === "boolean" ? strict : null,
  };
}
