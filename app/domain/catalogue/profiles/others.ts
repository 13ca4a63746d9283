import { ANY_SCHEMA } from "./general";
import type { ProfileEntry, SchemaRules } from "./profile";

const PARAMETERS = "https://github.com/mnfst/modelparams.dev";

/** Mistral: no user message after a tool message, ids of nine letters and digits, `prefix` to continue an answer. */
export const MISTRAL: readonly ProfileEntry[] = [
  {
    name: "mistral/mistral",
    models: /(^|[^a-z0-9])(mistral|ministral|mixtral|magistral|codestral|devstral|pixtral|voxtral)/,
    example: "mistral-large-latest",
    source:
      "https://docs.mistral.ai/api/endpoint/chat https://github.com/0xPlaygrounds/rig/pull/1130 https://github.com/charmbracelet/crush/issues/279",
    read: "2026-11-27",
    rules: {
      maxTemperature: 1.5,
      system: "one",
      userAfterTool: false,
      lastAssistant: "prefix",
      developer: "system",
      callIds: "alphanumeric9",
      reasoning: { field: null, back: "refused" },
    },
  },
  {
    name: "mistral/mistral-4",
    like: "mistral/mistral",
    models: /(^|[^a-z0-9])mistral-(small-(4|260[3-9]|261\d|latest)|medium-(3[.p-]5|260[4-9]|261\d|latest))/,
    example: "mistral-small-2603",
    source: "https://docs.mistral.ai/capabilities/reasoning/adjustable",
    read: "2026-11-27",
    rules: { thinking: { form: "effort", levels: ["none", "high"], canStop: true } },
  },
  {
    name: "mistral/magistral",
    like: "mistral/mistral",
    models: /(^|[^a-z0-9])magistral/,
    example: "magistral-medium-latest",
    source: "https://docs.mistral.ai/capabilities/reasoning/native",
    read: "2026-11-27",
    rules: { thinking: { byDefault: true } },
  },
];

/** https://docs.x.ai/docs/guides/structured-outputs */
const GROK_SCHEMA: SchemaRules = {
  ...ANY_SCHEMA,
  refused: ["minLength", "maxLength", "maxItems", "minContains", "maxContains"],
  maxMinItems: 0,
};

/** Grok of xAI. */
export const GROK: readonly ProfileEntry[] = [
  {
    name: "xai/grok",
    models: /(^|[^a-z0-9])grok/,
    example: "grok-3",
    source: "https://docs.x.ai/docs/guides/chat",
    read: "2026-11-27",
    // With tools from Grok 4 on: https://docs.x.ai/docs/guides/structured-outputs
    rules: { outputSchema: GROK_SCHEMA, outputFormBesideTools: "told" },
  },
  {
    name: "xai/grok-4",
    like: "xai/grok",
    models: /(^|[^a-z0-9])grok-(4|code|build)(?!.*non-reasoning)/,
    example: "grok-4-0709",
    source: "https://docs.x.ai/docs/guides/reasoning https://github.com/NousResearch/hermes-agent/pull/23435",
    read: "2026-11-27",
    rules: {
      fields: { stop: "refused", frequency_penalty: "refused", presence_penalty: "refused" },
      thinking: { byDefault: true },
      outputFormBesideTools: "taken",
      reasoning: { encrypted: true },
    },
  },
  {
    name: "xai/grok-3-mini",
    like: "xai/grok-4",
    models: /(^|[^a-z0-9])grok-3-mini/,
    example: "grok-3-mini",
    source: "https://docs.x.ai/docs/guides/reasoning",
    read: "2026-11-27",
    rules: { thinking: { form: "effort", levels: ["low", "high"] } },
  },
  {
    name: "xai/grok-4.3",
    like: "xai/grok-4",
    models: /(^|[^a-z0-9])grok-4[.-]3/,
    example: "grok-4.3",
    source: "https://github.com/enricoros/big-AGI/issues/1104",
    read: "2026-11-27",
    rules: { thinking: { form: "effort", levels: ["none", "low", "medium", "high"], canStop: true } },
  },
  {
    name: "xai/grok-4.5",
    like: "xai/grok-4",
    models: /(^|[^a-z0-9])grok-(4[.-]5|build)/,
    example: "grok-4.5",
    source: "https://github.com/mnfst/modelparams.dev/pull/330",
    read: "2026-11-27",
    rules: { thinking: { form: "effort", levels: ["low", "medium", "high"] } },
  },
  {
    name: "xai/grok-4.6",
    like: "xai/grok-4",
    models: /(^|[^a-z0-9])grok-(4[.-][6-9]|[5-9])/,
    example: "grok-4.6",
    source: "https://github.com/mnfst/modelparams.dev/pull/330",
    read: "2026-11-27",
    rules: { thinking: { form: "effort", levels: ["low", "medium", "high", "xhigh"] } },
  },
];

/** Nova of Amazon, in Bedrock. */
export const NOVA: readonly ProfileEntry[] = [
  {
    name: "amazon/nova",
    models: /(^|[^a-z0-9])nova-/,
    example: "amazon.nova-pro-v1:0",
    source: "https://docs.aws.amazon.com/nova/latest/userguide/complete-request-schema.html",
    read: "2026-11-27",
    rules: {
      fields: { top_k: "taken" },
      maxTemperature: 1,
      topKField: "inferenceConfig.topK",
      // https://docs.aws.amazon.com/nova/latest/userguide/tool-use-definition.html
      toolSchema: { ...ANY_SCHEMA, top: ["type", "properties", "required"] },
      strictTools: "refused",
      outputForm: "told",
      maxStops: 4,
      // https://github.com/NousResearch/hermes-agent/issues/97281 https://github.com/timothy-agent/timothy/pull/756
      cachePoints: "content",
      cachesForAnHour: false,
      // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolResultContentBlock.html
      resultPictures: "inside",
      reasoning: { field: null },
    },
  },
  {
    name: "amazon/nova-2",
    like: "amazon/nova",
    models: /(^|[^a-z0-9])nova-2/,
    example: "us.amazon.nova-2-lite-v1:0",
    source: "https://docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html",
    read: "2026-11-27",
    rules: {
      thinking: { form: "reasoningConfig", levels: ["low", "medium", "high"], unbounded: ["high"], canStop: true },
    },
  },
];

/** https://docs.cohere.com/docs/structured-outputs#unsupported-schema-features */
const COMMAND_SCHEMA: SchemaRules = {
  ...ANY_SCHEMA,
  refused: [
    ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength"],
    ...["maxItems", "uniqueItems", "not", "if", "then", "else"],
  ],
  formats: ["date-time", "uuid", "date", "time"],
  maxMinItems: 0,
};

/** Command of Cohere. */
export const COMMAND: readonly ProfileEntry[] = [
  {
    name: "cohere/command",
    models: /(^|[^a-z0-9])(command|aya)/,
    example: "command-a-03-2025",
    source: "https://docs.cohere.com/reference/chat",
    read: "2026-11-27",
    rules: {
      fields: { top_k: "taken" },
      maxTemperature: 1,
      maxStops: 5,
      outputSchema: COMMAND_SCHEMA,
      outputFormBesideTools: "told",
    },
  },
  {
    name: "cohere/command-reasoning",
    like: "cohere/command",
    models: /(^|[^a-z0-9])command.*reasoning/,
    example: "command-a-reasoning-08-2025",
    source: "https://docs.cohere.com/docs/reasoning",
    read: "2026-11-27",
    rules: { thinking: { form: "tokenBudget", byDefault: true, canStop: true } },
  },
];

/** Families with a single entry. */
export const SINGLE: readonly ProfileEntry[] = [
  {
    name: "minimax/minimax",
    models: /(^|[^a-z0-9])minimax/,
    example: "minimax-m2.5",
    source: "https://platform.minimax.io/docs/api-reference/text-openai-api",
    read: "2026-11-27",
    rules: { maxTemperature: 1, thinking: { byDefault: true } },
  },
  {
    name: "xiaomi/mimo",
    models: /(^|[^a-z0-9])mimo/,
    example: "mimo-v2.5",
    source: PARAMETERS,
    read: "2026-11-27",
    rules: {
      fields: { temperature: "withoutThinking", top_p: "withoutThinking" },
      thinking: { form: "switch", byDefault: true, canStop: true },
      reasoning: { back: "required" },
    },
  },
  {
    name: "meta/muse-spark",
    models: /(^|[^a-z0-9])muse-spark/,
    example: "muse-spark-1.1",
    source: PARAMETERS,
    read: "2026-11-27",
    rules: {
      samplers: "one",
      thinking: { form: "effort", levels: ["minimal", "low", "medium", "high", "xhigh"], byDefault: true },
      outputField: "max_completion_tokens",
    },
  },
  {
    name: "thinking-machines/inkling",
    models: /(^|[^a-z0-9])inkling/,
    example: "inkling",
    source: PARAMETERS,
    read: "2026-11-27",
    rules: {
      thinking: { form: "effort", levels: ["none", "minimal", "low", "medium", "high", "xhigh"], canStop: true },
    },
  },
  {
    name: "nvidia/nemotron-3",
    models: /(^|[^a-z0-9])nemotron-3-(super|ultra)/,
    example: "nemotron-3-super-120b-a12b",
    source: PARAMETERS,
    read: "2026-11-27",
    rules: { thinking: { form: "effort", levels: ["none", "high"], byDefault: true, canStop: true } },
  },
];
