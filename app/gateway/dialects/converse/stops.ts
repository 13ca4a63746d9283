import type { Stop } from "../../canonical/answer";

const REASONS: Readonly<Record<string, Stop["reason"]>> = {
  end_turn: "end",
  stop_sequence: "sequence",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  tool_use: "toolCalls",
  guardrail_intervened: "refusal",
  content_filtered: "refusal",
};

/** The model has made what the supplier cannot read: an error, whatever was said before. */
export function failureIn(reason: unknown): object | null {
  if (typeof reason !== "string" || !reason.startsWith("malformed_")) return null;
  return { code: reason, message: `the supplier ended the answer: ${reason}` };
}

/** A `stopReason` as a stop; unknown ones are ordinary ends. Which stop sequence was met is not said. */
export const readConverseStop = (reason: unknown): Stop => ({
  reason: (typeof reason === "string" ? REASONS[reason] : undefined) ?? "end",
  sequence: null,
});
