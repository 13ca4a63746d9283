import type { ProfileEntry } from "./profile";

/** DeepSeek; distilled models of other families have its name as well. */
export const DEEPSEEK: readonly ProfileEntry[] = [
  {
    name: "deepseek/deepseek",
    models: /(^|[^a-z0-9])deepseek/,
    example: "deepseek-v3.2",
    source: "https://api-docs.deepseek.com/api/create-chat-completion",
    read: "2026-11-27",
    rules: {},
  },
  {
    name: "deepseek/deepseek-chat",
    like: "deepseek/deepseek-v4",
    models: /(^|[^a-z0-9])deepseek-chat/,
    example: "deepseek-chat",
    source: "https://api-docs.deepseek.com/guides/thinking_mode",
    read: "2026-11-27",
    rules: { thinking: { byDefault: false } },
  },
  {
    name: "deepseek/deepseek-reasoner",
    like: "deepseek/deepseek-v4",
    models: /(^|[^a-z0-9])deepseek[-.](reasoner|r\d)/,
    example: "deepseek-reasoner",
    source: "https://github.com/BerriAI/litellm/pull/28138",
    read: "2026-11-27",
    rules: { thinking: { form: "none", canStop: false } },
  },
  {
    name: "deepseek/deepseek-v4",
    like: "deepseek/deepseek",
    models: /(^|[^a-z0-9])deepseek-v?([4-9]|\d\d)/,
    example: "deepseek-v4-pro",
    source: "https://api-docs.deepseek.com/guides/thinking_mode https://github.com/deepseek-ai/DeepSeek-V3/issues/1376",
    read: "2026-11-27",
    rules: {
      fields: { logprobs: "withoutThinking" },
      thinking: {
        form: "switch",
        levels: ["high", "max"],
        standsFor: { xhigh: "max" },
        byDefault: true,
        canStop: true,
      },
      forcedToolWhileThinking: "refused",
      reasoning: { field: "reasoning_content", back: "required" },
    },
  },
];

/** Qwen: its chat template accepts one system message, the first, and has a switch for thinking. */
export const QWEN: readonly ProfileEntry[] = [
  {
    name: "qwen/qwen",
    models: /(^|[^a-z0-9])(qwen|qwq|qvq)/,
    example: "qwen2.5-coder:7b",
    source: "https://qwen.readthedocs.io/en/latest/deployment/vllm.html",
    read: "2026-11-27",
    // "Unexpected message role.": https://github.com/ggml-org/llama.cpp/issues/20733
    rules: { system: "one", developer: "system", reasoning: { field: "reasoning_content" } },
  },
  {
    name: "qwen/qwen3",
    like: "qwen/qwen",
    models: /(^|[^a-z0-9])qwen-?(3|4|max|plus|flash|turbo)(?!.*(coder|instruct|thinking))/,
    example: "qwen3.5-27b",
    source:
      "https://qwen.readthedocs.io/en/latest/deployment/vllm.html#thinking-non-thinking-modes https://docs.vllm.ai/en/latest/serving/openai_compatible_server/",
    read: "2026-11-27",
    rules: {
      thinking: { form: "template", levels: ["none", "low", "medium", "high"], byDefault: true, canStop: true },
    },
  },
  {
    name: "qwen/qwen-thinking",
    like: "qwen/qwen",
    models: /(^|[^a-z0-9])(qwq|qvq|qwen.*thinking)/,
    example: "qwen3-235b-a22b-thinking-2507",
    source: "https://huggingface.co/Qwen/Qwen3-235B-A22B-Thinking-2507",
    read: "2026-11-27",
    rules: { thinking: { byDefault: true } },
  },
];

/** Kimi of Moonshot AI. */
export const KIMI: readonly ProfileEntry[] = [
  {
    name: "moonshot/kimi",
    models: /(^|[^a-z0-9])(kimi|moonshot)/,
    example: "kimi-k2-0905-preview",
    source: "https://platform.moonshot.ai/docs/api/chat",
    read: "2026-11-27",
    rules: { maxTemperature: 1, maxStops: 5 },
  },
  {
    name: "moonshot/kimi-k2-thinking",
    like: "moonshot/kimi",
    models: /(^|[^a-z0-9])kimi-k2-thinking/,
    example: "kimi-k2-thinking",
    source: "https://platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model",
    read: "2026-11-27",
    rules: {
      thinking: { byDefault: true },
      forcedToolWhileThinking: "refused",
      reasoning: { field: "reasoning_content", back: "required" },
    },
  },
  {
    name: "moonshot/kimi-k2.5",
    like: "moonshot/kimi-k2-thinking",
    models: /(^|[^a-z0-9])kimi-k2[.p][5-9]/,
    example: "kimi-k2.6",
    source:
      "https://platform.kimi.ai/docs/guide/migrating-from-openai-to-kimi https://github.com/HKUDS/nanobot/pull/4967",
    read: "2026-11-27",
    rules: {
      fields: {
        temperature: "refused",
        top_p: "refused",
        frequency_penalty: "refused",
        presence_penalty: "refused",
      },
      thinking: { form: "switch", canStop: true },
    },
  },
  {
    name: "moonshot/kimi-k2.7",
    like: "moonshot/kimi-k2.5",
    models: /(^|[^a-z0-9])kimi-k2[.p]7/,
    example: "kimi-k2.7-code",
    source: "https://github.com/mnfst/modelparams.dev",
    read: "2026-11-27",
    rules: { thinking: { canStop: false } },
  },
  {
    name: "moonshot/kimi-k3",
    like: "moonshot/kimi-k2.5",
    models: /(^|[^a-z0-9])kimi-k([3-9]|\d\d)/,
    example: "kimi-k3",
    source: "https://github.com/mnfst/modelparams.dev",
    read: "2026-11-27",
    rules: { thinking: { levels: ["low", "high", "max"] }, forcedToolWhileThinking: "taken" },
  },
];

/** GLM of Z.ai. */
export const GLM: readonly ProfileEntry[] = [
  {
    name: "zai/glm",
    models: /(^|[^a-z0-9])glm/,
    example: "glm-4-plus",
    source: "https://docs.z.ai/api-reference/llm/chat-completion",
    read: "2026-11-27",
    rules: { maxTemperature: 1 },
  },
  {
    name: "zai/glm-4.5",
    like: "zai/glm",
    models: /(^|[^a-z0-9])glm-(4[.p][5-9]|[5-9])/,
    example: "glm-4.7",
    source: "https://docs.z.ai/guides/capabilities/thinking-mode",
    read: "2026-11-27",
    rules: { thinking: { form: "switch", byDefault: true, canStop: true } },
  },
  {
    name: "zai/glm-5.2",
    like: "zai/glm-4.5",
    models: /(^|[^a-z0-9])glm-5[.p]2/,
    example: "glm-5.2",
    source: "https://docs.z.ai/guides/overview/concept-param",
    read: "2026-11-27",
    rules: { thinking: { levels: ["minimal", "low", "medium", "high", "xhigh", "max"] } },
  },
  {
    name: "zai/glm-5.3",
    like: "zai/glm-4.5",
    models: /(^|[^a-z0-9])glm-(5[.p][3-9]|[6-9])/,
    example: "glm-5.3",
    source: "https://docs.z.ai/guides/overview/concept-param",
    read: "2026-11-27",
    rules: { thinking: { levels: ["low", "high", "max"], canStop: false } },
  },
];
