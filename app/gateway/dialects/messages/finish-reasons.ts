import type { Stop } from "../../canonical/answer";

/** Converts a stop reason of this dialect; unknown ones count as a normal end. */
export function readMessagesStop(reason: unknown, sequence: unknown): Stop {
  switch (reason) {
    case "max_tokens":
    case "model_context_window_exceeded":
      return { reason: "length", sequence: null };
    case "stop_sequence":
      return { reason: "sequence", sequence: typeof sequence === "string" ? sequence : null };
    case "tool_use":
      return { reason: "toolCalls", sequence: null };
    case "refusal":
      return { reason: "refusal", sequence: null };
    default:
      return { reason: "end", sequence: null };
  }
}

const REASONS: Readonly<Record<Stop["reason"], string>> = {
  end: "end_turn",
  sequence: "stop_sequence",
  length: "max_tokens",
  toolCalls: "tool_use",
  refusal: "refusal",
};

export const writeMessagesStop = ({
  reason,
  sequence,
}: Stop): { stop_reason: string; stop_sequence: string | null } => ({
  stop_reason: REASONS[reason],
  stop_sequence: sequence,
});
