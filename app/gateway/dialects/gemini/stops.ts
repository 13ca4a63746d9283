import type { Stop } from "../../canonical/answer";

/** Reasons for which nothing more is said, whoever asks: the content is not allowed. */
const REFUSALS = new Set([
  "SAFETY",
  "RECITATION",
  "BLOCKLIST",
  "PROHIBITED_CONTENT",
  "SPII",
  "IMAGE_SAFETY",
  "IMAGE_PROHIBITED_CONTENT",
  "LANGUAGE",
]);

/** A `finishReason` as a stop; unknown ones are ordinary ends. An answer with calls ends as any other. */
export function readGeminiStop(reason: unknown, hasCalls: boolean): Stop {
  if (reason === "MAX_TOKENS") return { reason: "length", sequence: null };
  if (typeof reason === "string" && REFUSALS.has(reason)) return { reason: "refusal", sequence: null };
  return { reason: hasCalls ? "toolCalls" : "end", sequence: null };
}
