import { unreachable } from "~/unreachable";
import type { AssistantPart, MediaPart, TextPart, ToolResultPart, Turn, UserPart } from "../../canonical/conversation";
import { fitCallId, type ToolNames } from "../wire/identifiers";
import { thoughtField } from "../wire/thoughts";
import { unsupported } from "../wire/unsupported";

type WireMessage = Record<string, unknown>;

/** Turns as chat messages: the same order, tool results as messages of their own before the text of their turn. */
export function writeChatMessages(turns: readonly Turn[], names: ToolNames): WireMessage[] {
  return turns.flatMap((turn) => {
    switch (turn.role) {
      case "system":
        return writeSystem(turn.parts);
      case "user":
        return writeUser(turn.parts);
      case "assistant":
        return writeAssistant(turn.parts, names);
      default:
        return unreachable(turn);
    }
  });
}

function writeSystem(parts: readonly TextPart[]): WireMessage[] {
  const text = parts
    .map((part) => part.text)
    .filter((piece) => piece !== "")
    .join("\n\n");
  return text === "" ? [] : [{ role: "system", content: text }];
}

/**
 * Results first, in the order of their calls' turn. A chat-style tool message holds text only, so pictures and
 * documents of a result come behind all results, in a user message that says where they belong.
 */
function writeUser(parts: readonly UserPart[]): WireMessage[] {
  const results = parts.filter((part): part is ToolResultPart => part.kind === "toolResult");
  const rest = parts.filter((part) => part.kind !== "toolResult");
  const media = results.flatMap((result) => mediaOf(result));
  return [...results.map(writeResult), ...userMessage([...media, ...rest])];
}

function writeResult({ callId, isError, parts }: ToolResultPart): WireMessage {
  const text = parts
    .filter((part): part is TextPart => part.kind === "text")
    .map((part) => part.text)
    .join("\n");
  const hasMedia = parts.some((part) => part.kind !== "text");
  const content = text === "" && hasMedia ? "(The result follows below.)" : text;
  // A tool message has no mark for failure; the word is what models are used to.
  const marked = isError && !/^\s*\W*error/i.test(content) ? `Error: ${content}` : content;
  return { role: "tool", tool_call_id: fitCallId(callId), content: marked };
}

function mediaOf({ callId, parts }: ToolResultPart): (TextPart | MediaPart)[] {
  const media = parts.filter((part): part is MediaPart => part.kind !== "text");
  return media.length === 0 ? [] : [{ kind: "text", text: `From the result of ${fitCallId(callId)}:` }, ...media];
}

function userMessage(parts: readonly (TextPart | MediaPart)[]): WireMessage[] {
  const filled = parts.filter((part) => part.kind !== "text" || part.text !== "");
  const [only] = filled;
  if (only === undefined) return [];
  if (filled.length === 1 && only.kind === "text") return [{ role: "user", content: only.text }];
  return [{ role: "user", content: filled.map(writePart) }];
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

function writeAssistant(parts: readonly AssistantPart[], names: ToolNames): WireMessage[] {
  let text = "";
  let textEnded = false;
  const calls: object[] = [];
  const thoughts: Record<string, string> = {};
  for (const part of parts) {
    switch (part.kind) {
      case "text":
        if (part.text === "") break;
        text += text !== "" && textEnded ? `\n\n${part.text}` : part.text;
        textEnded = false;
        break;
      case "thinking": {
        const field = thoughtField(part.signature);
        if (field !== null) thoughts[field] = (thoughts[field] ?? "") + part.text;
        break;
      }
      case "toolCall":
        textEnded = true;
        calls.push({
          id: fitCallId(part.id),
          type: "function",
          function: { name: names.fit(part.name), arguments: part.arguments || "{}" },
        });
        break;
      default:
        return unreachable(part);
    }
  }
  if (text === "" && calls.length === 0) return [];
  return [
    {
      role: "assistant",
      content: text === "" ? null : text,
      ...thoughts,
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    },
  ];
}
