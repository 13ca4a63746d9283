import { FAST_HOSTS, LABELS, PLAIN_CHAT } from "./chat-hosts";
import { CONSTRAINED } from "./claude";
import { ANY_SCHEMA } from "./general";
import type { EffortLevel, SupplierEntry, SupplierFamily } from "./profile";

/** Hosts of suppliers without a preset, or in addition to those of their preset. */
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

/** Rules of suppliers. Later entries of a supplier override earlier ones. */
export const SUPPLIERS: readonly SupplierEntry[] = [
  ...PLAIN_CHAT,
  {
    supplier: "anthropic",
    except: ["anthropic/claude"],
    source: "https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking",
    read: "2026-11-27",
    // An unknown name is most likely a newer model of the vendor, or an operator's own name for one. Other models
    // belong to other vendors with this API.
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
      maxTemperature: 1,
      minTopPWhileThinking: 0.95,
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
      strictTools: "taken",
      outputForm: "schema",
      outputFormBesideTools: "taken",
      resultPictures: "inside",
      reasoning: { field: null, back: "taken" },
      takesSealedThoughts: true,
      cachePoints: "everywhere",
      cachesForAnHour: true,
    },
  },
  {
    supplier: "anthropic",
    profiles: ["deepseek/deepseek", "moonshot/kimi", "zai/glm", "minimax/minimax", "qwen/qwen", "xiaomi/mimo"],
    source:
      "https://api-docs.deepseek.com/guides/anthropic_api https://docs.z.ai/scenario-example/develop-tools/claude",
    read: "2026-11-27",
    // Their messages APIs have the older form of the vendor's API.
    rules: {
      fields: { top_k: "taken" },
      thinking: { form: "budget", levels: ["low", "medium", "high"], byDefault: true, outputEffort: false },
    },
  },
  {
    supplier: "anthropic",
    profiles: ["deepseek/deepseek-v4", "moonshot/kimi-k2-thinking"],
    source: "https://github.com/QwenLM/qwen-code/issues/3786 https://github.com/NousResearch/hermes-agent/pull/21048",
    read: "2026-11-27",
    rules: { reasoning: { back: "required" } },
  },
  {
    supplier: "bedrock",
    source: "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html",
    read: "2026-11-27",
    rules: { fields: { parallel_tool_calls: "refused" }, maxTemperature: 1 },
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
    profiles: ["anthropic/claude"],
    except: ["anthropic/claude-4.5"],
    source: "https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html",
    read: "2026-11-27",
    rules: { cachesForAnHour: false },
  },
  {
    supplier: "bedrock",
    profiles: ["anthropic/claude-4.7"],
    source: "https://github.com/anomalyco/models.dev/pull/1765 https://github.com/vercel/ai/issues/19988",
    read: "2026-11-27",
    rules: { strictTools: "refused", outputForm: "told" },
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
    rules: {
      fields: { top_k: "unsaid", frequency_penalty: "refused", presence_penalty: "refused" },
      // https://github.com/ed-donner/agents/issues/45 https://github.com/leookun/cursor-byok/issues/112
      refusedMembers: [...LABELS, "prediction", "verbosity"],
    },
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
      refusedMembers: [...LABELS.filter((name) => name !== "metadata" && name !== "prompt_cache_key"), "verbosity"],
      toolSchema: { ...ANY_SCHEMA, plain: true },
      // https://github.com/microsoft/autogen/issues/2748
      messageMembers: {
        system: ["role", "content"],
        user: ["role", "content"],
        assistant: ["role", "content", "tool_calls", "prefix"],
        tool: ["role", "content", "tool_call_id", "name"],
      },
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
    supplier: "deepseek",
    source: "https://api-docs.deepseek.com/api/create-chat-completion https://github.com/QwenLM/qwen-code/issues/2318",
    read: "2026-11-27",
    rules: {
      maxStops: 16,
      contentLists: [],
      outputForm: "json",
      toolSchema: { ...ANY_SCHEMA, plain: true },
    },
  },
  {
    supplier: "moonshot",
    profiles: ["moonshot/kimi"],
    source: "https://platform.moonshot.ai/docs/api/chat",
    read: "2026-11-27",
    rules: { fields: { seed: "refused", logit_bias: "refused" } },
  },
  {
    supplier: "moonshot",
    source:
      "https://github.com/vercel/ai/pull/18921 https://github.com/MoonshotAI/kimi-cli/pull/2030 https://github.com/BerriAI/litellm/issues/42186",
    read: "2026-11-27",
    rules: {
      contentLists: ["user"],
      emptyAnswers: "refused",
      toolNames: "letter",
      toolSchema: { ...ANY_SCHEMA, plain: true, typed: true },
      strictToolSchema: { ...ANY_SCHEMA, plain: true, typed: true },
    },
  },
  {
    supplier: "zai",
    source: "https://docs.z.ai/api-reference/llm/chat-completion",
    read: "2026-11-27",
    rules: { maxStops: 1, outputForm: "json" },
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
    supplier: "openrouter",
    source: "https://openrouter.ai/docs/guides/best-practices/reasoning-tokens",
    read: "2026-11-27",
    // It omits fields that the model rejects, and translates the effort into the model's own form.
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
      maxStops: null,
      thinking: { form: "reasoning", levels: EVERY_LEVEL, standsFor: {}, canStop: true },
      toolsWhileThinking: "taken",
      forcedToolWhileThinking: "taken",
      minTopPWhileThinking: null,
      strictToolSchema: ANY_SCHEMA,
      outputSchema: ANY_SCHEMA,
      outputField: null,
      developer: "taken",
      system: "anywhere",
      resultPictures: "behind",
      reasoning: { field: "reasoning", back: "taken", details: true },
      callSignature: null,
      strictTools: "taken",
      outputForm: "schema",
      outputFormBesideTools: "taken",
      cachePoints: "everywhere",
      cachesForAnHour: true,
    },
  },
  {
    supplier: "openrouter",
    profiles: ["google/gemini-3"],
    source: "https://github.com/RooCodeInc/Roo-Code/pull/10640",
    read: "2026-11-27",
    rules: {
      callDetail: {
        type: "reasoning.encrypted",
        data: "skip_thought_signature_validator",
        format: "google-gemini-v1",
        index: 0,
      },
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
  ...FAST_HOSTS,
];
