import { sayChat, usualUsage } from "../chat/answer";
import { callsIn, draftFault, keywordsOf, names, SHAPE } from "../chat/checks";
import { contentText, hearChat } from "../chat/hear";
import { type Api, type Json, json, type Rule } from "../twin";

const THINKING = "https://platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model";
const CREATE = "https://platform.moonshot.ai/docs/api/chat";

const thinks = ({ thinking }: Json) => thinking?.type !== "disabled";
const isForced = ({ tool_choice: choice }: Json) => choice === "required" || typeof choice === "object";

const RULES: readonly Rule[] = [
  {
    rule: "roles are system, user, assistant and tool",
    source: CREATE,
    date: "2026-06",
    check: ({ messages }) => {
      const bad = messages.find(({ role }: Json) => !names("system user assistant tool").has(role));
      return bad === undefined ? undefined : `Invalid request: unsupported role ${bad.role}`;
    },
  },
  ...SHAPE,
  {
    rule: "a message of the assistant is not empty",
    source: CREATE,
    date: "2026-06",
    check: ({ messages }) => {
      const at = messages.findIndex(
        ({ role, content, tool_calls }: Json) =>
          role === "assistant" && contentText(content) === "" && !(tool_calls?.length > 0),
      );
      return at < 0
        ? undefined
        : `Invalid request: the message at position ${at} with role 'assistant' must not be empty`;
    },
  },
  {
    rule: "while it thinks, the thought of a call comes back with it",
    source: "https://github.com/mastra-ai/mastra/issues/12592",
    date: "2026-02",
    check: (body) => {
      if (!thinks(body)) return undefined;
      const at = body.messages.findIndex(
        ({ role, tool_calls, reasoning_content }: Json) =>
          role === "assistant" && tool_calls?.length > 0 && reasoning_content == null,
      );
      return at < 0
        ? undefined
        : `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${at}`;
    },
  },
  {
    rule: "thinking or reasoning_effort, not both",
    source: "https://github.com/HKUDS/nanobot/issues/3939",
    date: "2026-05",
    check: ({ thinking, reasoning_effort }) =>
      thinking !== undefined && reasoning_effort !== undefined
        ? "cannot specify both 'thinking' and 'reasoning_effort'"
        : undefined,
  },
  {
    rule: "the temperature of a thinking model is its own",
    source: THINKING,
    date: "2026-02",
    check: (body) => {
      const only = thinks(body) ? 1 : 0.6;
      return body.temperature === undefined || body.temperature === null || body.temperature === only
        ? undefined
        : `invalid temperature: only ${only} is allowed for this model`;
    },
  },
  {
    rule: "top_p and penalties of the model are its own",
    source: THINKING,
    date: "2026-02",
    check: ({ top_p, presence_penalty, frequency_penalty }) => {
      if (top_p != null && top_p !== 0.95) return "invalid top_p: only 0.95 is allowed for this model";
      return (presence_penalty ?? 0) !== 0 || (frequency_penalty ?? 0) !== 0
        ? "invalid penalty: only 0 is allowed for this model"
        : undefined;
    },
  },
  {
    rule: "no tool is forced while it thinks",
    source: "https://platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model",
    date: "2026-06",
    check: (body) =>
      thinks(body) && isForced(body) ? "tool_choice 'required' is incompatible with thinking enabled" : undefined,
  },
  {
    rule: "the parameters of a tool are an object whose properties have types",
    source: "https://github.com/MoonshotAI/kimi-cli/pull/2030",
    date: "2026-04",
    check: ({ tools = [] }) => {
      for (const {
        function: { parameters },
      } of tools) {
        if (parameters === undefined) continue;
        if (parameters.type !== "object")
          return "Invalid request: tools.function.parameters is not a valid moonshot flavored json schema, details: <At path 'type': type must be object>";
        const draft = draftFault(parameters);
        if (draft !== undefined)
          return `Invalid request: tools.function.parameters is not a valid moonshot flavored json schema, details: <At path '${draft}'>`;
        const untyped = keywordsOf(parameters)
          .filter(({ keyword }) => keyword === "properties")
          .flatMap(({ value }) => Object.entries(value as Json))
          .find(([, schema]: Json) => !["type", "anyOf", "$ref"].some((name) => name in schema));
        if (untyped !== undefined)
          return `Invalid request: tools.function.parameters is not a valid moonshot flavored json schema, details: <At path 'properties.${untyped[0]}': type is not defined>`;
        const bad = keywordsOf(parameters).find(
          ({ keyword, schema }) => keyword === "anyOf" && schema.type !== undefined,
        );
        if (bad !== undefined)
          return `Invalid request: tools.function.parameters is not a valid moonshot flavored json schema, details: <At path '${bad.path}': when using anyOf, type should be defined in anyOf items instead of the parent schema>`;
      }
      return undefined;
    },
  },
  {
    rule: "ids of calls are not empty",
    source: CREATE,
    date: "2026-06",
    check: ({ messages }) =>
      callsIn(messages).some(({ call }) => !call.id) ? "Invalid request: tool_call_id is not found" : undefined,
  },
];

/** Usage in the choice of the last event, ids with a dot and a colon. */
export const moonshotApi: Api = {
  path: /^\/v1\/chat\/completions$/,
  rules: RULES,
  hear: hearChat(thinks),
  say: sayChat({
    thoughts: "reasoning_content",
    callId: (serial, at, name) => `functions.${name}:${serial * 10 + at}`,
    usage: "choice",
    usageOf: ({ cached, ...counted }) => ({ ...usualUsage({ ...counted, cached: 0 }), cached_tokens: cached }),
  }),
  refuse: ({ message, status = 400 }) => json(status, { error: { message, type: "invalid_request_error" } }),
};
