/** @typedef {import("./stream.mjs").Piece} Piece */
/** @typedef {import("./stream.mjs").Usage} Usage */
/** @typedef {import("./answer.mjs").Work} Work */

/** The dialect of native agents: answers are always streams, and the terminal event contains the totals. @type {import("./speak.mjs").Dialect} */
export const native = {
  userOf: ({ user }) => user,
  workFor: (id, { model, max_output_tokens: ceiling }, length, tokens) => ({
    id,
    model: String(model ?? ""),
    words: Array.from(
      { length: Math.min(tokens, ceiling ?? tokens) },
      (_, index) => `${index === 0 ? "" : " "}w${index}`,
    ),
    promptTokens: Math.max(1, Math.ceil(length / 4)),
    finishReason: "stop",
    includeUsage: true,
    toolCalls: null,
  }),
  whole: (work, usage) => responseOf(work, "completed", usage),
  get wire() {
    return nativeWire;
  },
};

/** @type {import("./stream.mjs").Wire} */
const nativeWire = {
  opening: (work) => [
    event({ type: "response.created", response: responseOf(work, "in_progress", null) }),
    event({ type: "response.output_item.added", output_index: 0, item: { ...itemOf(work), content: [] } }),
    event({ type: "response.content_part.added", ...AT, part: { type: "output_text", text: "", annotations: [] } }),
  ],
  content: ({ words }) => words.map((delta) => event({ type: "response.output_text.delta", ...AT, delta }, 1)),
  word: (_work, delta) => event({ type: "response.output_text.delta", ...AT, delta }),
  finish: (work) => [event({ type: "response.output_item.done", output_index: 0, item: itemOf(work) })],
  usage: () => event({ type: "response.in_progress", response: {} }),
  done: (work, usage) => event({ type: "response.completed", response: responseOf(work, "completed", usage) }),
  failed: event({
    type: "response.failed",
    response: { status: "failed", error: { code: "server_error", message: "the engine failed" } },
  }),
  broken: Buffer.from('data: {"typ\n\n'),
};

const AT = { item_id: "msg_1", output_index: 0, content_index: 0 };

/** @param {Work} work */
const itemOf = ({ words }) => ({
  ...{ type: "message", id: "msg_1", role: "assistant", status: "completed" },
  content: [{ type: "output_text", text: words.join(""), annotations: [] }],
});

/** @param {Work} work @param {string} status @param {Usage | null} usage */
const responseOf = (work, status, usage) => ({
  ...{ id: `resp_${work.id}`, object: "response", created_at: 1_790_000_000, model: work.model, status },
  output: status === "completed" ? [itemOf(work)] : [],
  usage:
    usage === null
      ? null
      : {
          input_tokens: usage.promptTokens,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens: usage.completionTokens,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: usage.promptTokens + usage.completionTokens,
        },
});

/** @param {{ type: string }} data @param {number} [tokens] @returns {Piece} */
function event(data, tokens = 0) {
  return { bytes: Buffer.from(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`), tokens };
}
