import type { Stop } from "../../canonical/answer";

/** What a choice says about its end. Some suppliers name the stop sequence that was met in `stop_reason`. */
export type WireEnd = { finish_reason?: unknown; stop_reason?: unknown };

/** Whether a choice says that it is over: some suppliers write an empty reason into every chunk. */
export const isOver = (reason: unknown): boolean => typeof reason === "string" && reason !== "";

/** Reasons by which the model or its supplier has failed: an answer that ends so is none, whatever was said before. */
const FAILURE =
  /^(?:error|network_error|abort|insufficient_system_resource|function_call_filter)\b|MALFORMED|UNEXPECTED_TOOL/i;
/** … by which the ceiling was met, and by which the content is not allowed. */
const LENGTHS: ReadonlySet<unknown> = new Set(["length", "model_length", "max_tokens"]);
const REFUSAL = /^(?:content_filter|sensitive|safety|refusal|guardrail)/i;

export const isFailure = (reason: unknown): boolean => typeof reason === "string" && FAILURE.test(reason);

/** A finish reason as a stop. `made` tells what the answer holds: some suppliers say `stop` behind a forced tool call. */
export function readChatStop(
  end: WireEnd,
  made: { toolCalls: boolean; refusal: boolean },
  stopSequences: readonly string[],
): Stop {
  const { finish_reason, stop_reason } = end;
  if (LENGTHS.has(finish_reason)) return { reason: "length", sequence: null };
  if (made.refusal || (typeof finish_reason === "string" && REFUSAL.test(finish_reason)))
    return { reason: "refusal", sequence: null };
  if (made.toolCalls) return { reason: "toolCalls", sequence: null };
  if (typeof stop_reason === "string" && stopSequences.includes(stop_reason))
    return { reason: "sequence", sequence: stop_reason };
  return { reason: "end", sequence: null };
}

const FINISH: Readonly<Record<Stop["reason"], string>> = {
  end: "stop",
  sequence: "stop",
  length: "length",
  toolCalls: "tool_calls",
  refusal: "content_filter",
};

export const writeChatStop = ({ reason }: Stop): string => FINISH[reason];
