/**
 * One chat answer: the words w0 w1 …, each of one token.
 * @typedef {object} Work
 * @property {string} id
 * @property {string} model
 * @property {string[]} words
 * @property {number} promptTokens
 * @property {string} finishReason
 * @property {boolean} includeUsage
 * @property {unknown[] | null} toolCalls
 * @property {number} [count] number of items in an answer that is not text
 */

/** @param {string} id @param {Record<string, any>} body @param {number} length @param {number} tokens @returns {Work} */
export function workFor(id, body, length, tokens) {
  const ceiling = Math.min(body.max_completion_tokens ?? Infinity, body.max_tokens ?? Infinity);
  const count = Math.min(tokens, ceiling);
  const tool = body.tools?.[0]?.function;
  const calls = tool && body.tool_choice !== "none" && body.messages?.at(-1)?.role !== "tool";
  return {
    id,
    model: String(body.model ?? ""),
    words: Array.from({ length: count }, (_, index) => `${index === 0 ? "" : " "}w${index}`),
    // A request never has more tokens than bytes.
    promptTokens: Math.max(1, Math.ceil(length / 4)),
    finishReason: calls ? "tool_calls" : tokens > ceiling ? "length" : "stop",
    includeUsage: body.stream_options?.include_usage === true,
    toolCalls: calls
      ? [{ id: "call_1", type: "function", function: { name: tool.name, arguments: '{"city":"Paris"}' } }]
      : null,
  };
}

/** @param {Work} work @param {number} [completionTokens] */
export const usageOf = ({ promptTokens, words }, completionTokens = words.length) => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
  prompt_tokens_details: { cached_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0 },
});

/** @param {Work} work @param {object | undefined} usage */
export const wholeAnswer = (work, usage) => ({
  id: `chatcmpl-${work.id}`,
  object: "chat.completion",
  created: 1_790_000_000,
  model: work.model,
  choices: [
    {
      index: 0,
      message: work.toolCalls
        ? { role: "assistant", content: null, tool_calls: work.toolCalls }
        : { role: "assistant", content: work.words.join("") },
      logprobs: null,
      finish_reason: work.finishReason,
    },
  ],
  ...(usage === undefined ? {} : { usage }),
  // A field that no client library knows; it must still reach the client.
  x_supplier_note: { kept: true },
});

/** @param {Work} work @param {object[]} choices @param {object} [more] */
export const chunk = (work, choices, more = {}) => ({
  id: `chatcmpl-${work.id}`,
  object: "chat.completion.chunk",
  created: 1_790_000_000,
  model: work.model,
  choices,
  ...more,
});

/** @param {object} delta @param {string | null} [finish] */
export const choice = (delta, finish = null) => ({ index: 0, delta, logprobs: null, finish_reason: finish });
