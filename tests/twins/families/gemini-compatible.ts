import { sayChat } from "../chat/answer";
import { callsIn, names, SHAPE, unknownIn } from "../chat/checks";
import { hearChat } from "../chat/hear";
import { type Api, type Json, json, type Rule } from "../twin";
import { errorOf, PLACEHOLDERS, SIGNATURES, unknownName } from "./gemini";

const COMPATIBLE = "https://ai.google.dev/gemini-api/docs/openai";
const UNKNOWN_NAMES = "https://github.com/ed-donner/agents/issues/45";

const CHAT_FIELDS = names(
  "model messages max_tokens max_completion_tokens temperature top_p stop stream stream_options tools tool_choice reasoning_effort response_format n user extra_body modalities parallel_tool_calls",
);

const sealOf = (call: Json): string | undefined => call.extra_content?.google?.thought_signature;

const COMPATIBLE_RULES: readonly Rule[] = [
  ...SHAPE,
  {
    rule: "no field that is not described",
    source: UNKNOWN_NAMES,
    date: "2025-05",
    check: (body) => {
      const unknown = unknownIn(body, CHAT_FIELDS);
      return unknown === undefined ? undefined : unknownName(unknown, "");
    },
  },
  {
    rule: "the first call of each step of the running turn has its thought's signature",
    source: SIGNATURES,
    date: "2025-11",
    check: ({ messages }, memory) => {
      const start = messages.findLastIndex(({ role }: Json) => role === "user");
      const calls = callsIn(messages);
      const bare = calls.find(
        ({ call, at, message }) => at > start && call === message.tool_calls[0] && sealOf(call) === undefined,
      );
      if (bare !== undefined)
        return `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${bare.call.function.name}\` , position ${bare.at + 1}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`;
      const wrong = calls.find(
        ({ call }) =>
          sealOf(call) !== undefined && !memory.seals.has(sealOf(call)!) && !PLACEHOLDERS.has(sealOf(call)!),
      );
      return wrong === undefined ? undefined : "Thought signature is not valid.";
    },
  },
  {
    rule: "a call that the vendor has sealed comes back with that seal",
    ofGateway: true,
    source: SIGNATURES,
    date: "2025-11",
    check: ({ messages }, memory) => {
      const lost = callsIn(messages).find(
        ({ call }) => memory.calls.get(call.id) != null && sealOf(call) !== memory.calls.get(call.id),
      );
      return lost === undefined
        ? undefined
        : `Thought signature of ${lost.call.id} is not the one that was given with it.`;
    },
  },
  {
    rule: "efforts are minimal, low, medium and high",
    source: COMPATIBLE,
    date: "2026-06",
    check: ({ reasoning_effort: effort }) =>
      effort == null || /^(none|minimal|low|medium|high)$/.test(effort)
        ? effort === "none"
          ? "Thinking cannot be turned off for this model."
          : undefined
        : `Invalid reasoning_effort: ${effort}`,
  },
];

/** The OpenAI-compatible API of Gemini 3: errors in a list, signatures next to calls, calls in one piece, no index. */
export const geminiCompatible: Api = {
  path: /^\/v1beta\/openai\/chat\/completions$/,
  rules: COMPATIBLE_RULES,
  hear: hearChat(() => true),
  say: sayChat({
    thoughts: null,
    callId: (serial, at) => `function-call-${serial}${at}`,
    calls: { whole: true, index: "zero" },
    usage: "last event",
    besideCall: ({ serial, memory }, at, id) => {
      if (at > 0) return {};
      const seal = memory.seal(serial, id);
      memory.calls.set(id, seal);
      return { extra_content: { google: { thought_signature: seal } } };
    },
    usageOf: ({ input, output, reasoning }) => ({
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output + reasoning,
    }),
  }),
  tellsCached: false,
  refuse: (refusal) => json(refusal.status ?? 400, [errorOf(refusal)]),
};
