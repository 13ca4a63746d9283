import type { AssistantPart, ThinkingPart } from "../../canonical/conversation";
import { isObject, type JsonObject } from "../wire/reading";

/**
 * Thoughts with their seals in the list `reasoning_details` of a message: a client that sends the whole message back lets the model go
 * on where it was. The form is an aggregator's; those of gw's own say so.
 */
const OWN = "gw-v1";

/** A thought as such a detail; null for one without a seal. */
export function thoughtDetail({ text, signature, isRedacted }: Omit<ThinkingPart, "kind">): object | null {
  if (signature === null) return null;
  if (isRedacted) return { type: "reasoning.encrypted", format: OWN, data: signature };
  return { type: "reasoning.text", format: OWN, text, signature };
}

/** The thoughts in such a list that may go back to a supplier of another format. */
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

/** Aggregators name the maker of a seal; before gw named itself, its own had no name. */
const isKnown = (format: unknown): boolean =>
  format == null || format === OWN || (typeof format === "string" && format.startsWith("anthropic-"));

/** Adds what one event of a stream tells of the details to those before it: texts come in pieces. */
export function growDetails(details: unknown[], given: unknown): void {
  for (const piece of Array.isArray(given) ? given : []) {
    const last = details.at(-1);
    const grown = isObject(last) && isObject(piece) ? joined(last, piece) : null;
    if (grown === null) details.push(piece);
    else details[details.length - 1] = grown;
  }
}

/** Two pieces of one detail; null: they are two. */
function joined(last: JsonObject, piece: JsonObject): JsonObject | null {
  const member = TEXTS[piece.type as string];
  if (member === undefined || last.type !== piece.type || (last.index ?? null) !== (piece.index ?? null)) return null;
  const said = Object.fromEntries(Object.entries(piece).filter(([, value]) => value != null));
  return { ...last, ...said, [member]: `${last[member] ?? ""}${piece[member] ?? ""}` };
}

/** The member that grows, by the type of the detail. */
const TEXTS: Readonly<Record<string, string | undefined>> = {
  "reasoning.text": "text",
  "reasoning.summary": "summary",
};

/** A message without the details of gw's own, which chat-style suppliers have no use for and may refuse. */
export function withoutOwnDetails(message: JsonObject): JsonObject {
  // Nothing is copied of the messages of a conversation that has none.
  const given = message.reasoning_details;
  if (!Array.isArray(given) || !given.some(isOwn)) return message;
  const { reasoning_details: _given, ...rest } = message;
  const others = given.filter((detail) => !isOwn(detail));
  return others.length === 0 ? rest : { ...rest, reasoning_details: others };
}

const isOwn = (detail: unknown): boolean => isObject(detail) && detail.format === OWN;
