import type { ThinkingPart } from "../../canonical/conversation";
import { sealThought } from "../wire/sealed-thoughts";
import { NO_SEAL } from "../wire/thoughts";

/**
 * A thought as a client of this dialect gets it and brings it back. `isShown`: in words; else it is sealed whole. One that its
 * supplier has sealed whole stays so.
 */
export function thoughtBlock({ text, signature, isRedacted }: Omit<ThinkingPart, "kind">, isShown: boolean): object {
  if (isRedacted) return { type: "redacted_thinking", data: signature };
  if (!isShown) return { type: "redacted_thinking", data: sealThought(text, signature ?? NO_SEAL) };
  // The dialect requires a seal.
  return { type: "thinking", thinking: text, signature: signature ?? NO_SEAL };
}
