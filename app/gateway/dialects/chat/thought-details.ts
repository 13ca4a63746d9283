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

/** Whether a message has thoughts of other suppliers that gw handed out. */
export const hasOwnDetails = ({ reasoning_details }: JsonObject): boolean =>
  Array.isArray(reasoning_details) && reasoning_details.some(isOwn);

/** The message as chat-style suppliers take it: without what gw added. */
export function withoutOwnDetails<Message extends JsonObject>(message: Message): JsonObject {
  if (!hasOwnDetails(message)) return message;
  const { reasoning_details, ...rest } = message;
  const others = (reasoning_details as readonly unknown[]).filter((detail) => !isOwn(detail));
  return others.length === 0 ? rest : { ...rest, reasoning_details: others };
}

const isOwn = (detail: unknown): boolean => isObject(detail) && detail.format === OWN;
