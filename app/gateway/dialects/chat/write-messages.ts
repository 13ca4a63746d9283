import { GENERAL, type ModelProfile } from "~/domain/catalogue/profiles";
import { unreachable } from "~/unreachable";
import type { AssistantPart, MediaPart, TextPart, ToolResultPart, Turn, UserPart } from "../../canonical/conversation";
import { toolInput } from "../messages/write-turns";
import { fitCallId, fitShortId, type ToolNames } from "../wire/identifiers";
import { isObject } from "../wire/reading";
import { detailsOf, geminiSignature, NO_THOUGHT, signedCall, thoughtField } from "../wire/thoughts";
import { NothingSaid, unsupported } from "../wire/unsupported";
import { inOrder, type WireMessage } from "./order-messages";

/** What a model takes of a history. */
export type HistoryRules = Pick<
  ModelProfile,
  | ("name" | "system" | "userAfterTool" | "lastAssistant" | "callIds" | "contentLists" | "resultPictures")
  | ("reasoning" | "callSignature" | "cachePoints")
>;

/** What the messages of a request have in common. */
type Frame = { names: ToolNames; rules: HistoryRules; idOf(id: string): string };

/**
 * Turns as chat messages: the same order, tool results as messages of their own before the text of their turn, and where the model's
 * rules want another order, in that one.
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
  if (messages.length === 0) throw new NothingSaid();
  return inOrder(messages, rules);
}

function writeSystem(parts: readonly TextPart[], { rules }: Frame): WireMessage[] {
  const filled = parts.filter(({ text }) => text !== "");
  if (filled.length === 0) return [];
  return [{ role: "system", content: contentOf(filled, "system", rules) ?? textIn(filled, "\n\n") }];
}

const textIn = (parts: readonly (TextPart | MediaPart)[], between: string): string =>
  parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join(between);

/** Texts as a list, where one has a mark for the cache and the model takes both; else null. */
function contentOf(
  parts: readonly (TextPart | MediaPart)[],
  role: HistoryRules["contentLists"][number],
  { cachePoints, contentLists }: HistoryRules,
): WireMessage[] | null {
  const isMarked = cachePoints && contentLists.includes(role) && parts.some((part) => part.cacheControl !== undefined);
  return isMarked ? parts.map((part) => marked(writePart(part), part)) : null;
}

const marked = (written: WireMessage, { cacheControl }: { cacheControl?: unknown }): WireMessage =>
  cacheControl === undefined ? written : { ...written, cache_control: cacheControl };

/** What a result of pictures alone says where they stand behind it, and what stands in front of them there. */
export const RESULT_BELOW = "(The result follows below.)";
export const resultHeading = (id: string): string => `From the result of ${id}:`;

/**
 * Results first, in the order of their calls' turn. Where a tool message holds text only, pictures and documents of a result come
 * behind all results, in a user message that says where they belong.
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
  // A tool message has no mark for failure; the word is what models are used to.
  const told = isError && !/^\s*\W*error/i.test(content) ? `Error: ${content}` : content;
  const mark = cacheControl ?? parts.findLast((part) => part.cacheControl !== undefined)?.cacheControl;
  const said: TextPart[] = told === "" && isInside ? [] : [{ kind: "text", text: told, cacheControl: mark }];
  const list = isInside
    ? [...said, ...parts.filter((part) => part.kind !== "text")].map(writePart)
    : contentOf(said, "tool", rules);
  return { role: "tool", tool_call_id: idOf(callId), content: list ?? told };
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

/** This dialect's closest look is the one above which another has a closer one. */
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
  /** Of the call that comes next. */
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
  return [
    {
      role: "assistant",
      content: text === "" ? null : text,
      // The details have the thoughts in them.
      ...(details.length === 0 ? thoughts : { reasoning_details: details }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    },
  ];
}

/** The field in which a thought goes back: a known model's own, an unknown one's as it came; null: it does not. */
function fieldOf(seal: string | null, { name, reasoning }: HistoryRules): string | null {
  const own = thoughtField(seal);
  if (own === null || reasoning.back === "refused" || reasoning.field === null) return null;
  return name === GENERAL.name && reasoning.field === GENERAL.reasoning.field ? own : reasoning.field;
}

/** Arguments as the text of an object: templates of some suppliers read them, and fail with anything else. */
function objectText(given: string): string {
  try {
    if (isObject(JSON.parse(given))) return given;
  } catch {
    // Told as what it is.
  }
  return JSON.stringify(toolInput({ arguments: given }));
}

type CallFrame = { frame: Frame; signature: string | null; isFirst: boolean };

/** A call. Where calls need a signature, the first one of a message has the placeholder if its own is not known. */
function writeCall(
  { id, name, arguments: given }: Extract<AssistantPart, { kind: "toolCall" }>,
  { frame: { names, rules, idOf }, signature, isFirst }: CallFrame,
): WireMessage {
  const call = { id: idOf(id), type: "function", function: { name: names.fit(name), arguments: objectText(given) } };
  if (rules.callSignature === null) return call;
  return signature === null && !isFirst ? call : signedCall(call, rules.callSignature, signature);
}
