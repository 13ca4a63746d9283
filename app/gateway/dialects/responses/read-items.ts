import { exactJson } from "~/http/body/json/exact-numbers";
import type { AssistantPart, MediaPart, TextPart, ToolResultPart, Turn, UserPart } from "../../canonical/conversation";
import { isObject, type JsonObject, listAt, objectAt, readDataUrl, textAt } from "../wire/events/reading";
import { openThought } from "../wire/thoughts/sealed-thoughts";
import { malformed, unsupported } from "../wire/unsupported";
import {
  type CallForm,
  type ClientTools,
  eachTool,
  isClientSearch,
  namespaceOf,
  type PlacedTool,
} from "./client-tools";
import { isLocal, LOCAL_TOOLS, type LocalTool, localForm } from "./local-tools";

type AssistantTurn = { role: "assistant"; parts: AssistantPart[] };
type UserTurn = { role: "user"; parts: UserPart[] };

/**
 * Items of a supplier's own tools in an earlier answer, which other dialects cannot express and which need no result.
 */
const HOSTED =
  /^(?:web_search|file_search|code_interpreter|image_generation|mcp|tool_search|shell)_(?:call|list_tools|output|call_output|approval_request|approval_response)$/;

/** Output of reading besides turns: kinds of dropped items, and tools that the conversation has loaded. */
export type Findings = { dropped: Set<string>; clientTools: ClientTools; loaded: PlacedTool[] };
type Reading = Findings & { turns: Turn[] };

/**
 * Converts items to turns. Adjacent items of the model become one turn. A result is placed directly after the turn with
 * its call, wherever the client put it.
 * @throws AppError unsupported_parameter, invalid_request, with the item's path.
 */
export function readItems(items: readonly unknown[], findings: Findings): Turn[] {
  const turns: Turn[] = [];
  for (const [index, item] of items.entries())
    readItem(objectAt(item, `input[${index}]`), `input[${index}]`, { ...findings, turns });
  return turns;
}

function readItem(item: JsonObject, at: string, reading: Reading): void {
  const { type } = item;
  const { turns } = reading;
  if (isClientSearch(item)) {
    readSearch(item, at, reading);
    return;
  }
  const called = localForm(item, "_call");
  const answered = called === null ? localForm(item, "_call_output") : null;
  if (called !== null) addAssistantPart(turns, readCall(item, at, { ...reading, form: called }));
  if (answered !== null) placeLocal(item, at, { ...reading, tool: LOCAL_TOOLS[answered] });
  if (called !== null || answered !== null) return;
  switch (type) {
    case undefined:
    case "message":
      readMessage(item, at, turns);
      break;
    case "function_call":
      addAssistantPart(turns, readCall(item, at, { ...reading, form: "function" }));
      break;
    case "custom_tool_call":
      addAssistantPart(turns, readCall(item, at, { ...reading, form: "custom" }));
      break;
    case "function_call_output":
    case "custom_tool_call_output":
      placeResult(turns, readResult(item, at));
      break;
    case "reasoning": {
      const thought = openThought(item.encrypted_content);
      if (thought !== null) addAssistantPart(turns, thought);
      break;
    }
    case "additional_tools":
      reading.loaded.push(...eachTool(item.tools, `${at}.tools`));
      break;
    case "item_reference":
      throw unsupported(at, "Send the item itself.");
    default:
      if (!HOSTED.test(textAt(type, `${at}.type`))) throw unsupported(`${at}.type`);
      reading.dropped.add(`input.${type}`);
  }
}

function readMessage({ role, content }: JsonObject, at: string, turns: Turn[]): void {
  const path = `${at}.content`;
  switch (role) {
    case "system":
    case "developer":
      turns.push({ role: "system", parts: readTexts(content, path) });
      return;
    case "user":
      turns.push({ role: "user", parts: readUserParts(content, path) });
      return;
    case "assistant":
      addUserText(turns, readTexts(content, path));
      return;
    default:
      throw malformed(`${at}.role`, "must be one of user, assistant, system, developer");
  }
}

/** Adds a part to the model's last turn. */
function addAssistantPart(turns: Turn[], part: AssistantPart): void {
  const last = turns.at(-1);
  if (last?.role === "assistant") (last as AssistantTurn).parts.push(part);
  else turns.push({ role: "assistant", parts: [part] });
}

/** Adds a message of the model, after a blank line if it follows another one: other dialects join their texts. */
function addUserText(turns: Turn[], [first, ...rest]: readonly TextPart[]): void {
  if (first === undefined) return;
  const isSecond = turns.at(-1)?.role === "assistant" && turns.at(-1)?.parts.at(-1)?.kind === "text";
  for (const part of [isSecond ? { ...first, text: `\n\n${first.text}` } : first, ...rest])
    addAssistantPart(turns, part);
}

/** Places a result directly after the turn with its call, even if other items are between them. */
function placeResult(turns: Turn[], result: ToolResultPart): void {
  const afterCall = turns.findLastIndex((turn) => hasCall(turn, result.callId)) + 1;
  const next = afterCall > 0 ? turns[afterCall] : turns.at(-1);
  if (next?.role === "user" && next.parts.every(({ kind }) => kind === "toolResult"))
    (next as UserTurn).parts.push(result);
  else turns.splice(afterCall > 0 ? afterCall : turns.length, 0, { role: "user", parts: [result] });
}

function readCall(
  item: JsonObject,
  at: string,
  { clientTools, form }: Pick<Reading, "clientTools"> & { form: CallForm },
): AssistantPart {
  const name = form === "search" || isLocal(form) ? "" : textAt(item.name, `${at}.name`);
  return {
    kind: "toolCall",
    id: textAt(item.call_id, `${at}.call_id`),
    name: clientTools.add({ name, namespace: namespaceOf(item), form }),
    arguments: GIVEN[form](item, at),
  };
}

/** Functions by call form that return the input of a call as arguments of a function. */
const GIVEN: Readonly<Record<CallForm, (item: JsonObject, at: string) => string>> = {
  function: (item) => (typeof item.arguments === "string" ? item.arguments : ""),
  custom: (item, at) => JSON.stringify({ input: textAt(item.input, `${at}.input`) }),
  search: (item) => exactJson(JSON.stringify(item.arguments ?? {})),
  localShell: givenIn("action"),
  shell: givenIn("action"),
  applyPatch: givenIn("operation"),
};

function givenIn(member: LocalTool["member"]): (item: JsonObject, at: string) => string {
  return (item, at) => exactJson(JSON.stringify(objectAt(item[member], `${at}.${member}`)));
}

/**
 * Places a result of a local tool. A local shell's result has the id of its call as its own id. A result without a call
 * belongs to a shell at the supplier and is dropped, as its call was.
 */
function placeLocal(item: JsonObject, at: string, { turns, dropped, tool }: Reading & { tool: LocalTool }): void {
  const callId = textAt(item.call_id ?? item.id, `${at}.call_id`);
  if (turns.some((turn) => hasCall(turn, callId)))
    placeResult(turns, {
      kind: "toolResult",
      callId,
      isError: false,
      parts: [{ kind: "text", text: tool.result(item) }],
    });
  else dropped.add(`input.${item.type}`);
}

const hasCall = ({ role, parts }: Turn, id: string): boolean =>
  role === "assistant" && parts.some((part) => part.kind === "toolCall" && part.id === id);

/**
 * Reads the client's tool search: a call, or its result with the found tools, which the model can call from then on.
 */
function readSearch(item: JsonObject, at: string, reading: Reading): void {
  if (item.type === "tool_search_call") {
    addAssistantPart(reading.turns, readCall(item, at, { ...reading, form: "search" }));
    return;
  }
  const tools = [...eachTool(item.tools, `${at}.tools`)];
  reading.loaded.push(...tools);
  const names = tools.map(({ tool, namespace }) =>
    reading.clientTools.nameOf({ name: String(tool.name ?? ""), namespace, form: "function" }),
  );
  const text = names.length === 0 ? "No tools were found." : `Tools that can be called now: ${names.join(", ")}`;
  const callId = textAt(item.call_id, `${at}.call_id`);
  placeResult(reading.turns, { kind: "toolResult", callId, isError: false, parts: [{ kind: "text", text }] });
}

function readResult({ call_id, output }: JsonObject, at: string): ToolResultPart {
  const parts = readUserParts(output, `${at}.output`);
  return { kind: "toolResult", callId: textAt(call_id, `${at}.call_id`), isError: false, parts };
}

/** Reads the text of a system or assistant message; an assistant's refusal is a separate text. */
function readTexts(content: unknown, at: string): TextPart[] {
  if (content == null) return [];
  if (typeof content === "string") return [{ kind: "text", text: content }];
  return listAt(content, at).map((part, index) => {
    const { type, text, refusal } = objectAt(part, `${at}[${index}]`);
    if (type === "refusal") return { kind: "text", text: textAt(refusal, `${at}[${index}].refusal`) };
    if (!TEXTS.has(type)) throw unsupported(`${at}[${index}]`);
    return { kind: "text", text: textAt(text, `${at}[${index}].text`) };
  });
}

const TEXTS = new Set<unknown>(["input_text", "output_text", "text"]);

function readUserParts(content: unknown, at: string): (TextPart | MediaPart)[] {
  if (content == null) return [];
  if (typeof content === "string") return [{ kind: "text", text: content }];
  return listAt(content, at).map((part, index) => readUserPart(objectAt(part, `${at}[${index}]`), `${at}[${index}]`));
}

function readUserPart(part: JsonObject, at: string): TextPart | MediaPart {
  if (TEXTS.has(part.type)) return { kind: "text", text: textAt(part.text, `${at}.text`) };
  if (part.type === "input_image") return readImage(part, at);
  if (part.type === "input_file") return readFile(part, at);
  throw unsupported(at);
}

function readImage({ image_url, file_id, detail }: JsonObject, at: string): MediaPart {
  if (file_id != null) throw unsupported(`${at}.file_id`, "Send the picture itself as image_url.");
  const url = textAt(isObject(image_url) ? image_url.url : image_url, `${at}.image_url`);
  const inline = readDataUrl(url);
  if (inline === null && url.startsWith("data:")) throw malformed(`${at}.image_url`, "must hold base64 data");
  const source = inline === null ? { kind: "url" as const, url } : { kind: "base64" as const, ...inline };
  return { kind: "image", source, at, ...(typeof detail === "string" && detail !== "auto" ? { detail } : {}) };
}

function readFile({ file_data, file_url, file_id, filename }: JsonObject, at: string): MediaPart {
  if (file_id != null) throw unsupported(`${at}.file_id`, "Send the file itself as file_data.");
  const title = typeof filename === "string" ? filename : null;
  if (typeof file_url === "string") return { kind: "document", source: { kind: "url", url: file_url }, title, at };
  const inline = readDataUrl(textAt(file_data, `${at}.file_data`));
  if (inline === null) throw malformed(`${at}.file_data`, "must be a data: address with base64 content");
  return { kind: "document", source: { kind: "base64", ...inline }, title, at };
}
