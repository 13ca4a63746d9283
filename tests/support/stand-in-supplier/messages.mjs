import { workFor } from "./answer.mjs";
import { callOf, headOf, messagesWire, stopOf, usageOf } from "./messages-wire.mjs";

/** The messages dialect. @type {import("./speak.mjs").Dialect} */
export const messages = {
  userOf: ({ metadata }) => metadata?.user_id,
  workFor: (id, body, length, tokens) => workFor(id, asChat(body), length, tokens),
  whole: (work, usage) => ({
    ...headOf(work),
    content:
      work.toolCalls === null
        ? [{ type: "text", text: work.words.join("") }]
        : [{ type: "tool_use", id: "toolu_1", name: callOf(work).name, input: JSON.parse(callOf(work).arguments) }],
    stop_reason: stopOf(work),
    stop_sequence: null,
    ...(usage === null ? {} : { usage: usageOf(usage) }),
    // A field that no client library knows; it must still reach the client.
    x_supplier_note: { kept: true },
  }),
  wire: messagesWire,
};

/** Converts the fields of a body that determine the work. @param {Record<string, any>} body */
function asChat({ model, max_tokens, tools, tool_choice, messages }) {
  const last = messages?.at(-1)?.content;
  const isResult = Array.isArray(last) && last.some(({ type }) => type === "tool_result");
  return {
    model,
    max_tokens,
    tools: tools?.map((/** @type {object} */ tool) => ({ function: tool })),
    tool_choice: tool_choice?.type,
    messages: [{ role: isResult ? "tool" : "user" }],
    stream_options: { include_usage: true },
  };
}
