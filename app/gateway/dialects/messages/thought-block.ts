import type { ThinkingPart } from "../../canonical/conversation";
import { sealThought } from "../wire/thoughts/sealed-thoughts";
import { NO_SEAL } from "../wire/thoughts/thoughts";

/**
 * Returns a thought as a block for a client, which the client sends back in later requests. `isShown`: as text; else as
 * one opaque text. A thought that its supplier redacted stays redacted.
 */
export function thoughtBlock({ text, signature, isRedacted }: Omit<ThinkingPart, "kind">, isShown: boolean): object {
  if (isRedacted) return { type: "redacted_thinking", data: signature };
  if (!isShown) return { type: "redacted_thinking", data: sealThought(text, signature ?? NO_SEAL) };
  // The dialect requires a signature.
  return { type: "thinking", thinking: text, signature: signature ?? NO_SEAL };
}
