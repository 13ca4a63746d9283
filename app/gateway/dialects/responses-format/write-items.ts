import { unreachable } from "~/values/unreachable";
import type { AssistantPart, MediaPart, TextPart, ToolResultPart, Turn, UserPart } from "../../canonical/conversation";
import { fitCallId, type ToolNames } from "../wire/identifiers";
import { responsesContent } from "../wire/thoughts/thoughts";
import { EmptyConversationError } from "../wire/unsupported";

type Item = Record<string, unknown>;

/** Writes turns as items: tool results before the rest of their turn, and only thoughts with encrypted content. */
export function writeItems(turns: readonly Turn[], names: ToolNames): Item[] {
  const items = turns.flatMap((turn) => {
    switch (turn.role) {
      case "system":
        return message("system", turn.parts.flatMap(writeMedia));
      case "user":
        return writeUser(turn.parts);
      case "assistant":
        return writeAssistant(turn.parts, names);
      default:
        return unreachable(turn);
    }
  });
  if (items.length === 0) throw new EmptyConversationError();
  return items;
}

const message = (role: string, content: readonly Item[]): Item[] =>
  content.length === 0 ? [] : [{ type: "message", role, content }];

function writeUser(parts: readonly UserPart[]): Item[] {
  const results = parts.filter((part): part is ToolResultPart => part.kind === "toolResult");
  const rest = parts.filter((part) => part.kind !== "toolResult");
  return [...results.map(writeResult), ...message("user", rest.flatMap(writeMedia))];
}

function writeResult({ callId, isError, parts }: ToolResultPart): Item {
  const isText = parts.every(({ kind }) => kind === "text");
  const text = parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n");
  // A result has no error flag; models recognise the word.
  const mark = isError && !/^\s*\W*error/i.test(text) ? "Error: " : "";
  const content = parts.flatMap(writeMedia);
  const output = isText ? mark + text : [...(mark === "" ? [] : [{ type: "input_text", text: mark }]), ...content];
  return { type: "function_call_output", call_id: fitCallId(callId), output };
}

function writeMedia(part: TextPart | MediaPart): Item[] {
  switch (part.kind) {
    case "text":
      return part.text === "" ? [] : [{ type: "input_text", text: part.text }];
    case "image": {
      const { source, detail } = part;
      const image_url = source.kind === "url" ? source.url : `data:${source.mediaType};base64,${source.data}`;
      return [{ type: "input_image", image_url, detail: detail ?? "auto" }];
    }
    case "document": {
      const { source, title } = part;
      if (source.kind === "text")
        return [{ type: "input_text", text: title === null ? source.text : `${title}\n\n${source.text}` }];
      if (source.kind === "url") return [{ type: "input_file", file_url: source.url }];
      const file_data = `data:${source.mediaType};base64,${source.data}`;
      return [{ type: "input_file", filename: title ?? "document.pdf", file_data }];
    }
    default:
      return unreachable(part);
  }
}

/**
 * Writes an assistant turn without thoughts at its end, because suppliers reject a thought that no other item follows.
 */
function writeAssistant(parts: readonly AssistantPart[], names: ToolNames): Item[] {
  const items = parts.flatMap((part) => writePart(part, names));
  return items.slice(0, items.findLastIndex(({ type }) => type !== "reasoning") + 1);
}

function writePart(part: AssistantPart, names: ToolNames): Item[] {
  switch (part.kind) {
    case "text":
      return part.text === "" ? [] : message("assistant", [{ type: "output_text", text: part.text }]);
    case "thinking": {
      const encrypted_content = responsesContent(part.signature);
      if (encrypted_content === null) return [];
      const summary = part.text === "" ? [] : [{ type: "summary_text", text: part.text }];
      return [{ type: "reasoning", summary, encrypted_content }];
    }
    case "toolCall":
      return [
        {
          type: "function_call",
          call_id: fitCallId(part.id),
          name: names.fit(part.name),
          arguments: part.arguments || "{}",
        },
      ];
    default:
      return unreachable(part);
  }
}
