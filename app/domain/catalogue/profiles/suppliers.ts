import { CONSTRAINED } from "./claude";
import { ANY_SCHEMA } from "./general";
import type { EffortLevel, SupplierEntry, SupplierFamily } from "./profile";

/** Hosts of suppliers that have no preset, or more hosts than their preset says. */
export const HOSTS: readonly (readonly [RegExp, SupplierFamily])[] = [
  [/(^|\.)anthropic\.com$/, "anthropic"],
  [/(^|\.)googleapis\.com$/, "gemini"],
  [/(^|\.)deepseek\.com$/, "deepseek"],
  [/(^|\.)moonshot\.(ai|cn)$|(^|\.)kimi\.(ai|com)$/, "moonshot"],
  [/(^|\.)z\.ai$|(^|\.)bigmodel\.cn$/, "zai"],
  [/(^|\.)aliyuncs\.com$/, "alibaba"],
  [/(^|\.)cerebras\.ai$/, "cerebras"],
  [/(^|\.)openrouter\.ai$/, "openrouter"],
  [/(^|\.)together\.(ai|xyz)$/, "together"],
  [/(^|\.)fireworks\.ai$/, "fireworks"],
  [/(^|\.)nvidia\.com$/, "nvidia"],
  [/(^|\.)minimaxi?\.(io|chat|com)$/, "minimax"],
  [/(^|\.)perplexity\.ai$/, "perplexity"],
  [/:11434$/, "ollama"],
];

const EVERY_LEVEL: readonly EffortLevel[] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];
const NO_WORD_OF_THINKING = { form: "none", canStop: false } as const;

/** What suppliers have of their own, the first entry of a supplier first; later ones win. */
export const SUPPLIERS: readonly SupplierEntry[] = [
  {
    supplier: "anthropic",
    except: ["anthropic/claude"],
    source: "https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking",
    read: "2026-11-27",
    // A name that no table has is most likely a newer one of the vendor's, or an operator's own for one; other models are behind
    // something that has the vendor's API.
    rules: {
      fields: {
        temperature: "taken",
        top_p: "taken",
        top_k: "taken",
        stop: "taken",
        parallel_tool_calls: "taken",
        user: "taken",
      },
      samplers: "both",
      mostTemperature: 1,
      leastTopPWhileThinking: 0.95,
      thinking: {
        form: "adaptive",
        levels: ["low", "medium", "high", "xhigh", "max"],
        standsFor: {},
        byDefault: false,
        canStop: true,
        takesBudget: true,
        outputEffort: true,
      },
      toolsWhileThinking: "taken",
      forcedToolWhileThinking: "refused",
      strictToolSchema: CONSTRAINED,
      outputSchema: CONSTRAINED,
      resultPictures: "inside",
      reasoning: { field: null, back: "taken" },
      takesSealedThoughts: true,
      cachePoints: true,
    },
  },
  {
    supplier: "anthropic",
    profiles: ["deepseek/deepseek", "moonshot/kimi", "zai/glm", "minimax/minimax", "qwen/qwen", "xiaomi/mimo"],
    source:
      "https://api-docs.deepseek.com/guides/anthropic_api https://docs.z.ai/scenario-example/develop-tools/claude",
    read: "2026-11-27",
    // Their own messages APIs have the vendor's older form.
    rules: {
      fields: { top_k: "taken" },
      thinking: { form: "budget", levels: ["low", "medium", "high"], byDefault: true, outputEffort: false },
    },
  },
  {
    supplier: "bedrock",
    source: "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html",
    read: "2026-11-27",
    rules: { fields: { parallel_tool_calls: "refused" }, mostTemperature: 1 },
  },
  {
    supplier: "bedrock",
    profiles: ["anthropic/claude"],
    source:
      "https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-tool-use.html",
    read: "2026-11-27",
    rules: { fields: { parallel_tool_calls: "taken" } },
  },
  {
    supplier: "bedrock",
    profiles: ["openai/gpt-oss"],
    source: "https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-openai.html",
    read: "2026-11-27",
    rules: { fields: { stop: "refused" } },
  },
  {
    supplier: "bedrock",
    profiles: ["openai/gpt-5"],
    source: "https://github.com/anomalyco/opencode/pull/48195 https://github.com/stdapi-ai/stdapi.ai/issues/283",
    read: "2026-11-27",
    rules: {
      thinking: { form: "reasoning", levels: ["none", "low", "medium", "high", "xhigh", "max"] },
      toolsWhileThinking: "taken",
    },
  },
  {
    supplier: "bedrock",
    profiles: ["openai/gpt-6-astra"],
    source: "https://github.com/anomalyco/opencode/pull/48195",
    read: "2026-11-27",
    rules: { thinking: { levels: ["low", "medium", "high", "xhigh", "max"] } },
  },
  {
    supplier: "bedrock",
    profiles: ["moonshot/kimi"],
    source: "https://github.com/langchain-ai/langchain-aws/pull/1266",
    read: "2026-11-27",
    rules: { thinking: { form: "effort", levels: ["low", "high", "max"], canStop: false } },
  },
  {
    supplier: "bedrock",
    profiles: ["deepseek/deepseek", "qwen/qwen", "zai/glm", "mistral/mistral", "minimax/minimax"],
    source: "https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters.html",
    read: "2026-11-27",
    rules: { thinking: NO_WORD_OF_THINKING },
  },
  {
    supplier: "gemini",
    profiles: ["google/gemini"],
    source: "https://ai.google.dev/gemini-api/docs/openai https://github.com/versun/RSSBox/issues/132",
    read: "2026-11-27",
    rules: { fields: { top_k: "unsaid", frequency_penalty: "refused", presence_penalty: "refused" } },
  },
  {
    supplier: "gemini",
    profiles: ["google/gemini-2.5", "google/gemini-3"],
    source: "https://ai.google.dev/gemini-api/docs/openai#thinking",
    read: "2026-11-27",
    rules: { thinking: { form: "effort" } },
  },
  {
    supplier: "gemini",
    profiles: ["google/gemini-3"],
    source: "https://ai.google.dev/gemini-api/docs/openai#thinking",
    read: "2026-11-27",
    rules: { thinking: { levels: ["minimal", "low", "medium", "high"], standsFor: {} } },
  },
  {
    supplier: "mistral",
    source: "https://docs.mistral.ai/api/endpoint/chat",
    read: "2026-11-27",
    rules: {
      fields: { seed: "refused", logprobs: "refused", logit_bias: "refused", user: "refused" },
      outputField: "max_tokens",
      reasoning: { parts: true },
      assistantMembers: ["role", "content", "tool_calls", "prefix"],
    },
  },
  {
    supplier: "deepseek",
    profiles: ["deepseek/deepseek-reasoner"],
    source: "https://api-docs.deepseek.com/guides/thinking_mode",
    read: "2026-11-27",
    rules: { thinking: { form: "switch" } },
  },
  {
    supplier: "moonshot",
    profiles: ["moonshot/kimi"],
    source: "https://platform.moonshot.ai/docs/api/chat",
    read: "2026-11-27",
    rules: { fields: { seed: "refused", logit_bias: "refused" } },
  },
  {
    supplier: "zai",
    source: "https://docs.z.ai/api-reference/llm/chat-completion",
    read: "2026-11-27",
    rules: { mostStops: 1 },
  },
  {
    supplier: "alibaba",
    profiles: ["qwen/qwen3", "deepseek/deepseek-v4", "zai/glm-4.5", "moonshot/kimi-k2.5"],
    source: "https://www.alibabacloud.com/help/en/model-studio/deep-thinking",
    read: "2026-11-27",
    rules: {
      thinking: { form: "enableThinking", levels: [] },
      forcedToolWhileThinking: "refused",
      reasoning: { field: "reasoning_content", back: "taken" },
    },
  },
  {
    supplier: "groq",
    source: "https://console.groq.com/docs/openai",
    read: "2026-11-27",
    rules: {
      fields: { logprobs: "refused", logit_bias: "refused" },
      assistantMembers: ["role", "content", "name", "tool_calls", "reasoning", "function_call"],
    },
  },
  {
    supplier: "groq",
    profiles: ["qwen/qwen3"],
    source: "https://console.groq.com/docs/reasoning",
    read: "2026-11-27",
    rules: { thinking: { form: "effort", levels: ["none"] } },
  },
  {
    supplier: "groq",
    profiles: ["deepseek/deepseek", "moonshot/kimi"],
    source: "https://console.groq.com/docs/reasoning",
    read: "2026-11-27",
    rules: { thinking: NO_WORD_OF_THINKING },
  },
  {
    supplier: "cerebras",
    profiles: ["zai/glm"],
    source: "https://inference-docs.cerebras.ai/capabilities/reasoning",
    read: "2026-11-27",
    rules: { thinking: { form: "effort", levels: ["none"], canStop: true } },
  },
  {
    supplier: "cerebras",
    profiles: ["qwen/qwen", "deepseek/deepseek"],
    source: "https://github.com/egoist/chatwise-releases/issues/1325",
    read: "2026-11-27",
    rules: { thinking: NO_WORD_OF_THINKING },
  },
  {
    supplier: "openrouter",
    source: "https://openrouter.ai/docs/guides/best-practices/reasoning-tokens",
    read: "2026-11-27",
    // It leaves out what the model behind it refuses, and says the effort in that model's own words.
    rules: {
      fields: {
        temperature: "taken",
        top_p: "taken",
        stop: "taken",
        frequency_penalty: "taken",
        presence_penalty: "taken",
        verbosity: "taken",
        logprobs: "taken",
        logit_bias: "taken",
        parallel_tool_calls: "taken",
      },
      samplers: "both",
      mostStops: null,
      thinking: { form: "reasoning", levels: EVERY_LEVEL, standsFor: {}, canStop: true },
      toolsWhileThinking: "taken",
      forcedToolWhileThinking: "taken",
      leastTopPWhileThinking: null,
      strictToolSchema: ANY_SCHEMA,
      outputSchema: ANY_SCHEMA,
      outputField: null,
      system: "anywhere",
      resultPictures: "behind",
      reasoning: { field: "reasoning", back: "taken", details: true },
      callSignature: null,
      cachePoints: true,
    },
  },
  {
    supplier: "groq",
    source: "https://github.com/tashfeenahmed/freellmapi/issues/1070",
    read: "2026-11-27",
    rules: { reasoning: { field: null, back: "refused" } },
  },
  {
    supplier: "groq",
    profiles: ["qwen/qwen3", "openai/gpt-oss"],
    source: "https://console.groq.com/docs/api-reference#chat-create",
    read: "2026-11-27",
    rules: { reasoning: { field: "reasoning", back: "taken" } },
  },
  {
    supplier: "cerebras",
    source: "https://github.com/vercel/ai/issues/15042 https://github.com/QwenLM/qwen-code/issues/11045",
    read: "2026-11-27",
    rules: {
      reasoning: { field: "reasoning", back: "taken" },
      assistantMembers: ["role", "content", "name", "tool_calls", "reasoning"],
    },
  },
  {
    supplier: "cerebras",
    source: "https://inference-docs.cerebras.ai/capabilities/structured-outputs",
    read: "2026-11-27",
    rules: {
      fields: { frequency_penalty: "refused", presence_penalty: "refused", logit_bias: "refused" },
      outputSchema: { ...ANY_SCHEMA, refused: ["pattern", "maxItems"], formats: [], mostMinItems: 0 },
    },
  },
  {
    supplier: "openai",
    source: "https://platform.openai.com/docs/api-reference/chat/create",
    read: "2026-11-27",
    rules: { callIds: "most40", reasoning: { field: null, back: "refused" } },
  },
  {
    supplier: "azure",
    source: "https://platform.openai.com/docs/api-reference/chat/create",
    read: "2026-11-27",
    rules: { callIds: "most40", reasoning: { field: null, back: "refused" } },
  },
  {
    supplier: "ollama",
    profiles: ["qwen/qwen3", "deepseek/deepseek-v4", "deepseek/deepseek-reasoner", "zai/glm-4.5"],
    source: "https://docs.ollama.com/api/openai-compatibility",
    read: "2026-11-27",
    rules: {
      thinking: { form: "effort", levels: ["none", "low", "medium", "high"], standsFor: {}, canStop: true },
      reasoning: { field: "reasoning", back: "taken" },
    },
  },
  {
    supplier: "fireworks",
    profiles: ["qwen/qwen3", "deepseek/deepseek-v4", "zai/glm-4.5", "moonshot/kimi-k2.5"],
    source: "https://docs.fireworks.ai/guides/reasoning",
    read: "2026-11-27",
    rules: {
      fields: { temperature: "taken", top_p: "taken", frequency_penalty: "taken", presence_penalty: "taken" },
      thinking: { form: "effort", levels: ["none", "low", "medium", "high"], standsFor: {}, canStop: true },
    },
  },
];
