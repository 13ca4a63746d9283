import { GENERAL, type ModelProfile } from "~/domain/catalogue/profiles";
import { unreachable } from "~/values/unreachable";
import type { AssistantPart, MediaPart, TextPart, ToolResultPart, Turn, UserPart } from "../../canonical/conversation";
import { toolInput } from "../messages/write-turns";
import { marksContent } from "../wire/cache-marks";
import { isObject } from "../wire/events/reading";
import { fitCallId, fitShortId, type ToolNames } from "../wire/identifiers";
import { detailsOf, geminiSignature, NO_THOUGHT, signedCall, thoughtField } from "../wire/thoughts/thoughts";
import { EmptyConversationError, unsupported } from "../wire/unsupported";
import { inOrder, type WireMessage } from "./order-messages";
import { withCallDetail } from "./thought-details";

/** Rules of a model for the history of a conversation. */
export type HistoryRules = Pick<
  ModelProfile,
  | ("name" | "system" | "userAfterTool" | "lastAssistant" | "callIds" | "contentLists" | "resultPictures")
  | ("reasoning" | "callSignature" | "callDetail" | "cachePoints")
>;

/** Context of all messages of a request. */
type Frame = { names: ToolNames; rules: HistoryRules; idOf(id: string): string };

/**
 * Writes turns as chat messages in the same order. Tool results become separate messages before the text of their turn.
 * The model's rules may require another order.
 */
export function writeChatMessages(
  turns: readonly Turn[],
  names: ToolNames,
  rules: HistoryRules = GENERAL,
): WireMessage[] {
  const frame: Frame = { names, rules, idOf: rules.callIds === "alphanumeric9" ? fitShortId : fitCallId };
  const messages = turns.flatMap((turn) => {
    switch (turn.role) {
      case "system":
        return writeSystem(turn.parts, frame);
      case "user":
        return writeUser(turn.parts, frame);
      case "assistant":
        return writeAssistant(turn.parts, frame);
      default:
        return unreachable(turn);
    }
  });
  if (messages.length === 0) throw new EmptyConversationError();
  return inOrder(messages, rules);
}

function writeSystem(parts: readonly TextPart[], { rules }: Frame): WireMessage[] {
  const filled = parts.filter(({ text }) => text !== "");
  if (filled.length === 0) return [];
  return [{ role: "system", content: contentOf(filled, "system", rules) ?? textIn(filled, "\n\n") }];
}

const textIn = (parts: readonly (TextPart | MediaPart)[], between: string): string =>
  parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join(between);

/** Returns the texts as a list if one has a cache mark and the model accepts marks and lists; else null. */
function contentOf(
  parts: readonly (TextPart | MediaPart)[],
  role: HistoryRules["contentLists"][number],
  { cachePoints, contentLists }: HistoryRules,
): WireMessage[] | null {
  const isMarked =
    marksContent({ cachePoints }) &&
    contentLists.includes(role) &&
    parts.some((part) => part.cacheControl !== undefined);
  return isMarked ? parts.map((part) => marked(writePart(part), part)) : null;
}

const marked = (written: WireMessage, { cacheControl }: { cacheControl?: unknown }): WireMessage =>
  cacheControl === undefined ? written : { ...written, cache_control: cacheControl };

/** Text of a result that has only pictures, which follow in a later message, and the heading of the pictures there. */
export const RESULT_BELOW = "(The result follows below.)";
export const resultHeading = (id: string): string => `From the result of ${id}:`;

/**
 * Writes results first, in their order. If tool messages accept only text, pictures and documents of results follow
 * after all results, in a user message with headings.
 */
function writeUser(parts: readonly UserPart[], frame: Frame): WireMessage[] {
  const results = parts.filter((part): part is ToolResultPart => part.kind === "toolResult");
  const rest = parts.filter((part) => part.kind !== "toolResult");
  const media = frame.rules.resultPictures === "inside" ? [] : results.flatMap((result) => mediaOf(result, frame));
  return [...results.map((result) => writeResult(result, frame)), ...userMessage([...media, ...rest], frame)];
}

function writeResult({ callId, isError, parts, cacheControl }: ToolResultPart, { rules, idOf }: Frame): WireMessage {
  const text = textIn(parts, "\n");
  const hasMedia = parts.some((part) => part.kind !== "text");
  const isInside = hasMedia && rules.resultPictures === "inside";
  const content = text === "" && hasMedia && !isInside ? RESULT_BELOW : text;
  // A tool message has no error flag; models recognise the word.
  const resultText = isError && !/^\s*\W*error/i.test(content) ? `Error: ${content}` : content;
  const mark = cacheControl ?? parts.findLast((part) => part.cacheControl !== undefined)?.cacheControl;
  const said: TextPart[] =
    resultText === "" && isInside ? [] : [{ kind: "text", text: resultText, cacheControl: mark }];
  const list = isInside
    ? [...said, ...parts.filter((part) => part.kind !== "text")].map(writePart)
    : contentOf(said, "tool", rules);
  return { role: "tool", tool_call_id: idOf(callId), content: list ?? resultText };
}

function mediaOf({ callId, parts }: ToolResultPart, { idOf }: Frame): (TextPart | MediaPart)[] {
  const media = parts.filter((part): part is MediaPart => part.kind !== "text");
  return media.length === 0 ? [] : [{ kind: "text", text: resultHeading(idOf(callId)) }, ...media];
}

function userMessage(parts: readonly (TextPart | MediaPart)[], { rules }: Frame): WireMessage[] {
  const filled = parts.filter((part) => part.kind !== "text" || part.text !== "");
  const [only] = filled;
  if (only === undefined) return [];
  const list = contentOf(filled, "user", rules);
  if (list !== null) return [{ role: "user", content: list }];
  if (filled.length === 1 && only.kind === "text") return [{ role: "user", content: only.text }];
  const isText = filled.every(({ kind }) => kind === "text") && !rules.contentLists.includes("user");
  return [{ role: "user", content: isText ? textIn(filled, "\n\n") : filled.map(writePart) }];
}

function writePart(part: TextPart | MediaPart): WireMessage {
  switch (part.kind) {
    case "text":
      return { type: "text", text: part.text };
    case "image":
      return { type: "image_url", image_url: { url: imageUrl(part.source), ...detailOf(part) } };
    case "document":
      return writeDocument(part);
    default:
      return unreachable(part);
  }
}

/** Maps the detail `original` of another dialect to `high`, the maximum of this one. */
const detailOf = ({ detail }: Extract<MediaPart, { kind: "image" }>) =>
  detail === undefined ? {} : { detail: detail === "original" ? "high" : detail };

const imageUrl = (source: Extract<MediaPart, { kind: "image" }>["source"]): string =>
  source.kind === "url" ? source.url : `data:${source.mediaType};base64,${source.data}`;

function writeDocument({ source, title, at }: Extract<MediaPart, { kind: "document" }>): WireMessage {
  switch (source.kind) {
    case "text":
      return { type: "text", text: title === null ? source.text : `${title}\n\n${source.text}` };
    case "url":
      throw unsupported(`${at}.source`, "Send the document itself instead of its address.");
    case "base64":
      return {
        type: "file",
        file: { filename: title ?? "document.pdf", file_data: `data:${source.mediaType};base64,${source.data}` },
      };
    default:
      return unreachable(source);
  }
}

function writeAssistant(parts: readonly AssistantPart[], frame: Frame): WireMessage[] {
  let text = "";
  let textEnded = false;
  const calls: WireMessage[] = [];
  const thoughts: Record<string, string> = {};
  const details: unknown[] = [];
  /** The signature of the next call. */
  let signature: string | null = null;
  for (const part of parts) {
    switch (part.kind) {
      case "text":
        if (part.text === "") break;
        text += text !== "" && textEnded ? `\n\n${part.text}` : part.text;
        textEnded = false;
        break;
      case "thinking": {
        signature = geminiSignature(part.signature) ?? signature;
        if (frame.rules.reasoning.details) details.push(...detailsOf(part.signature, part.text));
        const field = fieldOf(part.signature, frame.rules);
        if (field !== null) thoughts[field] = (thoughts[field] ?? "") + part.text;
        break;
      }
      case "toolCall":
        textEnded = true;
        calls.push(writeCall(part, { frame, signature, isFirst: calls.length === 0 }));
        signature = null;
        break;
      default:
        return unreachable(part);
    }
  }
  if (text === "" && calls.length === 0) return [];
  const { field, back } = frame.rules.reasoning;
  if (back === "required" && field !== null) thoughts[field] ||= NO_THOUGHT;
  const message = {
    role: "assistant",
    content: text === "" ? null : text,
    // The details contain the thoughts.
    ...(details.length === 0 ? thoughts : { reasoning_details: details }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  return [frame.rules.callDetail === null ? message : withCallDetail(message, frame.rules.callDetail)];
}

/** Returns the field for a thought: the profile's, or the original one for unknown models; null if it is not sent. */
function fieldOf(seal: string | null, { name, reasoning }: HistoryRules): string | null {
  const own = thoughtField(seal);
  if (own === null || reasoning.back === "refused" || reasoning.field === null) return null;
  return name === GENERAL.name && reasoning.field === GENERAL.reasoning.field ? own : reasoning.field;
}

/**
 * Returns arguments as the JSON text of an object; templates of some suppliers parse them and fail with other values.
 */
function objectText(text: string): string {
  try {
    if (isObject(JSON.parse(text))) return text;
  } catch {
    // Invalid arguments are sent in an object.
  }
  return JSON.stringify(toolInput({ arguments: text }));
}

type CallFrame = { frame: Frame; signature: string | null; isFirst: boolean };

/** Writes a call. If calls need a signature, the first one of a message gets the placeholder if its own is unknown. */
function writeCall(
  { id, name, arguments: argumentText }: Extract<AssistantPart, { kind: "toolCall" }>,
  { frame: { names, rules, idOf }, signature, isFirst }: CallFrame,
): WireMessage {
  const call = {
    id: idOf(id),
    type: "function",
    function: { name: names.fit(name), arguments: objectText(argumentText) },
  };
  if (rules.callSignature === null) return call;
  return signature === null && !isFirst ? call : signedCall(call, rules.callSignature, signature);
}
