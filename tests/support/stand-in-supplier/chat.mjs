import { choice, chunk, usageOf, wholeAnswer, workFor } from "./answer.mjs";

/** @typedef {import("./stream.mjs").Piece} Piece */
/** @typedef {import("./answer.mjs").Work} Work */

/** The chat completions dialect. @type {import("./speak.mjs").Dialect} */
export const chat = {
  userOf: ({ user }) => user,
  workFor,
  whole: (work, usage) =>
    wholeAnswer(
      work,
      usage === null ? undefined : usageOf({ ...work, promptTokens: usage.promptTokens }, usage.completionTokens),
    ),
  get wire() {
    return chatWire;
  },
};

/** The pieces of a chat completion stream. @type {import("./stream.mjs").Wire} */
const chatWire = {
  opening: (work) => [event(chunk(work, [choice({ role: "assistant", content: "" })]))],
  content: contentOf,
  word: (work, text) => event(chunk(work, [choice({ content: text })])),
  finish: (work, usage) => [
    event(chunk(work, [choice({}, work.finishReason)])),
    ...(usage === null ? [] : [chatWire.usage(work, usage)]),
  ],
  usage: (work, { promptTokens, completionTokens }) =>
    event(chunk(work, [], { usage: usageOf({ ...work, promptTokens }, completionTokens) })),
  done: () => ({ bytes: Buffer.from("data: [DONE]\n\n"), tokens: 0 }),
  failed: event({ error: { message: "the engine failed", type: "server_error", code: "engine_failed" } }),
  broken: Buffer.from('data: {"choices":[{"del\n\n'),
};

/** @param {unknown} data @param {number} [tokens] @returns {Piece} */
function event(data, tokens = 0) {
  return { bytes: Buffer.from(`data: ${JSON.stringify(data)}\n\n`), tokens };
}

/** @param {Work} work @returns {Piece[]} */
function contentOf(work) {
  if (work.toolCalls === null) return work.words.map((word) => event(chunk(work, [choice({ content: word })]), 1));
  const [call] = /** @type {{ id: string, type: string, function: { name: string, arguments: string } }[]} */ (
    work.toolCalls
  );
  const { id, type } = call;
  const first = { index: 0, id, type, function: { name: call.function.name, arguments: "" } };
  const pieces = [call.function.arguments.slice(0, 5), call.function.arguments.slice(5)];
  const deltas = [first, ...pieces.map((text) => ({ index: 0, function: { arguments: text } }))];
  const each = Math.floor(work.words.length / deltas.length);
  return deltas.map((delta, index) =>
    event(chunk(work, [choice({ tool_calls: [delta] })]), index === 0 ? work.words.length - 2 * each : each),
  );
}
