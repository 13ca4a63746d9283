/** @typedef {import("./stream.mjs").Piece} Piece */
/** @typedef {import("./answer.mjs").Work} Work */
/** @typedef {import("./stream.mjs").Usage} Usage */

/** The pieces of a messages stream. @type {import("./stream.mjs").Wire} */
export const messagesWire = {
  opening: (work) => {
    const { promptTokens } = work;
    const message = { ...headOf(work), content: [], stop_reason: null, stop_sequence: null };
    const usage = usageOf({ promptTokens, completionTokens: 1 });
    return [
      event({ type: "message_start", message: { ...message, usage } }),
      event({ type: "ping" }),
      event({ type: "content_block_start", index: 0, content_block: startOf(work) }),
    ];
  },
  content: (work) =>
    work.toolCalls === null
      ? work.words.map((word) => delta({ type: "text_delta", text: word }, 1))
      : piecesOf(callOf(work).arguments).map((text, index, all) =>
          delta({ type: "input_json_delta", partial_json: text }, sharesOf(work.words.length, all.length)[index]),
        ),
  word: (_work, text) => delta({ type: "text_delta", text }),
  finish: (work, usage) => [
    event({ type: "content_block_stop", index: 0 }),
    event({
      type: "message_delta",
      delta: { stop_reason: stopOf(work), stop_sequence: null },
      ...(usage === null ? {} : { usage: usageOf(usage) }),
    }),
  ],
  usage: (_work, usage) => event({ type: "message_delta", delta: { stop_reason: null }, usage: usageOf(usage) }),
  done: () => event({ type: "message_stop" }),
  failed: event({ type: "error", error: { type: "overloaded_error", message: "the engine failed" } }),
  broken: Buffer.from('event: content_block_delta\ndata: {"type":"content_bl\n\n'),
};

/** @param {Work} work */
export const headOf = ({ id, model }) => ({ id: `msg_${id}`, type: "message", role: "assistant", model });

/** @param {Usage} usage */
export const usageOf = ({ promptTokens, completionTokens }) => ({
  input_tokens: promptTokens,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: completionTokens,
});

/** @param {Work} work */
export function stopOf({ finishReason }) {
  if (finishReason === "tool_calls") return "tool_use";
  return finishReason === "length" ? "max_tokens" : "end_turn";
}

/** @param {Work} work @returns {{ name: string, arguments: string }} */
export function callOf({ toolCalls }) {
  const [call] = /** @type {{ function: { name: string, arguments: string } }[]} */ (toolCalls);
  return call.function;
}

/** @param {Work} work */
function startOf(work) {
  if (work.toolCalls === null) return { type: "text", text: "" };
  return { type: "tool_use", id: "toolu_1", name: callOf(work).name, input: {} };
}

/** @param {string} text */
const piecesOf = (text) => [text.slice(0, 5), text.slice(5)];

/** @param {number} tokens @param {number} pieces */
const sharesOf = (tokens, pieces) =>
  Array.from({ length: pieces }, (_, index) => Math.floor(tokens / pieces) + (index < tokens % pieces ? 1 : 0));

/** @param {{ type: string }} data @param {number} [tokens] @returns {Piece} */
function event(data, tokens = 0) {
  return { bytes: Buffer.from(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`), tokens };
}

/** @param {object} piece @param {number} [tokens] */
function delta(piece, tokens) {
  return event(/** @type {{ type: string }} */ ({ type: "content_block_delta", index: 0, delta: piece }), tokens);
}
