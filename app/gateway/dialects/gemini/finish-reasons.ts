import type { Stop } from "../../canonical/answer";

/** Finish reasons for disallowed content; a retry does not help. */
const REFUSALS = new Set([
  ...["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE", "MODEL_ARMOR"],
  ...["IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION"],
]);

/** Finish reasons of a failed model or supplier, whatever content came before; a retry may help. */
const FAILURES = new Set([
  ...["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MISSING_THOUGHT_SIGNATURE"],
  ...["MALFORMED_RESPONSE", "OTHER"],
]);

/**
 * Converts a `finishReason`; unknown ones count as a normal end. The format has no reason of its own for tool calls.
 */
export function readGeminiStop(reason: unknown, hasCalls: boolean): Stop {
  if (reason === "MAX_TOKENS") return { reason: "length", sequence: null };
  if (typeof reason === "string" && REFUSALS.has(reason)) return { reason: "refusal", sequence: null };
  return { reason: hasCalls ? "toolCalls" : "end", sequence: null };
}

/**
 * Returns the error of an answer that ended in a failure; null if it ended well. `isEmpty`: the answer had no content.
 */
export function failureIn(finish: unknown, { isEmpty, words }: { isEmpty: boolean; words: unknown }): object | null {
  if (typeof finish !== "string" || finish === "STOP" || finish === "MAX_TOKENS" || REFUSALS.has(finish)) return null;
  if (!isEmpty && !FAILURES.has(finish)) return null;
  const message = typeof words === "string" && words !== "" ? words : `the supplier ended the answer: ${finish}`;
  return { code: finish, message };
}
