import { fitIdentifier } from "../../../wire/identifiers";
import { sealThought } from "../../../wire/thoughts/sealed-thoughts";
import type { Json } from "./say";

/** A whole answer of one supplier. `isLostOnTheWayBack`: it differs after the client has sent its items back. */
type Given = { answer: Json; isLostOnTheWayBack?: true };

/** A supplier's answer, and the items without ids that a client of the responses dialect gets. */
export type AnswerCase = {
  name: string;
  ask?: object;
  chat?: Given;
  messages?: Given;
  gives: { status?: string; incomplete?: string; output: readonly Json[]; usage?: Json | null };
};

const USED = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, prompt_tokens_details: { cached_tokens: 4 } };
const MESSAGES_USED = { input_tokens: 6, cache_read_input_tokens: 4, output_tokens: 5 };

const chat = (message: object, finish_reason = "stop", usage: Json | null = USED): Given => ({
  answer: {
    ...{ id: "chatcmpl-1", object: "chat.completion", created: 1, model: "up" },
    choices: [{ index: 0, message: { role: "assistant", ...message }, logprobs: null, finish_reason }],
    ...(usage === null ? {} : { usage }),
  },
});
const messages = (content: readonly object[], stop_reason = "end_turn", usage: Json = MESSAGES_USED): Given => ({
  answer: {
    ...{ id: "msg_1", type: "message", role: "assistant", model: "up", content, stop_reason, stop_sequence: null },
    usage,
  },
});
const lost = (given: Given): Given => ({ ...given, isLostOnTheWayBack: true });

const text = (words: string) => ({ type: "text", text: words });
const thinking = (words: string, signature = "seal") => ({ type: "thinking", thinking: words, signature });
const use = (id: string, input: object, name = "look") => ({ type: "tool_use", id, name, input });
const chatCall = (id: string, given: unknown, name = "look") => ({
  ...{ id, type: "function", function: { name, arguments: given } },
});

const message = (words: string, more: object = {}): Json => ({
  ...{ type: "message", status: "completed", role: "assistant" },
  ...{ content: [{ type: "output_text", annotations: [], logprobs: [], text: words }], ...more },
});
const called = (call_id: string, given: string, more: object = {}): Json => ({
  ...{ type: "function_call", status: "completed", call_id, name: "look", arguments: given, ...more },
});
const reasoning = (words: string, encrypted_content?: string): Json => ({
  type: "reasoning",
  summary: words === "" ? [] : [{ type: "summary_text", text: words }],
  ...(encrypted_content === undefined ? {} : { encrypted_content }),
});
const CITED = { url: "https://a.example", title: "A", start_index: 0, end_index: 3 };
const PATCH = { tools: [{ type: "custom", name: "patch" }] };
const DOTTED = { tools: [{ type: "function", name: "files.read now", parameters: { type: "object" } }] };
const DOTTED_FIT = fitIdentifier("files.read now", 64);
const CHAT_SEAL = "gw:reasoning_content";

/** Whole answers of suppliers. The tests derive the streams from them, as the vendors document. */
export const ANSWER_CASES: readonly AnswerCase[] = [
  {
    name: "a text",
    chat: chat({ content: "Hello there" }),
    messages: messages([text("Hello there")]),
    gives: { output: [message("Hello there")] },
  },
  {
    name: "a text of many kinds of letters",
    chat: chat({ content: 'Zażółć 👩‍🚀 "\\\n\u2028' }),
    messages: messages([text('Zażółć 👩‍🚀 "\\\n\u2028')]),
    gives: { output: [message('Zażółć 👩‍🚀 "\\\n\u2028')] },
  },
  { name: "nothing", chat: chat({ content: "" }), messages: messages([]), gives: { output: [] } },
  { name: "nothing, not even a text", chat: chat({ content: null }), gives: { output: [] } },
  {
    name: "a text in two blocks, which are one message",
    messages: messages([text("Hello "), text("there")]),
    gives: { output: [message("Hello there")] },
  },
  {
    name: "a text with what it refers to",
    chat: chat({ content: "See there", annotations: [{ type: "url_citation", url_citation: CITED }] }),
    gives: {
      output: [
        message("", {
          content: [
            {
              ...{ type: "output_text", logprobs: [], text: "See there" },
              annotations: [{ type: "url_citation", ...CITED }],
            },
          ],
        }),
      ],
    },
  },
  {
    name: "a refusal in the model's own words",
    chat: chat({ content: null, refusal: "I will not." }),
    gives: { output: [message("", { content: [{ type: "refusal", refusal: "I will not." }] })] },
  },
  {
    name: "a text and then a refusal",
    chat: chat({ content: "Well.", refusal: "No." }),
    gives: { output: [message("Well."), message("", { content: [{ type: "refusal", refusal: "No." }] })] },
  },
  {
    name: "an answer that a filter has cut",
    chat: chat({ content: "I" }, "content_filter"),
    messages: messages([text("I")], "refusal"),
    gives: { status: "incomplete", incomplete: "content_filter", output: [message("I", { status: "incomplete" })] },
  },
  {
    name: "an answer that a filter has taken whole",
    chat: chat({ content: null }, "content_filter"),
    messages: messages([], "refusal"),
    gives: { status: "incomplete", incomplete: "content_filter", output: [] },
  },
  {
    name: "an answer that met its ceiling",
    chat: chat({ content: "Once upon" }, "length"),
    messages: messages([text("Once upon")], "max_tokens"),
    gives: {
      ...{ status: "incomplete", incomplete: "max_output_tokens" },
      output: [message("Once upon", { status: "incomplete" })],
    },
  },
  {
    name: "an answer that met the end of the model's window",
    messages: messages([text("Once upon")], "model_context_window_exceeded"),
    gives: {
      ...{ status: "incomplete", incomplete: "max_output_tokens" },
      output: [message("Once upon", { status: "incomplete" })],
    },
  },
  {
    name: "an answer that met its ceiling while the model thought",
    messages: messages([thinking("Hm", "")], "max_tokens"),
    gives: {
      ...{ status: "incomplete", incomplete: "max_output_tokens" },
      output: [reasoning("Hm")],
    },
  },
  {
    name: "an answer that met its ceiling behind one call and within another",
    chat: lost(chat({ content: null, tool_calls: [chatCall("c1", "{}"), chatCall("c2", '{"ci')] }, "length")),
    gives: {
      ...{ status: "incomplete", incomplete: "max_output_tokens" },
      output: [called("c1", "{}"), called("c2", '{"ci', { status: "incomplete" })],
    },
  },
  {
    name: "an answer that met a sequence, and one that goes on",
    messages: messages([text("1, 2")], "stop_sequence"),
    gives: { output: [message("1, 2")] },
  },
  {
    name: "an answer that its supplier has paused",
    messages: messages([text("1, 2")], "pause_turn"),
    gives: { output: [message("1, 2")] },
  },
  {
    name: "a call",
    chat: chat({ content: null, tool_calls: [chatCall("c1", '{"city":"Rome"}')] }, "tool_calls"),
    messages: messages([use("c1", { city: "Rome" })], "tool_use"),
    gives: { output: [called("c1", '{"city":"Rome"}')] },
  },
  {
    name: "a call that was demanded, which some suppliers end as if it were a text",
    chat: chat({ content: null, tool_calls: [chatCall("c1", "{}")] }, "stop"),
    gives: { output: [called("c1", "{}")] },
  },
  {
    name: "a call without arguments",
    chat: lost(chat({ content: null, tool_calls: [chatCall("c1", "")] }, "tool_calls")),
    messages: messages([use("c1", {})], "tool_use"),
    gives: { output: [called("c1", "{}")] },
  },
  {
    name: "a call whose arguments are an object",
    chat: lost(chat({ content: null, tool_calls: [chatCall("c1", { city: "Rome" })] }, "tool_calls")),
    gives: { output: [called("c1", '{"city":"Rome"}')] },
  },
  {
    name: "a text and two calls",
    chat: chat({ content: "Look", tool_calls: [chatCall("c1", "{}"), chatCall("c2", '{"a":[1]}')] }, "tool_calls"),
    messages: messages([text("Look"), use("c1", {}), use("c2", { a: [1] })], "tool_use"),
    gives: { output: [message("Look"), called("c1", "{}"), called("c2", '{"a":[1]}')] },
  },
  {
    name: "a call between two texts",
    messages: messages([text("Look"), use("c1", {}), text("Then")], "end_turn"),
    gives: { output: [message("Look"), called("c1", "{}"), message("Then")] },
  },
  {
    name: "a call of a custom tool",
    ask: PATCH,
    chat: chat({ content: null, tool_calls: [chatCall("c1", '{"input":"*** \\"x\\""}', "patch")] }, "tool_calls"),
    messages: messages([use("c1", { input: '*** "x"' }, "patch")], "tool_use"),
    gives: {
      output: [{ type: "custom_tool_call", status: "completed", call_id: "c1", name: "patch", input: '*** "x"' }],
    },
  },
  {
    name: "a call of a custom tool that does not keep to its one field",
    ask: PATCH,
    chat: lost(chat({ content: null, tool_calls: [chatCall("c1", '{"patch":"x"}', "patch")] }, "tool_calls")),
    messages: lost(messages([use("c1", { patch: "x" }, "patch")], "tool_use")),
    gives: {
      output: [{ type: "custom_tool_call", status: "completed", call_id: "c1", name: "patch", input: '{"patch":"x"}' }],
    },
  },
  {
    name: "a call by a name that was made fit for suppliers",
    ask: DOTTED,
    chat: chat({ content: null, tool_calls: [chatCall("c1", "{}", DOTTED_FIT)] }, "tool_calls"),
    messages: messages([use("c1", {}, DOTTED_FIT)], "tool_use"),
    gives: { output: [called("c1", "{}", { name: "files.read now" })] },
  },
  {
    name: "a thought and a text",
    chat: chat({ content: "Hello", reasoning_content: "Hm, hello?" }),
    gives: { output: [reasoning("Hm, hello?", sealThought("Hm, hello?", CHAT_SEAL)), message("Hello")] },
  },
  {
    name: "a thought by its other name",
    chat: chat({ content: "Hello", reasoning: "Hm" }),
    gives: { output: [reasoning("Hm", sealThought("Hm", "gw:reasoning")), message("Hello")] },
  },
  {
    name: "a thought as a part of the text",
    chat: lost(
      chat({
        content: [
          { type: "thinking", thinking: [text("H"), text("m")] },
          { type: "text", text: "Hello" },
        ],
      }),
    ),
    gives: { output: [reasoning("Hm"), message("Hello")] },
  },
  {
    name: "a sealed thought and a text",
    messages: messages([thinking("Hm, hello?"), text("Hello")]),
    gives: { output: [reasoning("Hm, hello?", sealThought("Hm, hello?", "seal")), message("Hello")] },
  },
  {
    name: "a sealed thought that is not shown",
    messages: messages([thinking(""), text("Hello")]),
    gives: { output: [reasoning("", sealThought("", "seal")), message("Hello")] },
  },
  {
    name: "a thought that is its seal alone",
    messages: messages([{ type: "redacted_thinking", data: "sealed" }, text("Hello")]),
    gives: { output: [reasoning("", sealThought("", "sealed", true)), message("Hello")] },
  },
  {
    name: "thoughts of both kinds before a call, and one between two calls",
    messages: messages(
      [
        ...[thinking("One", "a"), { type: "redacted_thinking", data: "b" }, use("c1", {})],
        ...[thinking("Two", "c"), use("c2", {})],
      ],
      "tool_use",
    ),
    gives: {
      output: [
        ...[reasoning("One", sealThought("One", "a")), reasoning("", sealThought("", "b", true)), called("c1", "{}")],
        ...[reasoning("Two", sealThought("Two", "c")), called("c2", "{}")],
      ],
    },
  },
  {
    name: "thoughts under one seal, which stay apart",
    messages: messages([thinking("One", "a"), thinking("Two", "a"), { type: "redacted_thinking", data: "a" }]),
    gives: {
      output: [
        ...[reasoning("One", sealThought("One", "a")), reasoning("Two", sealThought("Two", "a"))],
        reasoning("", sealThought("", "a", true)),
      ],
    },
  },
  {
    name: "a thought, a text and a call",
    chat: chat({ content: "Look", reasoning_content: "Hm", tool_calls: [chatCall("c1", "{}")] }, "tool_calls"),
    gives: { output: [reasoning("Hm", sealThought("Hm", CHAT_SEAL)), message("Look"), called("c1", "{}")] },
  },
  {
    name: "work of the supplier's own tools beside a text",
    messages: lost(
      messages([
        { type: "server_tool_use", id: "s1", name: "web_search", input: { query: "x" } },
        { type: "web_search_tool_result", tool_use_id: "s1", content: [] },
        text("Found"),
      ]),
    ),
    gives: { output: [message("Found")] },
  },
  {
    name: "usage with all its parts",
    chat: chat({ content: "Hi" }, "stop", {
      ...{ prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 },
      prompt_tokens_details: { cached_tokens: 40, cache_write_tokens: 20 },
      completion_tokens_details: { reasoning_tokens: 30 },
    }),
    messages: messages([text("Hi")], "end_turn", {
      ...{ input_tokens: 40, cache_read_input_tokens: 40, cache_creation_input_tokens: 20, output_tokens: 50 },
      output_tokens_details: { thinking_tokens: 30 },
    }),
    gives: {
      output: [message("Hi")],
      usage: {
        ...{ input_tokens: 100, output_tokens: 50, total_tokens: 150 },
        input_tokens_details: { cached_tokens: 40, cache_write_tokens: 20 },
        output_tokens_details: { reasoning_tokens: 30 },
      },
    },
  },
  {
    name: "usage that leaves thinking out of the completion",
    chat: chat({ content: "Hi" }, "stop", { prompt_tokens: 10, completion_tokens: 5, total_tokens: 45 }),
    gives: {
      output: [message("Hi")],
      usage: {
        ...{ input_tokens: 10, output_tokens: 35, total_tokens: 45 },
        input_tokens_details: { cached_tokens: 0 },
        output_tokens_details: { reasoning_tokens: 0 },
      },
    },
  },
  { name: "no usage", chat: chat({ content: "Hi" }, "stop", null), gives: { output: [message("Hi")], usage: null } },
];
