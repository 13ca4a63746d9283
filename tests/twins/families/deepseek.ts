import { sayChat } from "../chat/answer";
import { names, SHAPE } from "../chat/checks";
import { hearChat } from "../chat/hear";
import { type Api, type Json, json, type Rule } from "../twin";

const CREATE = "https://api-docs.deepseek.com/api/create-chat-completion";
const THINKING = "https://api-docs.deepseek.com/guides/thinking_mode";
const DESERIALIZE = "Failed to deserialize the JSON body into the target type";

/** V4 thinks unless the request disables it. */
const thinks = ({ thinking }: Json) => thinking?.type !== "disabled";
const isForced = ({ tool_choice: choice }: Json) => choice === "required" || typeof choice === "object";

const RULES: readonly Rule[] = [
  {
    rule: "roles are system, user, assistant and tool",
    source: "https://github.com/0xPlaygrounds/rig/issues/368",
    date: "2025-03",
    check: ({ messages }) => {
      const at = messages.findIndex(({ role }: Json) => !names("system user assistant tool").has(role));
      return at < 0
        ? undefined
        : {
            status: 422,
            message: `${DESERIALIZE}: messages[${at}].role: unknown variant \`${messages[at].role}\`, expected one of \`system\`, \`user\`, \`assistant\`, \`tool\` at line 1 column 100`,
          };
    },
  },
  {
    rule: "contents of the system, the model and of results are texts",
    source: "https://github.com/QwenLM/qwen-code/issues/2318",
    date: "2026-03",
    check: ({ messages }) => {
      const at = messages.findIndex(({ role, content }: Json) => role !== "user" && Array.isArray(content));
      return at < 0
        ? undefined
        : {
            status: 422,
            message: `${DESERIALIZE}: messages[${at}]: invalid type: sequence, expected a string at line 1 column 100`,
          };
    },
  },
  {
    rule: "no pictures",
    source: "https://github.com/browser-use/web-ui/issues/99",
    date: "2025-01",
    check: ({ messages }) => {
      const at = messages.findIndex(
        ({ content }: Json) => Array.isArray(content) && content.some(({ type }: Json) => type !== "text"),
      );
      return at < 0
        ? undefined
        : {
            status: 400,
            message: `${DESERIALIZE}: messages[${at}]: unknown variant \`image_url\`, expected \`text\` at line 1 column 100`,
          };
    },
  },
  ...SHAPE,
  {
    rule: "while it thinks, the thought of a call comes back with it",
    source: THINKING,
    date: "2026-04",
    check: (body) => {
      if (!thinks(body)) return undefined;
      const at = body.messages.findIndex(
        ({ role, tool_calls, reasoning_content }: Json) =>
          role === "assistant" && tool_calls?.length > 0 && reasoning_content == null,
      );
      return at < 0
        ? undefined
        : `Missing \`reasoning_content\` field in the assistant message at message index ${at}. For more information, please refer to ${THINKING}`;
    },
  },
  {
    rule: "no schema for the answer, only json_object",
    source: CREATE,
    date: "2026-06",
    check: ({ response_format }) =>
      response_format?.type === "json_schema" ? "This response_format type is unavailable now" : undefined,
  },
  {
    rule: "json_object only where the prompt speaks of json",
    source: "https://api-docs.deepseek.com/guides/json_mode",
    date: "2026-06",
    check: ({ response_format, messages }) =>
      response_format?.type === "json_object" && !/json/i.test(JSON.stringify(messages))
        ? "Prompt must contain the word 'json' in some form to use 'response_format' of type 'json_object'."
        : undefined,
  },
  {
    rule: "no tool is forced while it thinks",
    source: "https://api-docs.deepseek.com/guides/thinking_mode",
    date: "2026-06",
    check: (body) => (thinks(body) && isForced(body) ? "Thinking mode does not support this tool_choice" : undefined),
  },
  {
    rule: "efforts are high and max, others are read as one of them",
    source: THINKING,
    date: "2026-04",
    check: ({ reasoning_effort: effort }) =>
      effort == null || names("low medium high xhigh max").has(effort)
        ? undefined
        : {
            status: 422,
            message: `${DESERIALIZE}: reasoning_effort: unknown variant \`${effort}\`, expected one of \`low\`, \`medium\`, \`high\`, \`xhigh\`, \`max\``,
          },
  },
  {
    rule: "the most output is max_tokens",
    source: CREATE,
    date: "2026-06",
    check: ({ max_tokens }) =>
      max_tokens !== undefined && max_tokens < 1
        ? "Invalid max_tokens value, the valid range of max_tokens is [1, 393216]"
        : undefined,
  },
];

/** Comments as heartbeats, thoughts as `reasoning_content`, own field names for cached tokens. */
export const deepseekApi: Api = {
  path: /^\/v1\/chat\/completions$/,
  rules: RULES,
  hear: hearChat(thinks),
  say: sayChat({
    thoughts: "reasoning_content",
    callId: (serial, at) => `call_${String(at).padStart(2, "0")}_${serial}AbCdEf`,
    usage: "last event",
    comment: "keep-alive",
    usageOf: ({ input, cached, output, reasoning }) => ({
      prompt_tokens: input,
      completion_tokens: output + reasoning,
      total_tokens: input + output + reasoning,
      prompt_cache_hit_tokens: cached,
      prompt_cache_miss_tokens: input - cached,
      completion_tokens_details: { reasoning_tokens: reasoning },
    }),
  }),
  refuse: ({ message, status = 400 }) =>
    json(status, { error: { message, type: "invalid_request_error", param: null, code: "invalid_request_error" } }),
};
