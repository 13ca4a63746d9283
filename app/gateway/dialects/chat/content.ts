import type { Picture } from "../../canonical/answer";
import type { Citation } from "../../canonical/conversation";
import { isObject, type JsonObject } from "../wire/reading";

export type ContentPiece = { kind: "text"; text: string } | { kind: "thinking"; text: string };

/** The pages that a message or delta refers to. */
export function citationsOf(annotations: unknown): Citation[] {
  if (!Array.isArray(annotations)) return [];
  return annotations.filter(isObject).flatMap(({ url_citation }): Citation[] => {
    if (!isObject(url_citation) || typeof url_citation.url !== "string") return [];
    const { url, title, start_index, end_index } = url_citation;
    return [{ url, title: typeof title === "string" ? title : "", start: place(start_index), end: place(end_index) }];
  });
}

const place = (index: unknown): number => (typeof index === "number" ? index : 0);

/** The pieces of a message's or delta's content: nearly always one text; some suppliers send a list with thoughts in it. */
export function contentPieces(content: unknown): readonly ContentPiece[] {
  if (typeof content === "string") return content === "" ? [] : [{ kind: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.filter(isObject).flatMap((part): ContentPiece[] => {
    if (part.type === "text" && typeof part.text === "string" && part.text !== "")
      return [{ kind: "text", text: part.text }];
    if (part.type !== "thinking") return [];
    return contentPieces(part.thinking).map(({ text }) => ({ kind: "thinking", text }));
  });
}

/** The pictures of a message or delta: in a list of their own, as aggregators write them, or among the parts of its content. */
export function picturesOf({ images, content }: JsonObject): Picture[] {
  return [images, content].flatMap((list) => (Array.isArray(list) ? list.filter(isObject).flatMap(pictureOf) : []));
}

function pictureOf({ image_url }: JsonObject): Picture[] {
  const url = isObject(image_url) ? image_url.url : image_url;
  return typeof url === "string" && url !== "" ? [{ kind: "picture", url }] : [];
}
