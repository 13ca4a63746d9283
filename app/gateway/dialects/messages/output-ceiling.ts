import { editMembers } from "~/http/body/json/json-surgery";
import type { OutputCeiling } from "../dialect";
import { outputCeilingOf } from "../wire/output-ceiling";
import type { MessagesSource } from "./read";

/** Minimum thinking budget of the format, in tokens. */
const MIN_BUDGET = 1_024;

/**
 * Returns the output ceiling of a messages request. The thinking budget must stay below the ceiling: another ceiling
 * scales the budget by the same ratio or, if the result is below the minimum, turns thinking off.
 */
export function outputCeiling(source: MessagesSource): OutputCeiling {
  const ceiling = outputCeilingOf(source, ["max_tokens"]);
  const { text, members, body } = source;
  const thinking = body.thinking as { type?: unknown; budget_tokens?: unknown } | null | undefined;
  const maxTokens = Number(body.max_tokens);
  const budget = Number(thinking?.budget_tokens);
  // A beta feature allows a budget above the ceiling, for thoughts between tool calls.
  if (thinking?.type !== "enabled" || !(budget < maxTokens)) return ceiling;
  const cappedAt = (tokens: number): object => {
    const share = Math.floor((budget * tokens) / maxTokens);
    return share < MIN_BUDGET ? { type: "disabled" } : { ...thinking, budget_tokens: share };
  };
  return {
    ...ceiling,
    textWith: (tokens) =>
      tokens > budget
        ? ceiling.textWith(tokens)
        : editMembers(text, members, { max_tokens: `${tokens}`, thinking: JSON.stringify(cappedAt(tokens)) }),
  };
}
