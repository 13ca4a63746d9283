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

/** Returns the error if the model's output was malformed, whatever content came before; else null. */
export function failureIn(reason: unknown): object | null {
  if (typeof reason !== "string" || !reason.startsWith("malformed_")) return null;
  return { code: reason, message: `the supplier ended the answer: ${reason}` };
}

/** Converts a `stopReason`; unknown ones count as a normal end. The format does not name the matched stop sequence. */
export const readConverseStop = (reason: unknown): Stop => ({
  reason: (typeof reason === "string" ? REASONS[reason] : undefined) ?? "end",
  sequence: null,
});
