import type { Heard, Json } from "../twin";

/** Returns the text of a chat message's content, which is a string or a list of parts. */
export function contentText(content: Json): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.flatMap(({ text }: Json) => (text === undefined ? [] : [text])).join("\n");
}

export const pictureParts = (content: Json): Json[] =>
  Array.isArray(content) ? content.filter(({ type }: Json) => type === "image_url" || type === "input_image") : [];

/** Reads a chat completion request for the scripted model. `thinks`: whether the model thinks for a request. */
export const hearChat =
  (thinks: (body: Json) => boolean) =>
  (body: Json): Heard => {
    const messages: Json[] = body.messages ?? [];
    const told = messages.filter(({ role }) => role !== "assistant" && role !== "tool");
    return {
      text: told.map(({ content }) => contentText(content)).join("\n"),
      tools: (body.tools ?? []).map(({ function: tool }: Json) => tool?.name ?? ""),
      results: messages.filter(({ role }) => role === "tool").map(({ content }) => contentText(content)),
      pictures: messages.flatMap(({ content }) => pictureParts(content)).length,
      thinks: thinks(body),
      hasSchema: body.response_format !== undefined && body.response_format.type !== "text",
    };
  };
