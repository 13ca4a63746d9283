import type {
  AssistantPart,
  Conversation,
  MediaPart,
  OutputFormat,
  TextPart,
  ToolChoice,
  ToolDefinition,
  Turn,
  UserPart,
} from "../../canonical/conversation";
import { isObject, type JsonObject, listAt, numberOrNull, objectAt, readDataUrl, textAt } from "../wire/events/reading";
import { readThinking } from "../wire/thoughts/read-thinking";
import { sealOfCall } from "../wire/thoughts/thoughts";
import { malformed, refuseOthers, unsupported } from "../wire/unsupported";
import type { ChatBody } from "./read";
import { readThoughtDetails } from "./thought-details";

/**
 * Converts a chat request to a conversation.
 * @throws AppError unsupported_parameter for fields that only chat-style suppliers support; invalid_request for values
 *   that violate the dialect.
 */
export function readChatConversation(body: ChatBody): Conversation {
  refuseOthers(body, UNDERSTOOD);
  refuseSpecial(body);
  return {
    turns: body.messages.map((message, index) => readTurn(message, `messages[${index}]`)),
    ...readTools(body),
    parallelToolCalls: typeof body.parallel_tool_calls === "boolean" ? body.parallel_tool_calls : null,
    maxOutputTokens: numberOrNull(body.max_completion_tokens) ?? numberOrNull(body.max_tokens),
    temperature: numberOrNull(body.temperature),
    topP: numberOrNull(body.top_p),
    topK: numberOrNull(body.top_k),
    stopSequences: readStop(body.stop),
    endUser: readEndUser(body),
    reasoning: readThinking(body as JsonObject),
    outputFormat: readOutputFormat(body.response_format),
    leftOut: leftOut(body),
  };
}

/** Tuning fields and their no-op values. */
const HINTS: readonly (readonly [name: string, idle: unknown])[] = [
  ["frequency_penalty", 0],
  ["presence_penalty", 0],
  ["repetition_penalty", 1],
  ["seed", null],
  ["min_p", 0],
  ["top_a", 0],
  ["verbosity", "medium"],
];

function leftOut(body: ChatBody): string[] {
  const names = HINTS.filter(([name, idle]) => body[name] != null && body[name] !== idle).map(([name]) => name);
  if (body.messages.some(isNamed)) names.push("messages.name");
  return body.messages.some(hasDetail) ? [...names, "image_url.detail"] : names;
}

/** Whether a message names its speaker. */
const isNamed = ({ role, name }: JsonObject): boolean => role !== "tool" && typeof name === "string" && name !== "";

/** Whether a message sets the level of detail of a picture. */
function hasDetail({ content }: ChatBody["messages"][number]): boolean {
  if (!Array.isArray(content)) return false;
  return content.some((part) => {
    const image = isObject(part) && isObject(part.image_url) ? part.image_url : null;
    return image !== null && image.detail != null && image.detail !== "auto";
  });
}

/**
 * Fields that are translated here, read by gw itself, or safe to omit: labels for the supplier's records (`metadata`)
 * and hints that affect the speed or cost of an answer, but not its content.
 */
const UNDERSTOOD = new Set([
  ...["model", "messages", "stream", "stream_options", "metadata", "region", "n", "service_tier"],
  ...["tools", "tool_choice", "parallel_tool_calls", "max_tokens", "max_completion_tokens"],
  ...["temperature", "top_p", "top_k", "stop", "user", "safety_identifier"],
  ...["reasoning_effort", "thinking", "reasoning", "enable_thinking", "thinking_budget", "chat_template_kwargs"],
  ...["include_reasoning", "reasoning_format", "reasoning_split", "response_format", "cache_control"],
  ...["prompt_cache_key", "prompt_cache_retention", "prediction"],
  ...["logprobs", "top_logprobs", "logit_bias", "store", "modalities"],
  ...["frequency_penalty", "presence_penalty", "repetition_penalty", "seed", "min_p", "top_a", "verbosity"],
]);

/** Rejects fields that have no translation. Accepts their no-op values, which many clients always send. */
function refuseSpecial(body: ChatBody): void {
  if (typeof body.n === "number" && body.n > 1) throw unsupported("n", "One answer at a time is possible.");
  if (body.logprobs === true) throw unsupported("logprobs");
  if (typeof body.top_logprobs === "number" && body.top_logprobs > 0) throw unsupported("top_logprobs");
  if (isObject(body.logit_bias) && Object.keys(body.logit_bias).length > 0) throw unsupported("logit_bias");
  if (body.store === true) throw unsupported("store");
  if (body.service_tier === "flex" || body.service_tier === "priority") throw unsupported("service_tier");
  if (listAt(body.modalities, "modalities").some((modality) => modality !== "text")) throw unsupported("modalities");
}

function readTurn(message: ChatBody["messages"][number], at: string): Turn {
  const { role, content } = message as JsonObject & { role: string };
  switch (role) {
    case "system":
    case "developer":
      return { role: "system", parts: readTexts(content, `${at}.content`) };
    case "user":
      return { role: "user", parts: readUserParts(content, `${at}.content`) };
    case "assistant":
      return { role: "assistant", parts: readAssistantParts(message as JsonObject, at) };
    case "tool":
      return { role: "user", parts: [readToolResult(message as JsonObject, at)] };
    default:
      throw unsupported(`${at}.role`, "Use tools and messages with the role tool.");
  }
}

function readToolResult(message: JsonObject, at: string): UserPart {
  const { tool_call_id, content } = message;
  const callId = textAt(tool_call_id, `${at}.tool_call_id`);
  const parts = readUserParts(content, `${at}.content`);
  return {
    kind: "toolResult",
    callId,
    isError: false,
    parts: parts as (TextPart | MediaPart)[],
    ...cacheControlOf(message),
  };
}

function readAssistantParts(message: JsonObject, at: string): AssistantPart[] {
  if (message.function_call != null) throw unsupported(`${at}.function_call`, "Use tool_calls.");
  if (message.audio != null) throw unsupported(`${at}.audio`);
  const parts: AssistantPart[] = [...readThoughtDetails(message.reasoning_details)];
  parts.push(...readTexts(withoutThoughts(message.content), `${at}.content`));
  if (typeof message.refusal === "string") parts.push({ kind: "text", text: message.refusal });
  for (const [index, call] of listAt(message.tool_calls, `${at}.tool_calls`).entries()) {
    const path = `${at}.tool_calls[${index}]`;
    const { id, type, function: called, ...more } = objectAt(call, path);
    const seal = sealOfCall(more);
    if (seal !== null) parts.push({ kind: "thinking", text: "", signature: seal });
    if (type != null && type !== "function") throw unsupported(`${path}.type`);
    const { name, arguments: argumentText } = objectAt(called, `${path}.function`);
    parts.push({
      kind: "toolCall",
      id: textAt(id, `${path}.id`),
      name: textAt(name, `${path}.function.name`),
      arguments: typeof argumentText === "string" ? argumentText : "",
    });
  }
  return parts;
}

/** Removes thoughts from the content; they have no seal, so other suppliers do not accept them. */
const withoutThoughts = (content: unknown): unknown =>
  Array.isArray(content) ? content.filter((part) => !isObject(part) || part.type !== "thinking") : content;

/** Reads the text of a system or assistant message; an assistant's refusal is a separate text. */
function readTexts(content: unknown, at: string): TextPart[] {
  if (content == null) return [];
  if (typeof content === "string") return [{ kind: "text", text: content }];
  return listAt(content, at).map((part, index) => {
    const { type, text, refusal, ...rest } = objectAt(part, `${at}[${index}]`);
    if (type === "text") return { kind: "text", text: textAt(text, `${at}[${index}].text`), ...cacheControlOf(rest) };
    if (type === "refusal") return { kind: "text", text: textAt(refusal, `${at}[${index}].refusal`) };
    throw unsupported(`${at}[${index}]`);
  });
}

function readUserParts(content: unknown, at: string): (TextPart | MediaPart)[] {
  if (content == null) return [];
  if (typeof content === "string") return [{ kind: "text", text: content }];
  return listAt(content, at).map((part, index) => readUserPart(objectAt(part, `${at}[${index}]`), `${at}[${index}]`));
}

function readUserPart(part: JsonObject, at: string): TextPart | MediaPart {
  switch (part.type) {
    case "text":
      return { kind: "text", text: textAt(part.text, `${at}.text`), ...cacheControlOf(part) };
    case "image_url":
      return readImage(part, at);
    case "file":
      return readFile(part, at);
    default:
      throw unsupported(at);
  }
}

function readImage(part: JsonObject, at: string): MediaPart {
  const image = part.image_url;
  const url = textAt(isObject(image) ? image.url : image, `${at}.image_url.url`);
  const inline = readDataUrl(url);
  if (inline === null && url.startsWith("data:")) throw malformed(`${at}.image_url.url`, "must hold base64 data");
  const source = inline === null ? { kind: "url" as const, url } : { kind: "base64" as const, ...inline };
  return { kind: "image", source, at, ...cacheControlOf(part) };
}

function readFile(part: JsonObject, at: string): MediaPart {
  const { file_data, file_id, filename } = objectAt(part.file, `${at}.file`);
  if (file_id != null) throw unsupported(`${at}.file.file_id`, "Send the file itself as file_data.");
  const data = textAt(file_data, `${at}.file.file_data`);
  const inline = readDataUrl(data);
  const title = typeof filename === "string" ? filename : null;
  if (/^https?:\/\//i.test(data))
    return { kind: "document", source: { kind: "url", url: data }, title, at, ...cacheControlOf(part) };
  if (inline === null) throw malformed(`${at}.file.file_data`, "must be a data: address with base64 content");
  return {
    kind: "document",
    source: { kind: "base64", ...inline },
    title,
    at,
    ...cacheControlOf(part),
  };
}

/** Reads a cache mark of the messages dialect; some chat clients send it because they know the supplier. */
const cacheControlOf = (part: JsonObject): { cacheControl?: unknown } =>
  part.cache_control == null ? {} : { cacheControl: part.cache_control };

function readTool(tool: unknown, at: string): ToolDefinition {
  const wireTool = objectAt(tool, at);
  if (wireTool.type != null && wireTool.type !== "function")
    throw unsupported(`${at}.type`, "Use tools of the type function.");
  const { name, description, parameters, strict } = objectAt(wireTool.function, `${at}.function`);
  return {
    name: textAt(name, `${at}.function.name`),
    description: typeof description === "string" ? description : null,
    schema: parameters ?? { type: "object", properties: {} },
    strict: typeof strict === "boolean" ? strict : null,
    ...cacheControlOf(wireTool),
  };
}

/** Reads the tools and the choice among them; `allowed_tools` restricts both. */
function readTools({ tools: wireTools, tool_choice: choice }: ChatBody): Pick<Conversation, "tools" | "toolChoice"> {
  const tools = listAt(wireTools, "tools").map((tool, index) => readTool(tool, `tools[${index}]`));
  if (!isObject(choice) || choice.type !== "allowed_tools") return { tools, toolChoice: readToolChoice(choice) };
  const { mode, tools: listed } = objectAt(choice.allowed_tools, "tool_choice.allowed_tools");
  const allowed = listAt(listed, "tool_choice.allowed_tools.tools").filter(isObject);
  const names = new Set(allowed.map((tool) => (isObject(tool.function) ? tool.function.name : null)));
  const toolChoice: ToolChoice = { kind: mode === "required" ? "any" : "auto" };
  return { tools: tools.filter(({ name }) => names.has(name)), toolChoice };
}

function readToolChoice(choice: unknown): ToolChoice | null {
  if (choice == null) return null;
  if (choice === "auto" || choice === "none") return { kind: choice };
  if (choice === "required" || choice === "any") return { kind: "any" };
  if (!isObject(choice) || choice.type !== "function") throw unsupported("tool_choice");
  return {
    kind: "tool",
    name: textAt(objectAt(choice.function, "tool_choice.function").name, "tool_choice.function.name"),
  };
}

function readStop(stop: unknown): string[] {
  if (stop == null) return [];
  if (typeof stop === "string") return [stop];
  return listAt(stop, "stop").map((sequence, index) => textAt(sequence, `stop[${index}]`));
}

function readEndUser({ user, safety_identifier }: ChatBody): string | null {
  for (const name of [user, safety_identifier]) if (typeof name === "string" && name !== "") return name;
  return null;
}

function readOutputFormat(format: unknown): OutputFormat | null {
  if (format == null) return null;
  const { type, json_schema } = objectAt(format, "response_format");
  if (type === "text") return null;
  if (type === "json_object") return { kind: "json" };
  if (type !== "json_schema") throw unsupported("response_format.type");
  const { name, schema, strict } = objectAt(json_schema, "response_format.json_schema");
  return {
    kind: "schema",
    name: typeof name === "string" ? name : "answer",
    schema: schema ?? { type: "object" },
    strict: typeof strict === "boolean" ? strict : null,
  };
}
