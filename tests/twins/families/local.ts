import { sayChat, usualUsage } from "../chat/answer";
import { callsIn, keywordsOf, lateSystem, names, SHAPE } from "../chat/checks";
import { hearChat, pictureParts } from "../chat/hear";
import { type Api, type Json, json, type Rule } from "../twin";

const isText = (text: string) => {
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
};

const systemFirst = (source: string, date: string, refusal: string): Rule => ({
  rule: "one system message, at the beginning",
  source,
  date,
  check: ({ messages }) => (lateSystem(messages) > 0 ? refusal : undefined),
});

const userThere: Rule = {
  rule: "the template needs a question of the user",
  source: "https://github.com/ggml-org/llama.cpp/issues/20733",
  date: "2026-03",
  check: ({ messages }) =>
    messages.some(({ role }: Json) => role === "user") ? undefined : "No user query found in messages.",
};

const vllmRules: readonly Rule[] = [
  ...SHAPE,
  systemFirst("https://github.com/Mangi-11/Eta/issues/59", "2026-08", "System message must be at the beginning."),
  userThere,
  {
    rule: "roles of the template are system, user, assistant and tool",
    source: "https://github.com/ggml-org/llama.cpp/issues/20733",
    date: "2026-03",
    check: ({ messages }) =>
      messages.some(({ role }: Json) => role === "developer") ? "Unexpected message role." : undefined,
  },
  {
    rule: "arguments of calls are objects",
    source: "https://docs.vllm.ai/en/latest/features/tool_calling/",
    date: "2026-06",
    check: ({ messages }) =>
      callsIn(messages).some(({ call }) => !isText(call.function.arguments))
        ? "Can only get item pairs from a mapping."
        : undefined,
  },
  {
    rule: "efforts that the server knows",
    source: "https://docs.vllm.ai/en/latest/serving/openai_compatible_server/",
    date: "2026-06",
    check: ({ reasoning_effort: effort }) =>
      effort == null || names("none low medium high").has(effort)
        ? undefined
        : `1 validation error for ChatCompletionRequest: reasoning_effort: Input should be 'none', 'low', 'medium' or 'high'`,
  },
];

/** Qwen on vLLM: thoughts as `reasoning`; the stream begins with events that have no choice or no delta. */
export const vllmApi: Api = {
  path: /^\/v1\/chat\/completions$/,
  rules: vllmRules,
  hear: hearChat(
    ({ chat_template_kwargs, reasoning_effort }) =>
      chat_template_kwargs?.enable_thinking !== false && reasoning_effort !== "none",
  ),
  say: sayChat({
    thoughts: "reasoning",
    callId: (serial, at) => `chatcmpl-tool-${String(serial * 10 + at).padStart(32, "0")}`,
    emptyEvents: true,
  }),
  refuse: ({ message, status = 400 }) =>
    json(status, { error: { message, type: "BadRequestError", param: null, code: status } }),
};

const OLLAMA = "https://docs.ollama.com/api/openai-compatibility";

const ollamaRules: readonly Rule[] = [
  ...SHAPE,
  systemFirst(
    "https://github.com/ollama/ollama/issues/18241",
    "2026-09",
    "Jinja Exception: System message must be at the beginning.",
  ),
  {
    rule: "pictures come as data",
    source: OLLAMA,
    date: "2026-06",
    check: ({ messages }) =>
      messages
        .flatMap(({ content }: Json) => pictureParts(content))
        .some(({ image_url: { url } }: Json) => !url.startsWith("data:image/"))
        ? "invalid image input"
        : undefined,
  },
  {
    rule: "efforts are low, medium, high, max and none",
    source: "https://github.com/DevEmperor/DictateKeyboard/issues/186",
    date: "2026-07",
    check: ({ reasoning_effort: effort }) =>
      effort == null || names("none low medium high max").has(effort)
        ? undefined
        : `invalid reasoning value: '${effort}' (must be "high", "medium", "low", "max", or "none")`,
  },
];

/** Thoughts as `reasoning`, calls in one piece without an index (https://github.com/ollama/ollama/issues/7881). */
export const ollamaApi: Api = {
  path: /^\/v1\/chat\/completions$/,
  rules: ollamaRules,
  hear: hearChat(({ reasoning_effort }) => reasoning_effort !== "none"),
  say: sayChat({
    thoughts: "reasoning",
    callId: (serial, at) => `call_${String(serial * 10 + at).padStart(8, "x")}`,
    calls: { whole: true, index: "absent" },
    usageOf: ({ input, output, reasoning }) => ({
      prompt_tokens: input,
      completion_tokens: output + reasoning,
      total_tokens: input + output + reasoning,
    }),
  }),
  tellsCached: false,
  refuse: ({ message, status = 400 }) =>
    json(status, { error: { message, type: "invalid_request_error", param: null, code: null } }),
};

const LLAMA = "https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md";

const llamaRules: readonly Rule[] = [
  {
    rule: "contents are texts and lists of text and pictures",
    source: LLAMA,
    date: "2026-06",
    check: ({ messages }) =>
      messages.some(
        ({ content }: Json) =>
          Array.isArray(content) && content.some(({ type }: Json) => !/^(text|image_url|input_audio)$/.test(type)),
      )
        ? { status: 400, message: "unsupported content[].type" }
        : undefined,
  },
  ...SHAPE,
  systemFirst(
    "https://github.com/SillyTavern/SillyTavern/issues/5276",
    "2026-03",
    "Unable to generate parser for this template. Automatic parser generation failed: Error: Jinja Exception: System message must be at the beginning.",
  ),
  userThere,
  {
    rule: "no pictures without a projector",
    source: LLAMA,
    date: "2026-06",
    check: ({ messages }) =>
      messages.some(({ content }: Json) => pictureParts(content).length > 0)
        ? {
            status: 500,
            message: "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
            type: "server_error",
          }
        : undefined,
  },
  {
    rule: "patterns of schemas begin with ^ and end with $",
    source: "https://github.com/ggml-org/llama.cpp/blob/master/common/json-schema-to-grammar.cpp",
    date: "2026-06",
    check: ({ tools = [], response_format }) => {
      const schemas = [
        ...tools.map(({ function: { parameters } }: Json) => parameters),
        response_format?.json_schema?.schema,
      ];
      const bad = schemas
        .flatMap((schema) => keywordsOf(schema))
        .find(
          ({ keyword, value, schema }) => keyword === "pattern" && schema.type === "string" && !/^\^.*\$$/s.test(value),
        );
      return bad === undefined
        ? undefined
        : `failed to parse grammar: JSON schema conversion failed:\nPattern must start with '^' and end with '$'`;
    },
  },
];

/** Thoughts as `reasoning_content`, timings next to the usage. */
export const llamaApi: Api = {
  path: /^\/v1\/chat\/completions$/,
  rules: llamaRules,
  hear: hearChat(
    ({ chat_template_kwargs, reasoning_effort }) =>
      chat_template_kwargs?.enable_thinking !== false && reasoning_effort !== "none",
  ),
  say: sayChat({
    thoughts: "reasoning_content",
    callId: (serial, at) => `${String(serial * 10 + at).padStart(24, "Q")}AbCdEfGh`,
    usageOf: usualUsage,
    more: { system_fingerprint: "b9444-abc", timings: { prompt_n: 1, predicted_n: 1 } },
  }),
  refuse: ({ message, status = 400, type = "invalid_request_error" }) =>
    json(status, { error: { code: status, message, type } }),
};
