import { keywordsOf, names, unknownIn } from "../chat/checks";
import type { Json, Rule } from "../twin";
import { allBlocks, CONVERSE, more, NOVA, toolsOf } from "./bedrock-rules";

const isOn = (body: Json) => more(body).thinking?.type === "adaptive" || more(body).thinking?.type === "enabled";
const isForced = ({ toolConfig }: Json) =>
  toolConfig?.toolChoice?.any !== undefined || toolConfig?.toolChoice?.tool !== undefined;
const fieldsOnly = (rule: string, known: ReadonlySet<string>): Rule => ({
  rule,
  source: CONVERSE,
  date: "2026-06",
  check: (body) => {
    const unknown = unknownIn(more(body), known);
    return unknown === undefined
      ? undefined
      : `The model returned the following errors: Unknown parameter: '${unknown}'.`;
  },
});

const CLAUDE: readonly Rule[] = [
  fieldsOnly(
    "a Claude has the fields of its messages API",
    names("thinking output_config top_k anthropic_beta tool_choice context_management"),
  ),
  {
    rule: "no tool is forced beside thinking",
    source: "https://platform.claude.com/docs/en/build-with-claude/extended-thinking",
    date: "2026-06",
    check: (body) =>
      isOn(body) && isForced(body)
        ? "The model returned the following errors: Thinking may not be enabled when tool_choice forces tool use."
        : undefined,
  },
  {
    rule: "a thought comes back with the signature that the vendor gave it",
    source: "https://github.com/can1357/oh-my-pi/issues/6379",
    date: "2026-07",
    check: ({ messages }, memory) => {
      const bad = allBlocks(messages).find(
        ({ block: { reasoningContent: thought } }) =>
          thought !== undefined && memory.seals.get(thought.reasoningText?.signature) !== thought.reasoningText?.text,
      );
      return bad === undefined
        ? undefined
        : `The model returned the following errors: messages.${bad.at}.content.${bad.index}: Invalid \`signature\` in \`thinking\` block`;
    },
  },
  {
    rule: "a schema for the answer has no constraint and closes every object",
    source: "https://docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html",
    date: "2026-06",
    check: ({ outputConfig }) => {
      const text = outputConfig?.textFormat?.structure?.jsonSchema?.schema;
      if (text === undefined) return undefined;
      const bad = keywordsOf(JSON.parse(text)).find(
        ({ keyword, value, schema }) =>
          /^(minimum|maximum|exclusiveM\w+|multipleOf|minLength|maxLength|maxItems|uniqueItems)$/.test(keyword) ||
          (keyword === "type" && value === "object" && schema.additionalProperties !== false),
      );
      return bad === undefined
        ? undefined
        : `output_config.format.schema: For '${bad.schema.type}' type, property '${bad.keyword}' is not supported`;
    },
  },
];

const NEWER_CLAUDE: readonly Rule[] = [
  ...CLAUDE,
  {
    rule: "a newer Claude takes no schema for the answer in Bedrock",
    source: "https://github.com/anomalyco/models.dev/pull/1765",
    date: "2026-05",
    check: ({ outputConfig }) =>
      outputConfig === undefined
        ? undefined
        : "The model returned the following errors: output_config.format: Extra inputs are not permitted",
  },
  {
    rule: "a newer Claude has no temperature, topP or top_k",
    source: "https://github.com/mnfst/modelparams.dev/pull/238",
    date: "2026-08",
    check: (body) => {
      const { temperature, topP } = body.inferenceConfig ?? {};
      const field =
        temperature !== undefined
          ? "temperature"
          : topP !== undefined
            ? "top_p"
            : more(body).top_k !== undefined
              ? "top_k"
              : undefined;
      return field === undefined
        ? undefined
        : `The model returned the following errors: \`${field}\` is deprecated for this model.`;
    },
  },
  {
    rule: "a newer Claude thinks in adaptive form",
    source: "https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking",
    date: "2026-06",
    check: (body) =>
      more(body).thinking?.type === "enabled"
        ? 'The model returned the following errors: "thinking.type.enabled" is not supported for this model.'
        : undefined,
  },
];

const OLDER_CLAUDE: readonly Rule[] = [
  ...CLAUDE,
  {
    rule: "an older Claude has no adaptive thinking",
    source: "https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking",
    date: "2026-06",
    check: (body) =>
      more(body).thinking?.type === "adaptive"
        ? "The model returned the following errors: adaptive thinking is not supported on this model"
        : undefined,
  },
  {
    rule: "an older Claude has no effort",
    source: "https://platform.claude.com/docs/en/build-with-claude/effort",
    date: "2026-06",
    check: (body) =>
      more(body).output_config?.effort === undefined
        ? undefined
        : "The model returned the following errors: This model does not support the effort parameter.",
  },
  {
    rule: "temperature or topP, not both",
    source: "https://github.com/mnfst/modelparams.dev/pull/305",
    date: "2026-08",
    check: ({ inferenceConfig = {} }) =>
      inferenceConfig.temperature !== undefined && inferenceConfig.topP !== undefined
        ? "The model returned the following errors: `temperature` and `top_p` cannot both be specified for this model. Please use only one."
        : undefined,
  },
  {
    rule: "no other temperature or low topP beside thinking, and a budget below the most output",
    source: "https://github.com/mnfst/modelparams.dev/pull/305",
    date: "2026-08",
    check: (body) => {
      if (!isOn(body)) return undefined;
      const { temperature, topP, maxTokens } = body.inferenceConfig ?? {};
      const { budget_tokens: budget } = more(body).thinking;
      if (temperature !== undefined)
        return "The model returned the following errors: `temperature` may only be set to 1 when thinking is enabled.";
      if (topP !== undefined && topP < 0.95)
        return "The model returned the following errors: `top_p` must be greater than or equal to 0.95 or unset when thinking is enabled.";
      if (!(budget >= 1_024))
        return "The model returned the following errors: thinking.enabled.budget_tokens: Input should be greater than or equal to 1024";
      return maxTokens !== undefined && maxTokens <= budget
        ? "The model returned the following errors: `max_tokens` must be greater than `thinking.budget_tokens`."
        : undefined;
    },
  },
];

const noPicturesInResults: Rule = {
  rule: "pictures stand in the user's content, not in results",
  source: "https://github.com/can1357/oh-my-pi/pull/11685",
  date: "2026-09",
  check: ({ messages }) =>
    allBlocks(messages).some(({ block: { toolResult } }) =>
      toolResult?.content?.some(({ image }: Json) => image !== undefined),
    )
      ? "This model doesn't support the image field for user messages. Remove image and try again."
      : undefined,
};
const noThoughts = (rule: string): Rule => ({
  rule,
  source: CONVERSE,
  date: "2026-06",
  check: ({ messages }, memory) =>
    allBlocks(messages).some(
      ({ block: { reasoningContent: thought } }) =>
        thought !== undefined && !memory.seals.has(thought.reasoningText?.signature),
    )
      ? "This model doesn't support the reasoningContent.reasoningText.signature field. Remove reasoningContent.reasoningText.signature and try again."
      : undefined,
});
const noCachePoints: Rule = {
  rule: "no points for the cache",
  source: "https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html",
  date: "2026-06",
  check: ({ messages, system = [], toolConfig }) =>
    [...allBlocks(messages).map(({ block }) => block), ...system, ...(toolConfig?.tools ?? [])].some(
      ({ cachePoint }) => cachePoint !== undefined,
    )
      ? "You invoked an unsupported model or your request did not allow prompt caching."
      : undefined,
};

const NOVA_RULES: readonly Rule[] = [
  {
    rule: "points for the cache stand in messages, not at tools, and not for an hour",
    source: "https://github.com/NousResearch/hermes-agent/issues/97281",
    date: "2026-08",
    check: ({ messages, system = [], toolConfig }) => {
      const at = (toolConfig?.tools ?? []).findIndex(({ cachePoint }: Json) => cachePoint !== undefined);
      if (at >= 0)
        return `Malformed input request: #/toolConfig/tools/${at}: extraneous key [cachePoint] is not permitted`;
      return [...allBlocks(messages).map(({ block }) => block), ...system].some(
        ({ cachePoint }) => cachePoint?.ttl === "1h",
      )
        ? "Extended TTL prompt caching is only supported for Anthropic models"
        : undefined;
    },
  },
  fieldsOnly("Nova has its own fields", names("inferenceConfig reasoningConfig")),
  noThoughts("thoughts of others are not Nova's"),
  {
    rule: "the schema of a tool has type, properties and required at its top, and nothing else",
    source: NOVA,
    date: "2026-01",
    check: (body) => {
      const bad = toolsOf(body).find(
        ({ inputSchema: { json: schema } }) => unknownIn(schema, names("type properties required")) !== undefined,
      );
      return bad === undefined
        ? undefined
        : `The model returned the following errors: Malformed input request: tool ${bad.name} has unsupported schema fields, please reformat your input and try again.`;
    },
  },
  {
    rule: "at the highest effort there is no maxTokens, temperature or topP",
    source: "https://github.com/UKGovernmentBEIS/inspect_ai/issues/3767",
    date: "2026-04",
    check: (body) => {
      const { temperature, topP, maxTokens } = body.inferenceConfig ?? {};
      return more(body).reasoningConfig?.maxReasoningEffort === "high" &&
        (temperature ?? topP ?? maxTokens) !== undefined
        ? "The model returned the following errors: temperature, topP and maxTokens must be unset when maxReasoningEffort is high."
        : undefined;
    },
  },
  {
    rule: "efforts are low, medium and high",
    source: "https://docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html",
    date: "2026-01",
    check: (body) =>
      more(body).reasoningConfig === undefined ||
      more(body).reasoningConfig.type === "disabled" ||
      /^(low|medium|high)$/.test(more(body).reasoningConfig.maxReasoningEffort)
        ? undefined
        : "Malformed input request: the provided reasoning config value is invalid, please reformat your input and try again.",
  },
  {
    rule: "no schema for the answer",
    source: CONVERSE,
    date: "2026-06",
    check: ({ outputConfig }) =>
      outputConfig === undefined
        ? undefined
        : "This model doesn't support the outputConfig field. Remove outputConfig and try again.",
  },
];

const GPT: readonly Rule[] = [
  fieldsOnly("a GPT from 5.6 on has a nested effort", names("reasoning text")),
  noThoughts("thoughts of others are not GPT's"),
  noPicturesInResults,
  noCachePoints,
  {
    rule: "a thinking GPT has no temperature, topP or stop sequences",
    source: "https://github.com/BerriAI/litellm/issues/38279",
    date: "2026-09",
    check: ({ inferenceConfig = {} }) => {
      const field = ["temperature", "topP", "stopSequences"].find((name) => inferenceConfig[name] !== undefined);
      return field === undefined
        ? undefined
        : `This model doesn't support the ${field} field. Remove ${field} and try again.`;
    },
  },
  {
    rule: "efforts that the model has",
    source: "https://github.com/anomalyco/opencode/issues/48195",
    date: "2026-09",
    check: (body) =>
      more(body).reasoning?.effort === undefined ||
      names("none low medium high xhigh max").has(more(body).reasoning.effort)
        ? undefined
        : `The model returned the following errors: Unsupported value: 'reasoning.effort'.`,
  },
];

const GPT_OSS: readonly Rule[] = [
  fieldsOnly("gpt-oss has a flat effort", names("reasoning_effort")),
  noThoughts("thoughts of others are not gpt-oss'"),
  noPicturesInResults,
  noCachePoints,
  {
    rule: "no stop sequences",
    source: "https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-openai.html",
    date: "2026-01",
    check: ({ inferenceConfig }) =>
      inferenceConfig?.stopSequences === undefined
        ? undefined
        : "This model doesn't support the stopSequences field. Remove stopSequences and try again.",
  },
  {
    rule: "efforts are low, medium and high",
    source: "https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-openai.html",
    date: "2026-01",
    check: (body) =>
      more(body).reasoning_effort === undefined || /^(low|medium|high)$/.test(more(body).reasoning_effort)
        ? undefined
        : "The model returned the following errors: Invalid value for 'reasoning_effort'.",
  },
  {
    rule: "no pictures",
    source: CONVERSE,
    date: "2026-06",
    check: ({ messages }) =>
      allBlocks(messages).some(({ block: { image } }) => image !== undefined)
        ? "This model doesn't support the image content block that you provided. Specify a different content block in your request, and try again."
        : undefined,
  },
];

export type Family = { rules: readonly Rule[]; thinks(body: Json): boolean; isSealed: boolean };

export const FAMILIES = {
  newerClaude: { rules: NEWER_CLAUDE, thinks: isOn, isSealed: true },
  olderClaude: { rules: OLDER_CLAUDE, thinks: isOn, isSealed: true },
  nova: { rules: NOVA_RULES, thinks: (body) => more(body).reasoningConfig?.type === "enabled", isSealed: true },
  gpt: { rules: GPT, thinks: (body) => more(body).reasoning?.effort !== "none", isSealed: false },
  gptOss: { rules: GPT_OSS, thinks: () => true, isSealed: false },
} satisfies Record<string, Family>;
