import { exactJson } from "~/http/body/json/exact-numbers";
import type { AssistantPart, MediaPart, TextPart, UserPart } from "../../canonical/conversation";
import { plainName } from "../wire/billed-tools";
import { isObject, type JsonObject, listAt, objectAt, textAt } from "../wire/events/reading";
import { openThought } from "../wire/thoughts/sealed-thoughts";
import { malformed, unsupported } from "../wire/unsupported";

export const cacheControlOf = (block: JsonObject): { cacheControl?: unknown } =>
  block.cache_control == null ? {} : { cacheControl: block.cache_control };

/** Reads system text: a string or text blocks. */
export function readTexts(content: unknown, at: string): TextPart[] {
  if (content == null) return [];
  if (typeof content === "string") return [{ kind: "text", text: content }];
  return listAt(content, at).map((wire, index) => {
    const block = objectAt(wire, `${at}[${index}]`);
    if (block.type !== "text") throw unsupported(`${at}[${index}]`);
    return readText(block, `${at}[${index}]`);
  });
}

export function readUserParts(content: unknown, at: string): UserPart[] {
  if (typeof content === "string") return [{ kind: "text", text: content }];
  return listAt(content, at).flatMap((wire, index) => {
    const path = `${at}[${index}]`;
    const block = objectAt(wire, path);
    return block.type === "tool_result" ? [readToolResult(block, path)] : readContent(block, path);
  });
}

/** Blocks of the supplier's own tools in an earlier answer, which other dialects cannot express. */
const HOSTED = /^(?:server_tool_use|mcp_tool_use|\w+_tool_result|fallback)$/;

/** Reads the parts of an assistant message. Adds the kinds of skipped blocks to `dropped`. */
export function readAssistantParts(content: unknown, at: string, dropped: Set<string>): AssistantPart[] {
  if (typeof content === "string") return [{ kind: "text", text: content }];
  return listAt(content, at).flatMap((wire, index) => {
    const path = `${at}[${index}]`;
    const block = objectAt(wire, path);
    const type = textAt(block.type, `${path}.type`);
    if (!HOSTED.test(type)) return readAssistantBlock(block, path);
    dropped.add(`messages.${plainName(type)}`);
    return [];
  });
}

function readAssistantBlock(block: JsonObject, at: string): AssistantPart[] {
  switch (block.type) {
    case "text":
      return [readText(block, at)];
    case "thinking":
      return [
        {
          kind: "thinking",
          text: textAt(block.thinking, `${at}.thinking`),
          signature: typeof block.signature === "string" ? block.signature : null,
        },
      ];
    case "redacted_thinking": {
      const data = textAt(block.data, `${at}.data`);
      // Data without gw's seal is sealed by the supplier that wrote it.
      return [openThought(data) ?? { kind: "thinking", text: "", signature: data, isRedacted: true }];
    }
    case "tool_use":
      return [
        {
          kind: "toolCall",
          id: textAt(block.id, `${at}.id`),
          name: textAt(block.name, `${at}.name`),
          arguments: exactJson(JSON.stringify(block.input ?? {})),
          ...cacheControlOf(block),
        },
      ];
    case "compaction":
      // A summary of the conversation before this block.
      return typeof block.content === "string" ? [{ kind: "text", text: block.content }] : [];
    case "image":
      // Assistant messages in requests cannot contain pictures, so a model's own picture is skipped.
      return [];
    default:
      throw unsupported(at, "It was made by a tool of the other dialect's suppliers.");
  }
}

function readToolResult(block: JsonObject, at: string): UserPart {
  const { tool_use_id, content, is_error } = block;
  const parts =
    typeof content === "string"
      ? [{ kind: "text" as const, text: content }]
      : listAt(content, `${at}.content`).flatMap((wire, index) =>
          readContent(objectAt(wire, `${at}.content[${index}]`), `${at}.content[${index}]`),
        );
  return {
    kind: "toolResult",
    callId: textAt(tool_use_id, `${at}.tool_use_id`),
    isError: is_error === true,
    parts,
    ...cacheControlOf(block),
  };
}

function readContent(block: JsonObject, at: string): (TextPart | MediaPart)[] {
  switch (block.type) {
    case "text":
      return [readText(block, at)];
    case "image":
      return [readImage(block, at)];
    case "document":
      return readDocument(block, at);
    case "search_result":
      return [readSearchResult(block, at)];
    case "tool_reference":
      return [{ kind: "text", text: `The tool ${block.tool_name} is available now.` }];
    default:
      throw unsupported(at);
  }
}

const readText = (block: JsonObject, at: string): TextPart => ({
  kind: "text",
  text: textAt(block.text, `${at}.text`),
  ...cacheControlOf(block),
});

function readImage(block: JsonObject, at: string): MediaPart {
  const source = objectAt(block.source, `${at}.source`);
  if (source.type === "url")
    return { kind: "image", source: { kind: "url", url: textAt(source.url, `${at}.source.url`) }, at };
  if (source.type !== "base64") throw unsupported(`${at}.source`, "Send the image itself, or its address.");
  return { kind: "image", source: base64Of(source, at), at };
}

function base64Of(source: JsonObject, at: string) {
  return {
    kind: "base64" as const,
    mediaType: textAt(source.media_type, `${at}.source.media_type`),
    data: textAt(source.data, `${at}.source.data`),
  };
}

/** Reads a document; a document of content blocks becomes those blocks. */
function readDocument(block: JsonObject, at: string): (TextPart | MediaPart)[] {
  const source = objectAt(block.source, `${at}.source`);
  const title = typeof block.title === "string" ? block.title : null;
  const context: TextPart[] =
    typeof block.context === "string" && block.context !== "" ? [{ kind: "text", text: block.context }] : [];
  switch (source.type) {
    case "base64":
      return [...context, { kind: "document", source: base64Of(source, at), title, at }];
    case "text": {
      const text = textAt(source.data, `${at}.source.data`);
      return [...context, { kind: "document", source: { kind: "text", text }, title, at }];
    }
    case "url": {
      const url = textAt(source.url, `${at}.source.url`);
      return [...context, { kind: "document", source: { kind: "url", url }, title, at }];
    }
    case "content": {
      const heading: TextPart[] = title === null ? [] : [{ kind: "text", text: title }];
      const path = `${at}.source.content`;
      const inner =
        typeof source.content === "string"
          ? [{ kind: "text" as const, text: source.content }]
          : listAt(source.content, path).flatMap((wire, index) =>
              readContent(objectAt(wire, `${path}[${index}]`), `${path}[${index}]`),
            );
      return [...context, ...heading, ...inner];
    }
    default:
      throw unsupported(`${at}.source`, "Send the document itself.");
  }
}

function readSearchResult(block: JsonObject, at: string): TextPart {
  const { title, source, content } = block;
  if (!Array.isArray(content)) throw malformed(`${at}.content`, "must be a list of text blocks");
  const texts = content.map((inner) => (isObject(inner) && typeof inner.text === "string" ? inner.text : ""));
  return { kind: "text", text: [title, source, ...texts].filter((line) => typeof line === "string").join("\n") };
}
