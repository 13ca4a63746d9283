import { editMembers } from "~/http/json-surgery";
import type { OutputCeiling } from "../dialect";
import { outputCeilingOf } from "../wire/output-ceiling";
import type { MessagesSource } from "./read";

/** The least that the format takes as a budget of thinking. */
const MIN_BUDGET = 1_024;

/**
 * How a messages request states its ceiling of output. Its budget of thinking has to stay below: a ceiling that is not above it lowers
 * the budget by the same share or, where too little is left to think, turns thinking off.
 */
export function outputCeiling(source: MessagesSource): OutputCeiling {
  const ceiling = outputCeilingOf(source, ["max_tokens"]);
  const { text, members, body } = source;
  const thinking = body.thinking as { type?: unknown; budget_tokens?: unknown } | null | undefined;
  const most = Number(body.max_tokens);
  const budget = Number(thinking?.budget_tokens);
  // A beta lets the budget be larger, for all that is thought between calls of tools.
  if (thinking?.type !== "enabled" || !(budget < most)) return ceiling;
  const within = (tokens: number): object => {
    const share = Math.floor((budget * tokens) / most);
    return share < MIN_BUDGET ? { type: "disabled" } : { ...thinking, budget_tokens: share };
  };
  return {
    ...ceiling,
    textWith: (tokens) =>
      tokens > budget
        ? ceiling.textWith(tokens)
        : editMembers(text, members, { max_tokens: `${tokens}`, thinking: JSON.stringify(within(tokens)) }),
  };
}
