import { isObject } from "../wire/events/reading";
import { documentTokens, IMAGE_TOKENS } from "../wire/media/media-tokens";
import type { MessagesBody } from "./read";

/** Returns the text of the prompt for an estimate, without the bytes of pictures and documents. */
export function promptText({ system, messages, tools }: MessagesBody): string {
  return [textOf(system), ...messages.map(({ content }) => textOf(content)), ...(tools ?? []).map(toolText)].join("\n");
}

/** Estimates the tokens of the pictures and documents of a body. */
export function mediaTokens({ messages }: MessagesBody): number {
  return messages.reduce((sum, { content }) => sum + tokensOf(content), 0);
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map(blockText).join("\n");
}

function blockText(block: unknown): string {
  if (!isObject(block)) return "";
  const { type, text, thinking, name, input, content, source } = block;
  if (typeof text === "string") return text;
  if (typeof thinking === "string") return thinking;
  if (type === "tool_use") return `${name} ${JSON.stringify(input ?? {})}`;
  if (isObject(source) && source.type === "text") return String(source.data);
  return textOf(content ?? (isObject(source) ? source.content : undefined));
}

function toolText(tool: unknown): string {
  if (!isObject(tool)) return "";
  const { name, description, input_schema } = tool;
  return `${name} ${description ?? ""} ${JSON.stringify(input_schema ?? {})}`;
}

function tokensOf(content: unknown): number {
  if (!Array.isArray(content)) return 0;
  return content.reduce((sum: number, block) => {
    if (!isObject(block)) return sum;
    if (block.type === "image") return sum + IMAGE_TOKENS;
    if (block.type === "tool_result") return sum + tokensOf(block.content);
    if (block.type !== "document" || !isObject(block.source)) return sum;
    const { type, data } = block.source;
    if (type === "base64" && typeof data === "string") return sum + documentTokens(data);
    return type === "url" ? sum + IMAGE_TOKENS : sum + tokensOf(block.source.content);
  }, 0);
}
