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
