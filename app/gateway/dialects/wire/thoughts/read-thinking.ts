import type { Reasoning } from "../../../canonical/conversation";
import { isObject, type JsonObject, objectAt, textAt } from "../events/reading";

/**
 * Returns the thinking setting of a chat request: from an effort, from `thinking` of the messages format, from an
 * aggregator's `reasoning`, from `enable_thinking`, or from the same in the template arguments. Null if there is none.
 * @throws AppError invalid_request
 */
export function readThinking(body: JsonObject): Reasoning | null {
  const { thinking, reasoning_effort, reasoning, enable_thinking, chat_template_kwargs: template } = body;
  if (thinking != null) return { kind: "thinking", config: objectAt(thinking, "thinking"), effort: null };
  if (reasoning_effort != null) return byEffort(textAt(reasoning_effort, "reasoning_effort"));
  if (reasoning != null) return byAggregator(objectAt(reasoning, "reasoning"));
  const switched = enable_thinking ?? (isObject(template) ? (template.enable_thinking ?? template.thinking) : null);
  if (typeof switched !== "boolean") return null;
  return switched ? on(body.thinking_budget) : { kind: "off" };
}

const byEffort = (effort: string): Reasoning => (effort === "none" ? { kind: "off" } : { kind: "effort", effort });

const on = (budget: unknown): Reasoning => ({
  kind: "thinking",
  config: { type: "enabled", ...(typeof budget === "number" ? { budget_tokens: budget } : {}) },
  effort: null,
});

function byAggregator({ effort, max_tokens, enabled }: JsonObject): Reasoning | null {
  if (effort != null) return byEffort(textAt(effort, "reasoning.effort"));
  if (enabled === false) return { kind: "off" };
  return enabled === true || max_tokens != null ? on(max_tokens) : null;
}
