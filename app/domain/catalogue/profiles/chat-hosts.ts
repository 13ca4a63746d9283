import { ANY_SCHEMA } from "./general";
import type { SupplierEntry } from "./profile";

const NO_WORD_OF_THINKING = { form: "none", canStop: false } as const;

/** Suppliers whose chat completions accept neither developer messages nor cache marks. */
const PLAIN_MESSAGES = {
  deepseek: "https://github.com/theopenco/llmgateway/pull/3462",
  mistral: "https://docs.mistral.ai/api/endpoint/chat",
  moonshot: "https://platform.moonshot.ai/docs/api/chat",
  zai: "https://docs.z.ai/api-reference/llm/chat-completion",
  xai: "https://docs.x.ai/docs/guides/chat",
  cerebras: "https://inference-docs.cerebras.ai/api-reference/chat-completions",
  groq: "https://console.groq.com/docs/api-reference#chat-create",
  fireworks: "https://github.com/musistudio/claude-code-router/issues/377",
  together: "https://docs.together.ai/reference/chat-completions",
  nvidia: "https://docs.api.nvidia.com/nim/reference/llm-apis",
  perplexity: "https://docs.perplexity.ai/api-reference/chat-completions-post",
  gemini: "https://ai.google.dev/gemini-api/docs/openai",
} as const;

/** Members of OpenAI's chat requests that do not affect the answer. */
export const LABELS: readonly string[] = [
  "store",
  "metadata",
  "service_tier",
  "prompt_cache_key",
  "prompt_cache_retention",
  "safety_identifier",
];

/** Message features that a supplier's chat completions lack. */
export const PLAIN_CHAT: readonly SupplierEntry[] = [
  ...Object.entries(PLAIN_MESSAGES).map(
    ([supplier, source]): SupplierEntry => ({
      supplier: supplier as keyof typeof PLAIN_MESSAGES,
      source,
      read: "2026-11-27",
      rules: { developer: "system", cachePoints: "refused", emptyTools: "refused" },
    }),
  ),
  ...(["openai", "azure"] as const).map(
    (supplier): SupplierEntry => ({
      supplier,
      source: "https://platform.openai.com/docs/api-reference/chat/create",
      read: "2026-11-27",
      // Applies to every deployment name.
      rules: { cachePoints: "refused", emptyTools: "refused", toolSchema: { ...ANY_SCHEMA, plain: true } },
    }),
  ),
];

/** Groq and Cerebras, which reject undocumented members. */
export const FAST_HOSTS: readonly SupplierEntry[] = [
  {
    supplier: "groq",
    source: "https://console.groq.com/docs/openai",
    read: "2026-11-27",
    rules: {
      fields: { logprobs: "refused", logit_bias: "refused" },
      maxStops: 4,
      contentLists: [],
      // https://console.groq.com/docs/structured-outputs#supported-models
      outputForm: "json",
      outputFormBesideTools: "told",
      refusedMembers: ["prompt_cache_key", "prompt_cache_retention", "safety_identifier", "prediction", "verbosity"],
      messageMembers: {
        system: ["role", "content", "name"],
        user: ["role", "content", "name"],
        assistant: ["role", "content", "name", "tool_calls", "reasoning", "function_call"],
        tool: ["role", "content", "tool_call_id", "name"],
      },
    },
  },
  {
    supplier: "groq",
    profiles: ["openai/gpt-oss"],
    source: "https://console.groq.com/docs/structured-outputs",
    read: "2026-11-27",
    rules: {
      outputForm: "schema",
      outputSchema: { ...ANY_SCHEMA, allRequired: true, maxMinItems: 0, refused: ["maxItems"] },
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
      messageMembers: { assistant: ["role", "content", "name", "tool_calls", "reasoning"] },
    },
  },
  {
    supplier: "cerebras",
    source: "https://inference-docs.cerebras.ai/capabilities/structured-outputs",
    read: "2026-11-27",
    rules: {
      fields: { frequency_penalty: "refused", presence_penalty: "refused", logit_bias: "refused" },
      refusedMembers: LABELS.filter((name) => name !== "service_tier"),
      // https://github.com/RooCodeInc/Roo-Code/issues/10334
      strictTools: "uniform",
      outputFormBesideTools: "told",
      outputSchema: { ...ANY_SCHEMA, refused: ["pattern", "maxItems"], formats: [], maxMinItems: 0 },
    },
  },
];
