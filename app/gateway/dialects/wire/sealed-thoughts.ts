import type { ThinkingPart } from "../../canonical/conversation";
import { isObject } from "./reading";
import { mayGoTo } from "./thoughts";

/** Thoughts that gw hands out in translation begin like this; those that a supplier has encrypted itself do not. */
const MARK = "gw1.";

/** Whether gw handed a thought out in translation, so that no supplier can read it. */
export const isSealedHere = (sealed: string): boolean => sealed.startsWith(MARK);

/**
 * Whether a block of the messages format is a thought that no supplier of it has sealed, so that none can take it back. A seal that is
 * missing or empty is for the supplier to judge: some of this dialect have none.
 */
export function isForeignThought({ type, signature, data }: Readonly<Record<string, unknown>>): boolean {
  if (type === "redacted_thinking") return typeof data === "string" && isSealedHere(data);
  return type === "thinking" && typeof signature === "string" && signature !== "" && !mayGoTo("messages", signature);
}

/** A thought with its supplier's seal in one text. Clients bring it back unread. */
export const sealThought = (text: string, signature: string, isRedacted = false): string =>
  MARK + Buffer.from(JSON.stringify({ text, signature, ...(isRedacted ? { isRedacted } : {}) })).toString("base64url");

/** A thought that gw handed out earlier; null for those of other suppliers, which nobody here can read. */
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
