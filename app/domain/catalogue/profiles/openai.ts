import { ANY_SCHEMA } from "./general";
import type { ProfileEntry, SchemaRules } from "./profile";

const REASONING = "https://platform.openai.com/docs/guides/reasoning";
const LATEST = "https://platform.openai.com/docs/guides/latest-model";

/** "object schema missing properties", "array schema missing items", "schema must … not have 'oneOf'/'anyOf'/'allOf' at the top level". */
const TOOLS: SchemaRules = { ...ANY_SCHEMA, plain: true };

/** https://platform.openai.com/docs/guides/structured-outputs#supported-schemas */
const STRICT_TOOLS: SchemaRules = { ...TOOLS, allRequired: true };
const STRICT: SchemaRules = { ...ANY_SCHEMA, allRequired: true };

/** They may reason for tens of minutes: https://platform.openai.com/docs/guides/background */
const AN_HOUR = { firstByteMs: 3_600_000, idleMs: 3_600_000, contentMs: 3_600_000 };

/** Models of OpenAI, also in Azure and Bedrock. */
export const OPENAI: readonly ProfileEntry[] = [
  {
    name: "openai/gpt",
    models: /(^|[^a-z0-9])(gpt-?\d|chatgpt)/,
    example: "gpt-4.1",
    source: "https://platform.openai.com/docs/api-reference/chat/create",
    read: "2026-11-27",
    rules: {
      maxStops: 4,
      callIds: "most40",
      emptyTools: "refused",
      toolSchema: TOOLS,
      strictToolSchema: STRICT_TOOLS,
      outputSchema: STRICT,
    },
  },
  {
    name: "openai/o",
    like: "openai/gpt",
    models: /(^|[^a-z0-9])o[1-9]($|[^a-z0-9])/,
    example: "o4-mini",
    source: REASONING,
    read: "2026-11-27",
    rules: {
      fields: {
        temperature: "refused",
        top_p: "refused",
        stop: "refused",
        frequency_penalty: "refused",
        presence_penalty: "refused",
        logprobs: "refused",
        logit_bias: "refused",
        parallel_tool_calls: "refused",
      },
      thinking: { form: "effort", levels: ["low", "medium", "high"], byDefault: true },
      reasoning: { encrypted: true },
      outputField: "max_completion_tokens",
    },
  },
  {
    name: "openai/o-pro",
    like: "openai/o",
    models: /(^|[^a-z0-9])o[1-9](-\w+)*-(pro|deep-research)/,
    example: "o3-deep-research",
    source: "https://platform.openai.com/docs/guides/deep-research https://platform.openai.com/docs/models/o3-pro",
    read: "2026-11-27",
    rules: { silence: AN_HOUR },
  },
  {
    name: "openai/gpt-5",
    like: "openai/o",
    models: /(^|[^a-z0-9])gpt-?[5-9]/,
    example: "gpt-5-mini",
    source: LATEST,
    read: "2026-11-27",
    rules: {
      fields: { verbosity: "taken", parallel_tool_calls: "taken" },
      thinking: { levels: ["minimal", "low", "medium", "high"] },
    },
  },
  {
    name: "openai/gpt-5-pro",
    like: "openai/gpt-5",
    models: /(^|[^a-z0-9])gpt-?5-pro/,
    example: "gpt-5-pro",
    source: "https://platform.openai.com/docs/models/gpt-5-pro",
    read: "2026-11-27",
    rules: { thinking: { levels: ["high"] }, silence: AN_HOUR },
  },
  {
    name: "openai/gpt-5-chat",
    like: "openai/gpt",
    models: /(^|[^a-z0-9])gpt-?[5-9](\.\d+)?-chat/,
    example: "gpt-5-chat-latest",
    source: "https://platform.openai.com/docs/models/gpt-5-chat-latest",
    read: "2026-11-27",
    rules: { outputField: "max_completion_tokens" },
  },
  {
    name: "openai/gpt-5.1",
    like: "openai/gpt-5",
    models: /(^|[^a-z0-9])gpt-?5\.1(?!\d)(?!-(chat|codex))/,
    example: "gpt-5.1",
    source: LATEST,
    read: "2026-11-27",
    rules: {
      fields: { temperature: "withoutThinking", top_p: "withoutThinking", logprobs: "withoutThinking" },
      thinking: { levels: ["none", "low", "medium", "high"], byDefault: false, canStop: true },
    },
  },
  {
    name: "openai/gpt-5.2",
    like: "openai/gpt-5.1",
    models: /(^|[^a-z0-9])gpt-?5\.[23](?!\d)(?!-(chat|codex|pro))/,
    example: "gpt-5.2",
    source: LATEST,
    read: "2026-11-27",
    rules: { thinking: { levels: ["none", "low", "medium", "high", "xhigh"] } },
  },
  {
    name: "openai/gpt-codex",
    like: "openai/gpt-5",
    models: /(^|[^a-z0-9])gpt-?[5-9](\.\d+)?-codex/,
    example: "gpt-5.1-codex",
    source: "https://github.com/ben-vargas/ai-sdk-provider-codex-cli/pull/8",
    read: "2026-11-27",
    rules: { thinking: { levels: ["low", "medium", "high"] }, toolsWhileThinking: "responses" },
  },
  {
    name: "openai/gpt-5.2-codex",
    like: "openai/gpt-codex",
    models: /(^|[^a-z0-9])gpt-?(5\.1-codex-max|5\.([2-9]|\d\d)-codex|[6-9](\.\d+)?-codex)/,
    example: "gpt-5.3-codex",
    source: "https://platform.openai.com/docs/models/gpt-5.3-codex https://github.com/anomalyco/models.dev/pull/2296",
    read: "2026-11-27",
    rules: { thinking: { levels: ["low", "medium", "high", "xhigh"] } },
  },
  {
    name: "openai/gpt-5.4",
    like: "openai/gpt-5.2",
    models: /(^|[^a-z0-9])gpt-?5\.4(?!\d)(?!-(chat|codex|pro))/,
    example: "gpt-5.4-mini",
    source: "https://github.com/pipecat-ai/pipecat/issues/4043 https://github.com/openai/openai-openapi/issues/541",
    read: "2026-11-27",
    rules: { toolsWhileThinking: "responses" },
  },
  {
    name: "openai/gpt-5.5",
    like: "openai/gpt-5.4",
    models: /(^|[^a-z0-9])gpt-?5\.5(?!\d)(?!-(chat|codex|pro))/,
    example: "gpt-5.5",
    source: "https://github.com/Science-Discovery/Aether/issues/1026",
    read: "2026-11-27",
    rules: { thinking: { byDefault: true } },
  },
  {
    name: "openai/gpt-5.6",
    like: "openai/gpt-5.5",
    models: /(^|[^a-z0-9])gpt-?5\.([6-9]|\d\d)(?!-(chat|codex|pro))/,
    example: "gpt-5.6-terra",
    source:
      "https://developers.openai.com/api/docs/guides/deployment-checklist https://github.com/livekit/agents/pull/7169",
    read: "2026-11-27",
    rules: { thinking: { levels: ["none", "low", "medium", "high", "xhigh", "max"] } },
  },
  {
    name: "openai/gpt-pro",
    like: "openai/gpt-5.5",
    models: /(^|[^a-z0-9])gpt-?5\.\d+-pro/,
    example: "gpt-5.5-pro",
    source: "https://platform.openai.com/docs/models/gpt-5.5-pro",
    read: "2026-11-27",
    rules: {
      fields: { temperature: "refused", top_p: "refused", logprobs: "refused" },
      thinking: { levels: ["medium", "high", "xhigh"], canStop: false },
      silence: AN_HOUR,
    },
  },
  {
    name: "openai/gpt-6",
    like: "openai/gpt-5.6",
    models: /(^|[^a-z0-9])gpt-?[6-9](?!.*-(chat|codex))/,
    example: "gpt-6-sol",
    source: "https://github.com/stdapi-ai/stdapi.ai/issues/283",
    read: "2026-11-27",
    rules: {},
  },
  {
    name: "openai/gpt-6-astra",
    like: "openai/gpt-6",
    models: /(^|[^a-z0-9])gpt-?6-astra/,
    example: "gpt-6-astra",
    source: "https://github.com/anomalyco/opencode/pull/48195 https://github.com/The-PR-Agent/pr-agent/pull/3259",
    read: "2026-11-27",
    rules: {
      fields: { temperature: "refused", top_p: "refused", logprobs: "refused" },
      thinking: { levels: ["low", "medium", "high", "xhigh", "max"], canStop: false },
    },
  },
  {
    name: "openai/gpt-oss",
    models: /(^|[^a-z0-9])gpt-?oss/,
    example: "gpt-oss-120b",
    source: "https://console.groq.com/docs/reasoning https://inference-docs.cerebras.ai/capabilities/reasoning",
    read: "2026-11-27",
    rules: {
      thinking: { form: "effort", levels: ["low", "medium", "high"], byDefault: true },
      reasoning: { field: "reasoning" },
      strictToolSchema: STRICT,
      outputSchema: STRICT,
    },
  },
];
