import { sayChat, usualUsage } from "../chat/answer";
import { names, refusesFields, SHAPE, strictFault, unknownIn } from "../chat/checks";
import { hearChat, pictureParts } from "../chat/hear";
import { type Api, type Json, json, type Refusal, type Rule } from "../twin";

const GROQ = "https://console.groq.com/docs/openai";
const GROQ_OUTPUTS = "https://console.groq.com/docs/structured-outputs";
const GROQ_FIELDS = names(
  "model messages frequency_penalty presence_penalty max_completion_tokens max_tokens metadata n parallel_tool_calls reasoning_effort reasoning_format include_reasoning response_format seed service_tier stop stream stream_options store temperature tool_choice tools top_p user documents citation_options search_settings compound_custom exclude_domains include_domains disable_tool_validation logit_bias logprobs top_logprobs",
);
const GROQ_MESSAGE: Readonly<Record<string, ReadonlySet<string>>> = {
  system: names("role content name"),
  developer: names("role content name"),
  user: names("role content name"),
  assistant: names("role content name tool_calls reasoning function_call"),
  tool: names("role content tool_call_id name"),
};

const groqRules: readonly Rule[] = [
  {
    rule: "no field that is not described",
    source: "https://github.com/fanenr/chatbot/issues/21",
    date: "2024-12",
    check: (body) => {
      const unknown = unknownIn(body, GROQ_FIELDS);
      return unknown === undefined ? undefined : `property '${unknown}' is unsupported`;
    },
  },
  {
    rule: "no field of a message that is not described, reasoning_content among them",
    source: "https://github.com/tashfeenahmed/freellmapi/issues/1070",
    date: "2026-08",
    check: ({ messages }) => {
      for (const [at, message] of messages.entries()) {
        const unknown = unknownIn(message, GROQ_MESSAGE[message.role] ?? GROQ_MESSAGE.user!);
        if (unknown !== undefined)
          return `'messages.${at}' : for 'role:${message.role}' the following must be satisfied[('messages.${at}' : property '${unknown}' is unsupported)]`;
      }
      return undefined;
    },
  },
  ...SHAPE,
  {
    rule: "messages of this model are texts",
    source: "https://console.groq.com/docs/vision",
    date: "2026-06",
    check: ({ messages }) => {
      const at = messages.findIndex(({ content }: Json) => pictureParts(content).length > 0);
      return at < 0 ? undefined : `messages[${at}].content must be a string`;
    },
  },
  refusesFields(
    { rule: "no probabilities of tokens", source: GROQ, date: "2026-06" },
    ["logprobs", "top_logprobs", "logit_bias"],
    (field) => `property '${field}' is unsupported`,
  ),
  {
    rule: "one answer",
    source: GROQ,
    date: "2026-06",
    check: ({ n }) => (n === undefined || n === null || n === 1 ? undefined : "'n' : number must be at most 1"),
  },
  {
    rule: "efforts of gpt-oss are low, medium and high",
    source: "https://console.groq.com/docs/reasoning",
    date: "2026-06",
    check: ({ reasoning_effort: effort }) =>
      effort == null || /^(low|medium|high)$/.test(effort)
        ? undefined
        : "`reasoning_effort` must be one of `low`, `medium`, or `high`",
  },
  {
    rule: "a schema for the answer not beside tools",
    source: GROQ_OUTPUTS,
    date: "2026-06",
    check: ({ response_format, tools }) =>
      response_format !== undefined && response_format.type !== "text" && tools !== undefined
        ? "json mode cannot be combined with tool/function calling"
        : undefined,
  },
  {
    rule: "a strict schema closes every object and requires every property",
    source: GROQ_OUTPUTS,
    date: "2026-06",
    check: ({ response_format }) => {
      const fault =
        response_format?.json_schema?.strict === true ? strictFault(response_format.json_schema.schema) : undefined;
      return fault === undefined ? undefined : `invalid JSON schema for response_format: 'out': ${fault}`;
    },
  },
];

/** Thoughts as `reasoning`, usage in `x_groq`. */
export const groqApi: Api = {
  path: /^\/openai\/v1\/chat\/completions$/,
  rules: groqRules,
  hear: hearChat(() => true),
  say: sayChat({
    thoughts: "reasoning",
    callId: (serial, at) => `fc_${serial}-${at}-4f3a-11ef`,
    calls: { whole: true },
    usage: "x_groq",
    usageOf: (counted) => ({ queue_time: 0.01, ...usualUsage(counted), total_time: 0.1 }),
    more: { system_fingerprint: "fp_1" },
  }),
  refuse: ({ message, status = 400 }) => json(status, { error: { message, type: "invalid_request_error" } }),
};

const CEREBRAS = "https://inference-docs.cerebras.ai/api-reference/chat-completions";
const CEREBRAS_FIELDS = names(
  "model messages max_tokens max_completion_tokens response_format seed stop stream stream_options temperature top_p tool_choice tools user logprobs top_logprobs reasoning_effort parallel_tool_calls reasoning_format clear_thinking disable_reasoning prediction service_tier queue_threshold",
);
const CEREBRAS_MESSAGE: Readonly<Record<string, ReadonlySet<string>>> = {
  ...GROQ_MESSAGE,
  assistant: names("role content name tool_calls reasoning"),
};
const UNSUPPORTED_IN_SCHEMAS = /^(pattern|format|minItems|maxItems)$/;
const wrongFormat = (path: string): Refusal => ({
  message: `${path}: property '${path}' is unsupported`,
  param: "validation_error",
  code: "wrong_api_format",
});

const cerebrasRules: readonly Rule[] = [
  {
    rule: "no field that is not described",
    source: CEREBRAS,
    date: "2026-06",
    check: (body) => {
      const unknown = unknownIn(body, CEREBRAS_FIELDS);
      return unknown === undefined ? undefined : wrongFormat(unknown);
    },
  },
  {
    rule: "no field of a message that is not described, reasoning_content among them",
    source: "https://github.com/QwenLM/qwen-code/issues/11045",
    date: "2026-09",
    check: ({ messages }) => {
      for (const [at, message] of messages.entries()) {
        const unknown = unknownIn(message, CEREBRAS_MESSAGE[message.role] ?? CEREBRAS_MESSAGE.user!);
        if (unknown !== undefined) return wrongFormat(`messages.${at}.${message.role}.${unknown}`);
      }
      return undefined;
    },
  },
  ...SHAPE,
  {
    rule: "all tools are strict or none is",
    source: "https://github.com/RooCodeInc/Roo-Code/issues/10334",
    date: "2025-12",
    check: ({ tools = [] }) =>
      new Set(tools.map(({ function: tool }: Json) => tool.strict === true)).size < 2
        ? undefined
        : {
            status: 422,
            message:
              "Tools with mixed values for 'strict' are not allowed. Please set all tools to 'strict: true' or 'strict: false'",
            param: "tools",
            code: "wrong_api_format",
          },
  },
  {
    rule: "contents are texts or texts in a list",
    source: CEREBRAS,
    date: "2026-06",
    check: ({ messages }) =>
      messages.some(({ content }: Json) => pictureParts(content).length > 0)
        ? { message: "Content type 'image_url' is not supported by this model", code: "wrong_api_format" }
        : undefined,
  },
  {
    rule: "efforts are low, medium and high",
    source: "https://inference-docs.cerebras.ai/capabilities/reasoning",
    date: "2026-06",
    check: ({ reasoning_effort: effort }) =>
      effort == null || /^(low|medium|high)$/.test(effort)
        ? undefined
        : { message: `reasoning_effort: Input should be 'low', 'medium' or 'high'`, code: "wrong_api_format" },
  },
  {
    rule: "a schema for the answer not beside tools",
    source: "https://inference-docs.cerebras.ai/capabilities/structured-outputs",
    date: "2026-06",
    check: ({ response_format, tools }) =>
      response_format !== undefined && tools !== undefined
        ? { message: '"tools" is incompatible with "response_format"', code: "wrong_api_format" }
        : undefined,
  },
  {
    rule: "a strict schema closes every object and has no constraints",
    source: "https://inference-docs.cerebras.ai/capabilities/structured-outputs",
    date: "2026-06",
    check: ({ response_format }) => {
      if (response_format?.json_schema?.strict !== true) return undefined;
      const text = JSON.stringify(response_format.json_schema.schema);
      const bad = [...text.matchAll(/"(\w+)":/g)]
        .map(([, name]) => name!)
        .find((name) => UNSUPPORTED_IN_SCHEMAS.test(name));
      const fault =
        bad === undefined
          ? strictFault(response_format.json_schema.schema)
          : `Unsupported JSON schema fields: {'${bad}'}`;
      return fault === undefined
        ? undefined
        : { message: `Invalid fields for schema: ${fault}`, param: "response_format", code: "wrong_api_format" };
    },
  },
];

/** Thoughts as `reasoning`, an empty `finish_reason` in each event, bodies compressed without a request for it. */
export const cerebrasApi: Api = {
  path: /^\/v1\/chat\/completions$/,
  rules: cerebrasRules,
  hear: hearChat(() => true),
  say: sayChat({
    thoughts: "reasoning",
    callId: (serial, at) => `${String(serial).padStart(6, "0")}${at}ab`,
    calls: { whole: true },
    usage: "last event",
    noReason: "",
    isPacked: true,
  }),
  refuse: (refusal) =>
    json(refusal.status ?? 400, {
      message: refusal.message,
      type: "invalid_request_error",
      param: refusal.param ?? "validation_error",
      code: refusal.code ?? "wrong_api_format",
    }),
};

const XAI = "https://docs.x.ai/docs/models";

const xaiRules: readonly Rule[] = [
  refusesFields(
    {
      rule: "a thinking model has no penalties and no stop sequences",
      source: "https://github.com/miaoxworld/NativeTavern/issues/83",
      date: "2026-09",
    },
    ["presence_penalty", "frequency_penalty", "stop"],
    (field) =>
      `Model grok-4 does not support parameter ${field.replace(/_(.)/g, (_all, letter: string) => letter.toUpperCase())}.`,
  ),
  refusesFields(
    {
      rule: "a model that always thinks has no effort",
      source: "https://github.com/NousResearch/hermes-agent/pull/23435",
      date: "2026-05",
    },
    ["reasoning_effort"],
    () => "Model grok-4-0709 does not support parameter reasoningEffort.",
  ),
  ...SHAPE,
  {
    rule: "each message has something in it",
    source: XAI,
    date: "2026-06",
    check: ({ messages }) => {
      const at = messages.findIndex(
        ({ role, content, tool_calls }: Json) =>
          (content === "" || (Array.isArray(content) && content.length === 0)) &&
          !(tool_calls?.length > 0) &&
          role !== "tool",
      );
      return at < 0 ? undefined : "Each message must have at least one content element.";
    },
  },
  {
    rule: "no constraint on lengths in schemas",
    source: "https://docs.x.ai/docs/guides/structured-outputs",
    date: "2026-06",
    check: ({ response_format }) => {
      const text = JSON.stringify(response_format?.json_schema?.schema ?? {});
      return /"(minLength|maxLength|minItems|maxItems|minContains|maxContains|allOf)":/.test(text)
        ? `Invalid schema: ${/"(minLength|maxLength|minItems|maxItems|allOf)"/.exec(text)?.[1]} is not supported`
        : undefined;
    },
  },
];

/** Thoughts counted in addition to the output tokens, calls in one piece, the finish reason absent until the end. */
export const xaiApi: Api = {
  path: /^\/v1\/chat\/completions$/,
  rules: xaiRules,
  hear: hearChat(() => true),
  say: sayChat({
    thoughts: "reasoning_content",
    callId: (serial, at) => `call_${String(serial * 10 + at).padStart(8, "0")}`,
    calls: { whole: true },
    usage: "last event",
    noReason: "absent",
    usageOf: ({ input, cached, output, reasoning }) => ({
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output + reasoning,
      prompt_tokens_details: { text_tokens: input, cached_tokens: cached },
      completion_tokens_details: { reasoning_tokens: reasoning },
    }),
  }),
  refuse: ({ message, status = 400 }) => json(status, { code: "Client specified an invalid argument", error: message }),
};
