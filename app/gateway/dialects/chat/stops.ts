import type { Stop } from "../../canonical/answer";

/** What a choice says about its end. Some suppliers name the stop sequence that was met in `stop_reason`. */
export type WireEnd = { finish_reason?: unknown; stop_reason?: unknown };

/** A finish reason as a stop. `made` tells what the answer holds: some suppliers say `stop` behind a forced tool call. */
export function readChatStop(
  end: WireEnd,
  made: { toolCalls: boolean; refusal: boolean },
  stopSequences: readonly string[],
): Stop {
  const { finish_reason, stop_reason } = end;
  if (finish_reason === "length") return { reason: "length", sequence: null };
  if (finish_reason === "content_filter" || made.refusal) return { reason: "refusal", sequence: null };
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
