import { isObject } from "../wire/reading";

export type ContentPiece = { kind: "text"; text: string } | { kind: "thinking"; text: string };

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
