import { names } from "../chat/checks";
import type { Json, Rule } from "../twin";
import { blocksOf } from "./anthropic-rules";

const THINKING = "https://platform.claude.com/docs/en/build-with-claude/extended-thinking";
const ADAPTIVE = "https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking";

const isForced = ({ tool_choice }: Json) => tool_choice?.type === "any" || tool_choice?.type === "tool";
export const isOn = ({ thinking }: Json) => thinking?.type === "enabled" || thinking?.type === "adaptive";

const forcedBesideThinking: Rule = {
  rule: "no tool is forced beside thinking",
  source: THINKING,
  date: "2026-06",
  check: (body) =>
    isOn(body) && isForced(body) ? "Thinking may not be enabled when tool_choice forces tool use." : undefined,
};

/** Models from 4.7 on: no sampling fields, only adaptive thinking, no prefilled answer. */
export const NEWER: readonly Rule[] = [
  ...["temperature", "top_p", "top_k"].map(
    (field): Rule => ({
      rule: `a newer model has no ${field}`,
      source: "https://github.com/mnfst/modelparams.dev/pull/238",
      date: "2026-08",
      check: (body) =>
        body[field] === undefined || (field === "temperature" && body[field] === 1)
          ? undefined
          : `\`${field}\` is deprecated for this model.`,
    }),
  ),
  {
    rule: "a newer model thinks in adaptive form",
    source: ADAPTIVE,
    date: "2026-06",
    check: ({ thinking }) =>
      thinking?.type === "enabled"
        ? '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.'
        : undefined,
  },
  {
    rule: "efforts that the model has",
    source: "https://platform.claude.com/docs/en/build-with-claude/effort",
    date: "2026-06",
    check: ({ output_config }) =>
      output_config?.effort === undefined || EFFORTS.has(output_config.effort)
        ? undefined
        : `output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'`,
  },
  {
    rule: "a newer model takes no beginning of its answer",
    source: "https://platform.claude.com/docs/en/about-claude/models/whats-new-claude-4-6",
    date: "2026-02",
    check: ({ messages }) =>
      messages.at(-1)?.role === "assistant"
        ? "This model does not support assistant message prefill. The conversation must end with a user message."
        : undefined,
  },
  forcedBesideThinking,
];

/** Models up to 4.5: thinking with a token budget, and no later features. */
export const OLDER: readonly Rule[] = [
  {
    rule: "an older model has no adaptive thinking",
    source: ADAPTIVE,
    date: "2026-06",
    check: ({ thinking }) =>
      thinking?.type === "adaptive" ? "adaptive thinking is not supported on this model" : undefined,
  },
  {
    rule: "an older model has no effort",
    source: "https://platform.claude.com/docs/en/build-with-claude/effort",
    date: "2026-06",
    check: ({ output_config }) =>
      output_config?.effort === undefined ? undefined : "This model does not support the effort parameter.",
  },
  {
    rule: "temperature or top_p, not both",
    source: "https://github.com/mnfst/modelparams.dev/pull/305",
    date: "2026-08",
    check: ({ temperature, top_p }) =>
      temperature !== undefined && top_p !== undefined
        ? "`temperature` and `top_p` cannot both be specified for this model. Please use only one."
        : undefined,
  },
  {
    rule: "a budget of thinking is at least 1024 and below the most output",
    source: THINKING,
    date: "2026-06",
    check: ({ thinking, max_tokens }) => {
      if (thinking?.type !== "enabled") return undefined;
      if (!(thinking.budget_tokens >= 1_024))
        return "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024";
      return thinking.budget_tokens < max_tokens
        ? undefined
        : "`max_tokens` must be greater than `thinking.budget_tokens`.";
    },
  },
  {
    rule: "no other temperature, top_k or low top_p beside thinking",
    source: THINKING,
    date: "2026-06",
    check: (body) => {
      if (!isOn(body)) return undefined;
      if (body.temperature !== undefined && body.temperature !== 1)
        return "`temperature` may only be set to 1 when thinking is enabled.";
      if (body.top_k !== undefined) return "`top_k` must be unset when thinking is enabled.";
      return body.top_p !== undefined && body.top_p < 0.95
        ? "`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled."
        : undefined;
    },
  },
  {
    rule: "beside thinking by a budget, the calls of the last turn come with their thought",
    source: THINKING,
    date: "2026-06",
    check: ({ thinking, messages }) => {
      if (thinking?.type !== "enabled") return undefined;
      const at = messages.findLastIndex(({ role }: Json) => role === "assistant");
      if (at < 0 || at !== messages.length - 2) return undefined;
      const [first, ...rest] = blocksOf(messages[at].content);
      if (!rest.concat(first).some(({ type }) => type === "tool_use")) return undefined;
      return /thinking/.test(first.type)
        ? undefined
        : `messages.${at}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first.type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks).`;
    },
  },
  forcedBesideThinking,
];

const EFFORTS = names("low medium high xhigh max");
