import { sayChat, usualUsage } from "../chat/answer";
import { names, SHAPE } from "../chat/checks";
import { hearChat } from "../chat/hear";
import { type Api, type Json, json, type Rule } from "../twin";
import { PLACEHOLDERS } from "./gemini";

const REASONING = "https://openrouter.ai/docs/guides/best-practices/reasoning-tokens";

/** Returns the messages with calls in the current turn. */
const sealedCalls = (messages: readonly Json[]): { calls: Json[]; details: Json[] }[] =>
  messages
    .slice(messages.findLastIndex(({ role }) => role === "user") + 1)
    .filter(({ role, tool_calls: calls }) => role === "assistant" && calls?.length > 0)
    .map(({ tool_calls: calls, reasoning_details: details = [] }) => ({ calls, details }));

const RULES: readonly Rule[] = [
  ...SHAPE,
  {
    rule: "reasoning or reasoning_effort, not both",
    source: "https://github.com/danny-avila/LibreChat/issues/6076",
    date: "2025-02",
    check: ({ reasoning, reasoning_effort }) =>
      reasoning?.effort !== undefined && reasoning_effort !== undefined
        ? 'Only one of "reasoning" and "reasoning_effort" may be provided'
        : undefined,
  },
  {
    rule: "efforts that are known",
    source: REASONING,
    date: "2026-06",
    check: ({ reasoning_effort: effort, reasoning }) => {
      const asked = effort ?? reasoning?.effort;
      return asked == null || names("none minimal low medium high xhigh max").has(asked)
        ? undefined
        : `Invalid option: expected one of "xhigh"|"high"|"medium"|"low"|"minimal"|"none"`;
    },
  },
  {
    rule: "the details of a Gemini's thoughts come back with its calls in the running turn, or a placeholder",
    source: "https://github.com/LibreChat-AI/agents/issues/37",
    date: "2025-11",
    check: ({ messages }, memory) => {
      for (const { details } of sealedCalls(messages)) {
        if (!details.some(({ type }: Json) => type === "reasoning.encrypted"))
          return `Provider returned error: Gemini models require OpenRouter reasoning details to be preserved in each request. Please refer to our docs: ${REASONING}#preserving-reasoning-blocks.`;
        const foreign = details.find(
          ({ type, data, signature }: Json) =>
            (type === "reasoning.encrypted" && !memory.seals.has(data) && !PLACEHOLDERS.has(data)) ||
            (type === "reasoning.text" && signature != null),
        );
        if (foreign !== undefined) return "Provider returned error: Corrupted thought signature.";
      }
      return undefined;
    },
  },
  {
    rule: "a call that the vendor has sealed comes back with that seal",
    ofGateway: true,
    source: REASONING,
    date: "2026-06",
    check: ({ messages }, memory) =>
      sealedCalls(messages).some(
        ({ calls, details }) =>
          calls.some(({ id }: Json) => memory.calls.has(id)) &&
          !details.some(({ data }: Json) => memory.seals.has(data)),
      )
        ? "Provider returned error: the seal of a call is not the one that was given with it."
        : undefined,
  },
];

/** Comments as heartbeats, thoughts as `reasoning` and as details that must come back, large pictures in one event. */
export const openrouterApi: Api = {
  path: /^\/api\/v1\/chat\/completions$/,
  rules: RULES,
  hear: hearChat(
    ({ reasoning_effort, reasoning }) =>
      reasoning_effort !== "none" && reasoning?.effort !== "none" && reasoning?.enabled !== false,
  ),
  say: sayChat({
    thoughts: "reasoning",
    callId: (serial, at, name) => `tool_${at}_${name}_${serial}abcdefghijkl`,
    calls: { whole: true },
    comment: "OPENROUTER PROCESSING",
    usageOf: (counted) => ({ ...usualUsage(counted), cost: 0.0012, is_byok: false }),
    besideMessage: (said, { serial, memory }) => ({
      reasoning_details: [
        ...(said.thoughts.length === 0
          ? []
          : [{ type: "reasoning.text", text: said.thoughts.join(""), format: "google-gemini-v1", index: 0 }]),
        ...(said.calls.length === 0
          ? []
          : [
              {
                type: "reasoning.encrypted",
                data: memory.seal(serial, "a thought"),
                format: "google-gemini-v1",
                index: 0,
              },
            ]),
      ],
    }),
    pictures: (url) => ({ images: [{ type: "image_url", image_url: { url }, index: 0 }] }),
    more: { provider: "Google AI Studio" },
  }),
  refuse: ({ message, status = 400 }) => {
    const [, ofProvider] = /^Provider returned error: (.*)$/s.exec(message) ?? [];
    return json(status, {
      error:
        ofProvider === undefined
          ? { message, code: status }
          : {
              message: "Provider returned error",
              code: status,
              metadata: { raw: ofProvider, provider_name: "Google AI Studio" },
            },
      user_id: "user_1",
    });
  },
};
