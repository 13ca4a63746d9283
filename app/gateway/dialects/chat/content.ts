import type { Picture } from "../../canonical/answer";
import type { Citation } from "../../canonical/conversation";
import { isObject, type JsonObject } from "../wire/events/reading";

export type ContentPiece = { kind: "text"; text: string } | { kind: "thinking"; text: string };

/** Returns the pages that a message or delta cites. */
export function citationsOf(annotations: unknown): Citation[] {
  if (!Array.isArray(annotations)) return [];
  return annotations.filter(isObject).flatMap(({ url_citation }): Citation[] => {
    if (!isObject(url_citation) || typeof url_citation.url !== "string") return [];
    const { url, title, start_index, end_index } = url_citation;
    return [{ url, title: typeof title === "string" ? title : "", start: place(start_index), end: place(end_index) }];
  });
}

const place = (index: unknown): number => (typeof index === "number" ? index : 0);

/** Returns the pieces of the content: usually one text; some suppliers send a list that includes thoughts. */
export function contentPieces(content: unknown): readonly ContentPiece[] {
  if (typeof content === "string") return content === "" ? [] : [{ kind: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown): ContentPiece[] => {
    if (typeof part === "string") return contentPieces(part) as ContentPiece[];
    if (!isObject(part)) return [];
    if (part.type === "thinking")
      return contentPieces(part.thinking ?? part.text).map(({ text }) => ({ kind: "thinking", text }));
    if (part.type === "refusal") return typeof part.refusal === "string" ? [{ kind: "text", text: part.refusal }] : [];
    return typeof part.text === "string" && part.text !== "" ? [{ kind: "text", text: part.text }] : [];
  });
}

/** Returns the pictures of a message or delta, from the aggregators' `images` list and from its content parts. */
export function picturesOf({ images, content }: JsonObject): Picture[] {
  return [images, content].flatMap((list) => (Array.isArray(list) ? list.filter(isObject).flatMap(pictureOf) : []));
}

function pictureOf({ image_url }: JsonObject): Picture[] {
  const url = isObject(image_url) ? image_url.url : image_url;
  return typeof url === "string" && url !== "" ? [{ kind: "picture", url }] : [];
}
