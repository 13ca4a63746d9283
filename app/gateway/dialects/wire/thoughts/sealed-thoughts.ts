import type { ThinkingPart } from "../../../canonical/conversation";
import { isObject } from "../events/reading";
import { mayGoTo, type ThoughtWire } from "./thoughts";

/** Prefix of thoughts that gw sealed in translation. Thoughts that a supplier encrypted do not have it. */
const MARK = "gw1.";

/** Whether gw sealed a thought in translation, so that no supplier can read it. */
export const isSealedHere = (sealed: string): boolean => sealed.startsWith(MARK);

/**
 * Whether a block of the messages format is a thought whose seal this wire rejects. Unsigned thoughts are foreign only
 * to `claude`; some other vendors of this format use no signatures.
 */
export function isForeignThought(
  { type, signature, data }: Readonly<Record<string, unknown>>,
  wire: ThoughtWire,
): boolean {
  if (type === "redacted_thinking") return typeof data === "string" && isSealedHere(data);
  if (type !== "thinking") return false;
  if (typeof signature !== "string" || signature === "") return wire === "claude";
  return !mayGoTo(wire, signature);
}

/** Encodes a thought and its supplier's seal as one opaque text, which clients send back unchanged. */
export const sealThought = (text: string, signature: string, isRedacted = false): string =>
  MARK + Buffer.from(JSON.stringify({ text, signature, ...(isRedacted ? { isRedacted } : {}) })).toString("base64url");

/** Decodes a thought that gw sealed earlier; null for thoughts of suppliers, which gw cannot read. */
export function openThought(sealed: unknown): ThinkingPart | null {
  if (typeof sealed !== "string" || !isSealedHere(sealed)) return null;
  try {
    const thought: unknown = JSON.parse(Buffer.from(sealed.slice(MARK.length), "base64url").toString("utf8"));
    if (!isObject(thought) || typeof thought.text !== "string" || typeof thought.signature !== "string") return null;
    const { text, signature, isRedacted } = thought;
    return { kind: "thinking", text, signature, ...(isRedacted === true ? { isRedacted } : {}) };
  } catch {
    return null;
  }
}
