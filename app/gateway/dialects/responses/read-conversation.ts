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
import { isObject, type JsonObject, listAt, numberOrNull, objectAt, textAt } from "../wire/reading";
import { refuseOthers, unsupported } from "../wire/unsupported";
import type { ResponsesBody } from "./read";
import { readItems } from "./read-items";

/** A request as a conversation. What it leaves out are fields that only tune, and tools that run at a supplier. */
export type ResponsesConversation = {
  conversation: Conversation;
  /** The names of tools that take a text instead of JSON; other dialects know them as functions with one field. */
  customTools: ReadonlySet<string>;
};

/**
 * A request for a response as a conversation.
 * @throws AppError unsupported_parameter for what only suppliers of the same dialect understand; invalid_request for what
 *   is not of the dialect's shape.
 */
export function readResponsesConversation(body: ResponsesBody): ResponsesConversation {
  refuseOthers(body, UNDERSTOOD);
  refuseSpecial(body);
  const dropped = new Set<string>();
  const turns = readItems(body.input, dropped);
  const { tools, customTools } = readTools(body.tools, dropped);
  const choice = readToolChoice(body.tool_choice, tools);
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
    customTools,
  };
}

/**
 * Read here, by gw itself, or harmless to leave out: labels for the supplier's own records, hints for its cache, and wishes
 * about parts of an answer that no other dialect has.
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

/** Whether a field that only tunes asks for anything but what happens anyway. */
const says = (value: unknown) => value != null && value !== "disabled" && value !== "medium";

/** What only tunes, and has a place in the chat dialect. */
function readChatHints(body: ResponsesBody, text: JsonObject, turns: readonly Turn[]): ChatHint[] {
  const hints: ChatHint[] = [];
  if (says(text.verbosity)) hints.push({ name: "text.verbosity", field: "verbosity", value: text.verbosity });
  for (const field of ["frequency_penalty", "presence_penalty"] as const)
    if (body[field] != null && body[field] !== 0) hints.push({ name: field, field, value: body[field] });
  if (turns.some(hasDetail)) hints.push({ name: "input_image.detail", field: null, value: null });
  return hints;
}

/** Whether a turn says how closely one of its pictures is to be looked at. */
function hasDetail({ parts }: { parts: Turn["parts"] }): boolean {
  return parts.some((part) =>
    part.kind === "toolResult" ? hasDetail(part) : part.kind === "image" && part.detail !== undefined,
  );
}

type Tools = { tools: ToolDefinition[]; customTools: Set<string> };

function readTools(given: unknown, dropped: Set<string>): Tools {
  const tools: ToolDefinition[] = [];
  const customTools = new Set<string>();
  for (const [index, entry] of listAt(given, "tools").entries()) {
    const at = `tools[${index}]`;
    const tool = objectAt(entry, at);
    if (tool.type === "function") tools.push(readFunction(tool, at));
    else if (tool.type === "custom") {
      const custom = readCustom(tool, at);
      customTools.add(custom.name);
      tools.push(custom);
    } else dropped.add(`tools.${plainName(textAt(tool.type, `${at}.type`))}`);
  }
  return { tools, customTools };
}

const describedBy = (description: unknown) => (typeof description === "string" ? description : null);

function readFunction({ name, description, parameters, strict }: JsonObject, at: string): ToolDefinition {
  return {
    name: textAt(name, `${at}.name`),
    description: describedBy(description),
    schema: parameters ?? { type: "object", properties: {} },
    strict: typeof strict === "boolean" ? strict : null,
  };
}

/** A tool that takes a text: a function with one field. A grammar for the text is told in words. */
function readCustom({ name, description, format }: JsonObject, at: string): ToolDefinition {
  const grammar = isObject(format) && format.type === "grammar" ? format : null;
  const rule = grammar === null ? null : `The input follows this ${grammar.syntax} grammar:\n${grammar.definition}`;
  const words = [describedBy(description), rule].filter((line) => line !== null).join("\n\n");
  return {
    name: textAt(name, `${at}.name`),
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

/** The choice, and the tools among which it is: a request may allow some of them only. */
function readToolChoice(
  choice: unknown,
  tools: readonly ToolDefinition[],
): { toolChoice: ToolChoice | null; tools: readonly ToolDefinition[] } {
  if (choice == null) return { toolChoice: null, tools };
  if (choice === "auto" || choice === "none") return { toolChoice: { kind: choice }, tools };
  if (choice === "required") {
    if (tools.length === 0) throw unsupported("tool_choice", "None of the tools can be run for this model.");
    return { toolChoice: { kind: "any" }, tools };
  }
  const { type, name, mode, tools: listed } = objectAt(choice, "tool_choice");
  if (type === "allowed_tools") {
    const names = new Set(listAt(listed, "tool_choice.tools").map((tool) => (isObject(tool) ? tool.name : null)));
    return readToolChoice(
      mode === "required" ? "required" : "auto",
      tools.filter((tool) => names.has(tool.name)),
    );
  }
  if (type !== "function" && type !== "custom")
    throw unsupported("tool_choice", "The tool runs at a supplier that serves other models.");
  return { toolChoice: { kind: "tool", name: textAt(name, "tool_choice.name") }, tools };
}

function readEndUser({ safety_identifier, user }: ResponsesBody): string | null {
  for (const name of [safety_identifier, user]) if (typeof name === "string" && name !== "") return name;
  return null;
}

function readReasoning(reasoning: unknown): Reasoning | null {
  if (reasoning == null) return null;
  const { effort } = objectAt(reasoning, "reasoning");
  if (effort == null) return null;
  const words = textAt(effort, "reasoning.effort");
  return words === "none" ? { kind: "off" } : { kind: "effort", effort: words };
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
