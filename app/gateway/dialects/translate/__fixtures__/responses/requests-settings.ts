import { createHash } from "node:crypto";
import { CHAT_LOOK, JUST_HI, LOOK, MESSAGES_LOOK, type RequestCase, type Sent, turn, user } from "./say";

const CHAT = { messages: [user("hi")] };
const MESSAGES = { messages: [turn("hi")] };
const THINKING = { thinking: { type: "adaptive", display: "summarized" } };
const SCHEMA = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const LONG_NAME = "u".repeat(300);

const both = (name: string, ask: object, chat: object, messages: object): RequestCase => ({
  ...{ name, ask },
  chat: { sends: { ...CHAT, ...chat } },
  messages: { sends: { ...MESSAGES, ...messages } },
});

const nothing = (name: string, ask: object, drops: readonly string[] = []): RequestCase => ({
  ...{ name, ask },
  chat: { sends: JUST_HI.chat, drops },
  messages: { sends: JUST_HI.messages, drops },
});

const refused = (name: string, ask: object, refuses: string): RequestCase => ({
  ...{ name, ask, chat: { refuses }, messages: { refuses } },
});

/** A case for a given model of the chat dialect, for fields that depend on whether the model thinks. */
const thinker = (name: string, ask: object, { model = "gpt-5", chat, messages }: Omit<RequestCase, "name" | "ask">) =>
  ({ name: `${name}, for ${model}`, ask, model, chat, messages }) satisfies RequestCase;

const thought = (effort: string): Sent => ({ sends: { ...MESSAGES, ...THINKING, output_config: { effort } } });

/** Fields besides the input and the tools. */
export const SETTING_CASES: readonly RequestCase[] = [
  both("a ceiling", { max_output_tokens: 99 }, { max_tokens: 99 }, { max_tokens: 99 }),
  {
    name: "a ceiling, by the name that the catalogue has for it",
    ask: { max_output_tokens: 99 },
    outputField: "max_completion_tokens",
    chat: { sends: { ...CHAT, max_completion_tokens: 99 } },
    messages: { sends: { ...MESSAGES, max_tokens: 99 } },
  },
  both(
    "sampling",
    { temperature: 0.4, top_p: 0.5 },
    { temperature: 0.4, top_p: 0.5 },
    { temperature: 0.4, top_p: 0.5 },
  ),
  both("no chance at all", { temperature: 0, top_p: 0 }, { temperature: 0, top_p: 0 }, { temperature: 0, top_p: 0 }),
  both("sampling as it is anyway", { temperature: 1, top_p: 1 }, { temperature: 1, top_p: 1 }, {}),
  {
    name: "more chance than one dialect has",
    ask: { temperature: 1.5 },
    chat: { sends: { ...CHAT, temperature: 1.5 } },
    messages: { sends: MESSAGES, drops: ["temperature"] },
  },
  both("the client's own user", { user: "u1" }, { user: "u1" }, { metadata: { user_id: "u1" } }),
  both(
    "the client's own user by the newer name",
    { safety_identifier: "u2", user: "u1" },
    { user: "u2" },
    { metadata: { user_id: "u2" } },
  ),
  both(
    "a long name of the client's own user",
    { safety_identifier: LONG_NAME },
    { user: createHash("sha256").update(LONG_NAME).digest("hex") },
    { metadata: { user_id: createHash("sha256").update(LONG_NAME).digest("hex") } },
  ),
  both("a stream", { stream: true }, { stream: true, stream_options: { include_usage: true } }, { stream: true }),
  both(
    "a stream without padding",
    { stream: true, stream_options: { include_obfuscation: false } },
    { stream: true, stream_options: { include_usage: true } },
    { stream: true },
  ),
  ...["low", "medium", "high"].map((effort) =>
    thinker(
      `the effort ${effort}`,
      { reasoning: { effort } },
      {
        chat: { sends: { ...CHAT, reasoning_effort: effort } },
        messages: thought(effort),
      },
    ),
  ),
  thinker(
    "the least effort",
    { reasoning: { effort: "minimal" } },
    { chat: { sends: { ...CHAT, reasoning_effort: "minimal" } }, messages: thought("low") },
  ),
  thinker(
    "the most effort",
    { reasoning: { effort: "xhigh", summary: "detailed" } },
    { chat: { sends: { ...CHAT, reasoning_effort: "high" } }, messages: thought("xhigh") },
  ),
  {
    name: "an effort, for a model that does not think",
    ask: { reasoning: { effort: "low" } },
    chat: { sends: CHAT, drops: ["reasoning.effort"] },
    messages: thought("low"),
  },
  thinker(
    "not to think",
    { reasoning: { effort: "none" } },
    {
      model: "gpt-5.2",
      chat: { sends: { ...CHAT, reasoning_effort: "none" } },
      messages: { sends: { ...MESSAGES, thinking: { type: "disabled" } } },
    },
  ),
  thinker(
    "not to think, where that is impossible",
    { reasoning: { effort: "none" } },
    {
      model: "o3",
      chat: { sends: CHAT, drops: ["reasoning.effort"] },
      messages: { sends: { ...MESSAGES, thinking: { type: "disabled" } } },
    },
  ),
  {
    name: "not to think, for a model that does not think",
    ask: { reasoning: { effort: "none" } },
    chat: { sends: CHAT },
    messages: { sends: { ...MESSAGES, thinking: { type: "disabled" } } },
  },
  nothing("a summary of thoughts alone", { reasoning: { summary: "auto" } }),
  {
    name: "an effort beside a tool that must be called",
    ask: { reasoning: { effort: "high" }, tools: [LOOK], tool_choice: "required" },
    chat: {
      sends: { ...CHAT, tools: [CHAT_LOOK], tool_choice: "required" },
      drops: ["reasoning.effort"],
    },
    messages: {
      sends: {
        ...{ ...MESSAGES, tools: [MESSAGES_LOOK], tool_choice: { type: "any" } },
        output_config: { effort: "high" },
      },
    },
  },
  {
    name: "an effort beside sampling, which one dialect's models refuse",
    ask: { reasoning: { effort: "high" }, temperature: 0.4, top_p: 0.5 },
    chat: { sends: { ...CHAT, temperature: 0.4, top_p: 0.5 }, drops: ["reasoning.effort"] },
    messages: {
      sends: { ...MESSAGES, ...THINKING, output_config: { effort: "high" } },
      drops: ["temperature", "top_p"],
    },
  },
  {
    name: "an effort beside sampling that nobody refuses",
    ask: { reasoning: { effort: "high" }, temperature: 1, top_p: 0.98 },
    chat: { sends: { ...CHAT, temperature: 1, top_p: 0.98 }, drops: ["reasoning.effort"] },
    messages: { sends: { ...MESSAGES, ...THINKING, output_config: { effort: "high" }, top_p: 0.98 } },
  },
  nothing("an answer as text", { text: { format: { type: "text" } } }),
  {
    name: "an answer by a schema",
    ask: { text: { format: { type: "json_schema", name: "a", description: "Where", schema: SCHEMA, strict: true } } },
    chat: {
      sends: {
        ...CHAT,
        response_format: {
          type: "json_schema",
          json_schema: { name: "a", description: "Where", schema: SCHEMA, strict: true },
        },
      },
    },
    messages: {
      sends: {
        ...MESSAGES,
        output_config: { format: { type: "json_schema", schema: { ...SCHEMA, additionalProperties: false } } },
      },
    },
  },
  {
    name: "an answer by a schema, with an effort",
    ask: { reasoning: { effort: "low" }, text: { format: { type: "json_schema", name: "a", schema: SCHEMA } } },
    chat: {
      sends: { ...CHAT, response_format: { type: "json_schema", json_schema: { name: "a", schema: SCHEMA } } },
      drops: ["reasoning.effort"],
    },
    messages: {
      sends: {
        ...{ ...MESSAGES, ...THINKING },
        output_config: {
          effort: "low",
          format: { type: "json_schema", schema: { ...SCHEMA, additionalProperties: false } },
        },
      },
    },
  },
  refused("an answer by a grammar", { text: { format: { type: "grammar", definition: "x" } } }, "text.format.type"),
  nothing("words as many as usual", { text: { verbosity: "medium" } }),
  nothing("few words, for a model that does not think", { text: { verbosity: "low" } }, ["text.verbosity"]),
  thinker(
    "few words",
    { text: { verbosity: "low" } },
    {
      chat: { sends: { ...CHAT, verbosity: "low" } },
      messages: { sends: MESSAGES, drops: ["text.verbosity"] },
    },
  ),
  {
    name: "penalties",
    ask: { frequency_penalty: 0.5, presence_penalty: -0.5 },
    chat: { sends: { ...CHAT, frequency_penalty: 0.5, presence_penalty: -0.5 } },
    messages: { sends: MESSAGES, drops: ["frequency_penalty", "presence_penalty"] },
  },
  thinker(
    "penalties",
    { frequency_penalty: 0.5, presence_penalty: 0 },
    {
      chat: { sends: CHAT, drops: ["frequency_penalty"] },
      messages: { sends: MESSAGES, drops: ["frequency_penalty"] },
    },
  ),
  nothing("truncation that does not happen", { truncation: "disabled" }),
  nothing("truncation", { truncation: "auto" }, ["truncation"]),
  nothing("a ceiling for the supplier's own tools", { max_tool_calls: 3 }, ["max_tool_calls"]),
  nothing("a conversation that is to be shortened", { context_management: [{ type: "compaction" }] }, [
    "context_management",
  ]),
  nothing("what is kept, and what goes with it", { store: true, metadata: { team: "a" }, client_metadata: { a: "b" } }),
  nothing("hints for the cache", { prompt_cache_key: "k", prompt_cache_retention: "24h" }),
  nothing("more parts of an answer", {
    include: ["reasoning.encrypted_content", "file_search_call.results", "message.input_image.image_url"],
  }),
  nothing("fields of gw's own", { region: "eu", metadata: { session_id: "s" } }),
  ...["auto", "default"].map((service_tier) => nothing(`the tier ${service_tier}`, { service_tier })),
  nothing("fields that say nothing", {
    ...{ background: false, conversation: null, instructions: null, max_output_tokens: null, metadata: null },
    ...{
      parallel_tool_calls: null,
      previous_response_id: null,
      prompt: null,
      reasoning: null,
      safety_identifier: null,
    },
    ...{ service_tier: null, store: null, temperature: null, text: null, tool_choice: null, tools: null, top_p: null },
    ...{ top_logprobs: 0, truncation: null, user: null, include: null, max_tool_calls: null, stream_options: null },
  }),
  refused("a cheaper tier", { service_tier: "flex" }, "service_tier"),
  refused("probabilities", { top_logprobs: 2 }, "top_logprobs"),
  refused("probabilities by another name", { include: ["message.output_text.logprobs"] }, "include"),
  refused("a field that nobody knows", { odd: 1 }, "odd"),
];
