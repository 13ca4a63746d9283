import type { Stop } from "../../canonical/answer";

const REASONS: Readonly<Record<string, Stop["reason"]>> = {
  COMPLETE: "end",
  STOP_SEQUENCE: "sequence",
  MAX_TOKENS: "length",
  TOOL_CALL: "toolCalls",
};

/** A `finish_reason` as a stop; unknown ones are ordinary ends. Which stop sequence was met is not said. */
export const readCohereStop = (reason: unknown, hasCalls: boolean): Stop => ({
  reason: (typeof reason === "string" ? REASONS[reason] : undefined) ?? (hasCalls ? "toolCalls" : "end"),
  sequence: null,
});

/** The supplier broke off: an error of its own, or too long a time. */
export const isFailure = (reason: unknown): boolean =>
  typeof reason === "string" && (reason.startsWith("ERROR") || reason === "TIMEOUT");
