import { exactJson } from "~/http/body/json/exact-numbers";
import type { Answer } from "../../canonical/answer";
import type { AssistantPart } from "../../canonical/conversation";
import { CallIds } from "../wire/identifiers";
import type { WireBlock, WireMessage } from "./answer";
import { readMessagesStop } from "./finish-reasons";
import { readMessagesUsage } from "./usage";

/**
 * Converts a whole message to an answer. Skips blocks of the supplier's own tools, which other dialects cannot express.
 */
export function readMessagesBody(message: WireMessage, blocks: readonly WireBlock[]): Answer {
  const id = typeof message.id === "string" ? message.id : "";
  const ids = new CallIds(id);
  return {
    id,
    model: typeof message.model === "string" ? message.model : "",
    parts: blocks.flatMap((block) => readBlock(block, ids)),
    stop: readMessagesStop(message.stop_reason, message.stop_sequence),
    usage: readMessagesUsage(message.usage),
  };
}

function readBlock(block: WireBlock, ids: CallIds): AssistantPart[] {
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  switch (block.type) {
    case "text":
      return [{ kind: "text", text: text(block.text) }];
    case "thinking": {
      const signature = text(block.signature);
      return [{ kind: "thinking", text: text(block.thinking), signature: signature === "" ? null : signature }];
    }
    case "redacted_thinking":
      return [{ kind: "thinking", text: "", signature: text(block.data), isRedacted: true }];
    case "tool_use":
      return [
        {
          kind: "toolCall",
          id: ids.next(text(block.id)),
          name: text(block.name),
          arguments: argumentsOf(block.input),
        },
      ];
    default:
      return [];
  }
}

/** Returns a tool call's arguments as JSON; some suppliers send them as JSON text already. */
export function argumentsOf(input: unknown): string {
  if (typeof input === "string") return input.trimStart().startsWith("{") ? input : "{}";
  return exactJson(JSON.stringify(input ?? {}));
}
