import type { Stop } from "../../canonical/answer";

/** The end of a choice. Some suppliers name the matched stop sequence in `stop_reason`. */
export type WireEnd = { finish_reason?: unknown; stop_reason?: unknown };

/** Whether a finish reason ends a choice; some suppliers send an empty reason in every chunk. */
export const isOver = (reason: unknown): boolean => typeof reason === "string" && reason !== "";

/** Finish reasons of a failed model or supplier; such an answer counts as failed, whatever content came before. */
const FAILURE =
  /^(?:error|abort|cancel|timeout|insufficient_system_resource|function_call_filter|engine_overloaded)|_error$|_cancel|malformed|unexpected_tool/i;
/** Finish reasons for a reached output ceiling, for rejected content, and for tool calls. */
const LENGTH = /^length|^max_|_length$|max_(?:output_|new_)?tokens|context_(?:window|length)|token_limit|truncat/i;
const REFUSAL =
  /^(?:content_filter|sensitive|safety|image_safety|refusal|guardrail|recitation|prohibited|blocklist|spii|moderat)/i;
const TOOL_CALL = /^tool_(?:call|use)/i;

export const isFailure = (reason: unknown): boolean => typeof reason === "string" && FAILURE.test(reason);

/** Finish reasons of the format. Typed client libraries accept no others. */
const KNOWN: ReadonlySet<unknown> = new Set(["stop", "length", "tool_calls", "content_filter", "function_call"]);

/** Whether clients know a finish reason: it is one of the format, or missing. */
export const isKnownReason = (reason: unknown): boolean => reason == null || KNOWN.has(reason);

/** Maps a supplier's own finish reason to one of the format; null for an empty one, which is not an end. */
export function knownReason(reason: string): string | null {
  if (reason === "" || KNOWN.has(reason)) return reason || null;
  if (LENGTH.test(reason)) return "length";
  if (REFUSAL.test(reason)) return "content_filter";
  return TOOL_CALL.test(reason) ? "tool_calls" : "stop";
}

/** Matches the member. Inside a text its quotes would be escaped. */
const MEMBER = /("finish_reason"\s*:\s*)"([^"\\]*)"/g;

/**
 * Replaces a supplier's finish reasons in the JSON of an answer or chunk by those of the format. Changes nothing else.
 */
export const withKnownReasons = (json: string): string =>
  json.replace(MEMBER, (_all, name: string, reason: string) => name + JSON.stringify(knownReason(reason)));

/**
 * Converts a finish reason. `contents` describes the answer, because some suppliers send `stop` after a forced tool call.
 */
export function readChatStop(
  end: WireEnd,
  contents: { toolCalls: boolean; refusal: boolean },
  stopSequences: readonly string[],
): Stop {
  const { finish_reason, stop_reason } = end;
  const known = typeof finish_reason === "string" ? knownReason(finish_reason) : null;
  if (known === "length") return { reason: "length", sequence: null };
  if (contents.refusal || known === "content_filter") return { reason: "refusal", sequence: null };
  if (contents.toolCalls) return { reason: "toolCalls", sequence: null };
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
