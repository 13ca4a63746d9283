import { unreachable } from "~/unreachable";
import type { Answer } from "../../canonical/answer";
import type { AssistantPart } from "../../canonical/conversation";
import { NO_USAGE } from "../../canonical/usage";
import type { ToolNames } from "../wire/identifiers";
import { writeMessagesStop } from "./stops";
import { writeMessagesUsage } from "./usage";
import { toolInput } from "./write-turns";

/**
 * An answer as a message. Thoughts are shown only to clients that asked for thinking: others may take the first block
 * for the text.
 */
export function writeMessagesAnswer(answer: Answer, names: ToolNames, showThinking: boolean): string {
  return JSON.stringify({
    id: answer.id,
    type: "message",
    role: "assistant",
    model: answer.model,
    content: answer.parts.flatMap((part) => writeBlock(part, names, showThinking)),
    ...writeMessagesStop(answer.stop),
    stop_details: null,
    usage: writeMessagesUsage(answer.usage ?? NO_USAGE),
  });
}

function writeBlock(part: AssistantPart, names: ToolNames, showThinking: boolean): object[] {
  switch (part.kind) {
    case "text":
      return part.text === "" ? [] : [{ type: "text", text: part.text }];
    case "thinking":
      return showThinking ? [{ type: "thinking", thinking: part.text, signature: part.signature ?? "" }] : [];
    case "toolCall":
      return [{ type: "tool_use", id: part.id, name: names.original(part.name), input: toolInput(part) }];
    default:
      return unreachable(part);
  }
}
