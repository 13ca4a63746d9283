import { exactJson } from "~/http/body/json/exact-numbers";
import { unreachable } from "~/values/unreachable";
import type { Answer, AnswerPart, Picture } from "../../canonical/answer";
import { NO_USAGE } from "../../canonical/usage";
import { readDataUrl } from "../wire/events/reading";
import type { ToolNames } from "../wire/identifiers";
import { writeMessagesStop } from "./finish-reasons";
import { thoughtBlock } from "./thought-block";
import { writeMessagesUsage } from "./usage";
import { toolInput } from "./write-turns";

/**
 * Writes an answer as a message. Only clients that requested thinking see thoughts, because others may mistake the
 * first block for the text. Other clients get the thoughts before a tool call as redacted blocks: some models answer
 * the result of a call only if its thoughts are sent back.
 */
export function writeMessagesAnswer(answer: Answer, names: ToolNames, showThinking: boolean): string {
  const message = {
    id: answer.id,
    type: "message",
    role: "assistant",
    model: answer.model,
    content: writeBlocks(answer.parts, names, showThinking),
    ...writeMessagesStop(answer.stop),
    stop_details: null,
    usage: writeMessagesUsage(answer.usage ?? NO_USAGE),
  };
  return exactJson(JSON.stringify(message));
}

/** Returns a picture in the form of this dialect's requests. */
export function imageBlock({ url }: Picture): object {
  const inline = readDataUrl(url);
  if (inline === null) return { type: "image", source: { type: "url", url } };
  return { type: "image", source: { type: "base64", media_type: inline.mediaType, data: inline.data } };
}

/** Returns the blocks of an answer; hidden thoughts with a seal are placed directly before the next call. */
function writeBlocks(parts: readonly AnswerPart[], names: ToolNames, showThinking: boolean): object[] {
  const blocks: object[] = [];
  let hidden: object[] = [];
  for (const part of parts) {
    if (part.kind === "thinking" && !showThinking) {
      if (part.signature !== null) hidden.push(thoughtBlock(part, showThinking));
      continue;
    }
    if (part.kind === "toolCall") {
      blocks.push(...hidden);
      hidden = [];
    }
    blocks.push(...writeBlock(part, names));
  }
  return blocks;
}

function writeBlock(part: AnswerPart, names: ToolNames): object[] {
  switch (part.kind) {
    case "text":
      return part.text === "" ? [] : [{ type: "text", text: part.text }];
    case "thinking":
      return [thoughtBlock(part, true)];
    case "toolCall":
      return [{ type: "tool_use", id: part.id, name: names.original(part.name), input: toolInput(part) }];
    case "picture":
      return [imageBlock(part)];
    default:
      return unreachable(part);
  }
}
