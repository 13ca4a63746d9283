import { isObject } from "../wire/events/reading";
import { documentTokens, IMAGE_TOKENS, soundTokens } from "../wire/media/media-tokens";
import type { ChatBody } from "./read";

/**
 * Returns the text of the prompt, for an estimate: messages and tools, without the bytes of pictures, files and sound.
 */
export function promptText({ messages, tools }: ChatBody): string {
  const said = JSON.stringify(messages, withoutBytes);
  return Array.isArray(tools) ? said + JSON.stringify(tools) : said;
}

/** Members that may contain bytes: always, or if the value is a `data:` URL. */
const BYTES = new Set(["file_data", "data"]);
const ADDRESSES = new Set(["url", "image_url"]);

function withoutBytes(name: string, value: unknown): unknown {
  if (typeof value !== "string") return value;
  return BYTES.has(name) || (ADDRESSES.has(name) && value.startsWith("data:")) ? "" : value;
}

/** Estimates the tokens of the pictures, files and sounds of a body. */
export function mediaTokens({ messages }: ChatBody): number {
  let tokens = 0;
  for (const { content } of messages) {
    if (Array.isArray(content)) for (const part of content) tokens += tokensOf(part);
  }
  return tokens;
}

function tokensOf(part: unknown): number {
  if (!isObject(part)) return 0;
  const { type, file, input_audio } = part;
  switch (type) {
    case "image_url":
      return IMAGE_TOKENS;
    case "file":
      return documentTokens(textIn(file, "file_data"));
    case "input_audio":
      return soundTokens(textIn(input_audio, "data"));
    default:
      return 0;
  }
}

function textIn(holder: unknown, name: string): string {
  const text = isObject(holder) ? holder[name] : undefined;
  return typeof text === "string" ? text : "";
}
