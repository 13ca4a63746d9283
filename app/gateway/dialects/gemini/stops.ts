import type { Stop } from "../../canonical/answer";

/** Reasons for which nothing more is said, whoever asks: the content is not allowed. */
const REFUSALS = new Set([
  ...["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE", "MODEL_ARMOR"],
  ...["IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION"],
]);

/** Reasons by which the model or the supplier has failed, whatever was said before: asking again may help. */
const FAILURES = new Set([
  ...["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MISSING_THOUGHT_SIGNATURE"],
  ...["MALFORMED_RESPONSE", "OTHER"],
]);

/** A `finishReason` as a stop; unknown ones are ordinary ends. An answer with calls ends as any other. */
export function readGeminiStop(reason: unknown, hasCalls: boolean): Stop {
  if (reason === "MAX_TOKENS") return { reason: "length", sequence: null };
  if (typeof reason === "string" && REFUSALS.has(reason)) return { reason: "refusal", sequence: null };
  return { reason: hasCalls ? "toolCalls" : "end", sequence: null };
}

/** What an answer says that ended in a failure, as an error; null for one that ended well. `isEmpty`: nothing was said before. */
export function failureIn(finish: unknown, { isEmpty, words }: { isEmpty: boolean; words: unknown }): object | null {
  if (typeof finish !== "string" || finish === "STOP" || finish === "MAX_TOKENS" || REFUSALS.has(finish)) return null;
  if (!isEmpty && !FAILURES.has(finish)) return null;
  const message = typeof words === "string" && words !== "" ? words : `the supplier ended the answer: ${finish}`;
  return { code: finish, message };
}
