import { sayChat, usualUsage } from "../chat/answer";
import { callsIn, names, SHAPE, unknownIn } from "../chat/checks";
import { hearChat, pictureParts } from "../chat/hear";
import { type Api, type Json, json, type Refusal, type Rule } from "../twin";

const CREATE = "https://docs.mistral.ai/api/#tag/chat/operation/chat_completion_v1_chat_completions_post";

const FIELDS = names(
  "model messages temperature top_p max_tokens stream stop random_seed metadata response_format tools tool_choice presence_penalty frequency_penalty n prediction parallel_tool_calls prompt_mode safe_prompt reasoning_effort guardrails prompt_cache_key",
);
const MESSAGE_FIELDS: Readonly<Record<string, ReadonlySet<string>>> = {
  system: names("role content"),
  user: names("role content"),
  assistant: names("role content tool_calls prefix"),
  tool: names("role content tool_call_id name"),
};

/** Returns the vendor's validation error for a location in the body. */
const extra = (loc: readonly (string | number)[]): Refusal => ({
  status: 422,
  message: JSON.stringify({
    detail: [{ type: "extra_forbidden", loc: ["body", ...loc], msg: "Extra inputs are not permitted", input: null }],
  }),
});

const order = (message: string): Refusal => ({ message, type: "invalid_request_message_order", code: "3230" });

const FOLLOWERS: Readonly<Record<string, ReadonlySet<string>>> = {
  system: names("system user assistant"),
  user: names("user assistant system"),
  assistant: names("user tool assistant"),
  tool: names("tool assistant"),
};

const RULES: readonly Rule[] = [
  {
    rule: "no field that is not described, also not in messages",
    source: CREATE,
    date: "2026-06",
    check: ({ stream_options: _taken, ...body }) => {
      const unknown = unknownIn(body, FIELDS);
      if (unknown !== undefined) return extra([unknown]);
      for (const [at, message] of body.messages.entries()) {
        const known = MESSAGE_FIELDS[message.role];
        if (known === undefined)
          return {
            status: 422,
            message: `Input tag '${message.role}' found using 'role' does not match any of the expected tags: 'assistant', 'system', 'tool', 'user'`,
          };
        const name = unknownIn(message, known);
        if (name !== undefined) return extra(["messages", at, message.role, name]);
      }
      return undefined;
    },
  },
  {
    rule: "a part of a content has its text and nothing else, and a list of tools is not empty",
    source: "https://github.com/partITech/php-mistral/issues/76",
    date: "2025-11",
    check: ({ messages, tools }) => {
      if (tools?.length === 0) return extra(["tools"]);
      for (const [at, { role, content }] of messages.entries()) {
        const parts: Json[] = Array.isArray(content) ? content : [];
        const index = parts.findIndex((part) => "cache_control" in part);
        if (index >= 0) return extra(["messages", at, role, "content", index, "cache_control"]);
      }
      return undefined;
    },
  },
  {
    rule: "behind results comes the assistant",
    source: "https://github.com/mistralai/mistral-common/blob/main/src/mistral_common/protocol/instruct/validator.py",
    date: "2026-06",
    check: ({ messages }) => {
      const at = messages.findIndex(
        ({ role }: Json, index: number) => index > 0 && !FOLLOWERS[messages[index - 1].role]?.has(role),
      );
      return at < 0 ? undefined : order(`Unexpected role '${messages[at].role}' after role '${messages[at - 1].role}'`);
    },
  },
  {
    rule: "last comes the user or a result, or a beginning of the answer that says so",
    source: "https://github.com/mistralai/mistral-common/blob/main/src/mistral_common/protocol/instruct/validator.py",
    date: "2026-06",
    check: ({ messages }) => {
      const last = messages.at(-1);
      return last.role === "user" || last.role === "tool" || last.prefix === true
        ? undefined
        : order(`Expected last role User or Tool (or Assistant with prefix True) for serving but got ${last.role}`);
    },
  },
  {
    rule: "ids of calls have nine letters and digits",
    source: "https://github.com/editor-code-assistant/eca/issues/233",
    date: "2025-12",
    check: ({ messages }) => {
      const ids = [
        ...callsIn(messages).map(({ call }) => call.id),
        ...messages.flatMap(({ tool_call_id: id }: Json) => (id === undefined ? [] : [id])),
      ];
      const bad = ids.find((id) => !/^[a-zA-Z0-9]{9}$/.test(id));
      return bad === undefined
        ? undefined
        : {
            message: `Tool call id was ${bad} but must be a-z, A-Z, 0-9, with a length of 9.`,
            type: "invalid_function_call",
            code: "3280",
          };
    },
  },
  {
    rule: "as many results as calls",
    source: "https://github.com/partITech/php-mistral/issues/57",
    date: "2025-08",
    check: ({ messages }) =>
      messages.filter(({ role }: Json) => role === "tool").length === callsIn(messages).length
        ? undefined
        : order("Not the same number of function calls and responses"),
  },
  ...SHAPE,
  {
    rule: "pictures stand in messages of the user",
    source: CREATE,
    date: "2026-06",
    check: ({ messages }) =>
      messages.some(({ role, content }: Json) => role !== "user" && pictureParts(content).length > 0)
        ? extra(["messages", 0, "content"])
        : undefined,
  },
  {
    rule: "efforts are none and high",
    source: "https://docs.mistral.ai/capabilities/reasoning/",
    date: "2026-06",
    check: ({ reasoning_effort: effort }) =>
      effort == null || effort === "none" || effort === "high"
        ? undefined
        : { status: 422, message: `reasoning_effort: Input should be 'none' or 'high'` },
  },
  {
    rule: "a tool is chosen by auto, none, any, required or its name",
    source: CREATE,
    date: "2026-06",
    check: ({ tool_choice: choice }) =>
      choice === undefined || typeof choice === "object" || names("auto none any required").has(choice)
        ? undefined
        : { status: 422, message: "tool_choice: Input should be 'auto', 'none', 'any' or 'required'" },
  },
  {
    rule: "a temperature is at most 1.5",
    source: CREATE,
    date: "2026-06",
    check: ({ temperature }) =>
      temperature > 1.5
        ? { status: 422, message: "temperature: Input should be less than or equal to 1.5" }
        : undefined,
  },
];

/** Thoughts in a list of parts, ids of nine characters, calls in one piece, usage always in the last event. */
export const mistralApi: Api = {
  path: /^\/v1\/chat\/completions$/,
  rules: RULES,
  hear: hearChat(({ reasoning_effort }) => reasoning_effort === "high"),
  say: sayChat({
    thoughts: "parts",
    callId: (serial, at) => `m${String(serial * 10 + at).padStart(8, "0")}`,
    calls: { whole: true },
    usage: "last event",
    usageOf: ({ cached: _untold, ...counted }) => {
      const { prompt_tokens, completion_tokens, total_tokens } = usualUsage({ cached: 0, ...counted });
      return { prompt_tokens, completion_tokens, total_tokens };
    },
  }),
  tellsCached: false,
  refuse: ({ message, status = 400, type = "invalid_request_error", code }) =>
    json(status, {
      object: "error",
      message: status === 422 && message.startsWith("{") ? JSON.parse(message) : message,
      type,
      param: null,
      code: code ?? null,
      raw_status_code: status,
    }),
};
