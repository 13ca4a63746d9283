import type { AssistantPart, ThinkingPart } from "../../canonical/conversation";
import { isObject, type JsonObject } from "../wire/events/reading";

/**
 * Format of gw's own entries in `reasoning_details` of a message, which contain thoughts with their seals. A client
 * that sends the whole message back lets the model continue its thoughts. The list's form is that of an aggregator.
 */
const OWN = "gw-v1";

/** Returns a thought as such a detail; null if it has no seal. */
export function thoughtDetail({ text, signature, isRedacted }: Omit<ThinkingPart, "kind">): object | null {
  if (signature === null) return null;
  if (isRedacted) return { type: "reasoning.encrypted", format: OWN, data: signature };
  return { type: "reasoning.text", format: OWN, text, signature };
}

/** Yields the thoughts in such a list that may be sent back to suppliers of other formats. */
export function* readThoughtDetails(details: unknown): Iterable<AssistantPart> {
  if (!Array.isArray(details)) return;
  for (const detail of details) {
    if (!isObject(detail)) continue;
    const { type, format, text, signature, data } = detail;
    if (type === "reasoning.encrypted" && format === OWN && typeof data === "string" && data !== "")
      yield { kind: "thinking", text: "", signature: data, isRedacted: true };
    else if (isKnown(format) && typeof signature === "string" && typeof text === "string")
      yield { kind: "thinking", text, signature };
  }
}

/** Whether the format of a detail is known. Details of earlier gw releases have no format. */
const isKnown = (format: unknown): boolean =>
  format == null || format === OWN || (typeof format === "string" && format.startsWith("anthropic-"));

/** Adds the details of one stream event to the earlier ones; texts arrive in pieces. */
export function growDetails(details: unknown[], added: unknown): void {
  for (const piece of Array.isArray(added) ? added : []) {
    const last = details.at(-1);
    const grown = isObject(last) && isObject(piece) ? joined(last, piece) : null;
    if (grown === null) details.push(piece);
    else details[details.length - 1] = grown;
  }
}

/** Joins two pieces of one detail; null if they belong to different details. */
function joined(last: JsonObject, piece: JsonObject): JsonObject | null {
  const member = TEXTS[piece.type as string];
  if (member === undefined || last.type !== piece.type || (last.index ?? null) !== (piece.index ?? null)) return null;
  const details = Object.fromEntries(Object.entries(piece).filter(([, value]) => value != null));
  return { ...last, ...details, [member]: `${last[member] ?? ""}${piece[member] ?? ""}` };
}

/** The member that arrives in pieces, by the type of the detail. */
const TEXTS: Readonly<Record<string, string | undefined>> = {
  "reasoning.text": "text",
  "reasoning.summary": "summary",
};

/** Removes gw's own details from a message; chat-style suppliers do not use them and may reject them. */
export function withoutOwnDetails(message: JsonObject): JsonObject {
  // Most conversations have none, so their messages are not copied.
  const details = message.reasoning_details;
  if (!Array.isArray(details) || !details.some(isOwn)) return message;
  const { reasoning_details: _given, ...rest } = message;
  const others = details.filter((detail) => !isOwn(detail));
  return others.length === 0 ? rest : { ...rest, reasoning_details: others };
}

/** Adds the placeholder to a message with calls but without a sealed detail; many chat clients do not keep details. */
export function withCallDetail(message: JsonObject, placeholder: JsonObject): JsonObject {
  const { tool_calls: calls, reasoning_details: given } = message;
  const [first] = Array.isArray(calls) ? calls : [];
  const details: readonly unknown[] = Array.isArray(given) ? given : [];
  const isSealed = details.some((detail) => isObject(detail) && detail.type === placeholder.type);
  if (!isObject(first) || isSealed) return message;
  return { ...message, reasoning_details: [...details, { ...placeholder, id: first.id }] };
}

const isOwn = (detail: unknown): boolean => isObject(detail) && detail.format === OWN;
