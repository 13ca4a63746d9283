import type { Stop } from "../../canonical/answer";

const REASONS: Readonly<Record<string, Stop["reason"]>> = {
  COMPLETE: "end",
  STOP_SEQUENCE: "sequence",
  MAX_TOKENS: "length",
  TOOL_CALL: "toolCalls",
};

/**
 * Converts a `finish_reason`; unknown ones count as a normal end. The format does not name the matched stop sequence.
 */
export const readCohereStop = (reason: unknown, hasCalls: boolean): Stop => ({
  reason: (typeof reason === "string" ? REASONS[reason] : undefined) ?? (hasCalls ? "toolCalls" : "end"),
  sequence: null,
});

/** Whether a finish reason means that the supplier aborted: an internal error or a timeout. */
export const isFailure = (reason: unknown): boolean =>
  typeof reason === "string" && (reason.startsWith("ERROR") || reason === "TIMEOUT");
