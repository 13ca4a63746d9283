import { choice, chunk, usageOf } from "./answer.mjs";

/**
 * A piece of a stream: bytes, how many tokens they carry, and what to do behind them.
 * @typedef {{ bytes: Buffer, tokens: number, waitMs?: number, after?: "reset" | "cut" | "end" | "silence" }} Piece
 */

const DONE = Buffer.from("data: [DONE]\n\n");
/** @param {unknown} data @param {number} [tokens] @returns {Piece} */
const event = (data, tokens = 0) => ({ bytes: Buffer.from(`data: ${JSON.stringify(data)}\n\n`), tokens });
const done = () => ({ bytes: DONE, tokens: 0 });
const failed = event({ error: { message: "the engine failed", type: "server_error", code: "engine_failed" } });

/** The pieces of a streamed answer, with the fault worked into them. @param {import("./answer.mjs").Work} work @param {string} fault @param {string} argument @returns {Piece[]} */
export function piecesFor(work, fault, argument) {
  const usage = event(chunk(work, [], { usage: usageOf(work) }));
  const usages = work.includeUsage ? [usage] : [];
  const role = event(chunk(work, [choice({ role: "assistant", content: "" })]));
  const words = contentOf(work);
  const finish = event(chunk(work, [choice({}, work.finishReason)]));
  const good = [role, ...words, finish, ...usages, done()];
  const half = [role, ...words.slice(0, Math.max(1, words.length >> 1))];
  switch (fault) {
    case "error-first":
      return [failed];
    case "error-mid":
      return [...half, failed];
    case "no-content":
      return [role, { bytes: Buffer.alloc(0), tokens: 0, after: "end" }];
    case "fin":
      return [...half, ending("end")];
    case "cut":
      return [...half, ending("cut")];
    case "reset":
      return argument === "" ? [...half, ending("reset")] : resetAt(good, Number(argument));
    case "silence":
      return [ending("silence")];
    case "silence-mid":
      return [...half, ending("silence")];
    case "no-usage":
      return [role, ...words, finish, done()];
    case "usage-twice":
      return [role, ...words, finish, usage, usage, done()];
    case "usage-early":
      return [role, usage, ...words.slice(0, 1), ending("reset")];
    case "insane-negative":
      return [
        role,
        ...words,
        finish,
        event(chunk(work, [], { usage: { ...usageOf(work), prompt_tokens: -5 } })),
        done(),
      ];
    case "insane-large":
      return [role, ...words, finish, event(chunk(work, [], { usage: usageOf(work, 2_000_000_000) })), done()];
    case "done-twice":
      return [...good, done()];
    case "data-after-done":
      return [...good, event(chunk(work, [choice({ content: "too late" })]), 0)];
    case "finish-without-done":
      return [role, ...words, finish, ...usages];
    case "malformed":
      return [...half, { bytes: Buffer.from('data: {"choices":[{"del\n\n'), tokens: 0 }, ...words, done()];
    case "many":
      return [role, ...many(work, Number(argument || 20_000)), finish, ...usages, done()];
    case "long-line":
      return [role, longLine(work, Number(argument || 4 * 1024 * 1024)), finish, ...usages, done()];
    case "drip":
      return good.map((piece) => ({ ...piece, waitMs: Number(argument || 50) }));
    default:
      return reshaped(good, work, fault, argument);
  }
}

/** Faults that change the bytes and not the meaning. @param {Piece[]} good @param {import("./answer.mjs").Work} work @param {string} fault @param {string} argument @returns {Piece[]} */
function reshaped(good, work, fault, argument) {
  switch (fault) {
    case "newlines":
      return good.map((piece, index) => ({ ...piece, bytes: withNewlines(piece.bytes, argument, index) }));
    case "slices":
      return good.flatMap(({ bytes, tokens }) =>
        Array.from(bytes, (_, at) => ({
          bytes: bytes.subarray(at, at + 1),
          tokens: at === bytes.length - 1 ? tokens : 0,
        })),
      );
    case "split-utf8": {
      const snow = event(chunk(work, [choice({ content: " ☃🌨é" })]), 0).bytes;
      const cut = snow.indexOf(Buffer.from("🌨")) + 2;
      return [
        ...good.slice(0, 2),
        { bytes: snow.subarray(0, cut), tokens: 0 },
        { bytes: snow.subarray(cut), tokens: 0, waitMs: 5 },
        ...good.slice(2),
      ];
    }
    case "comments":
      return good.flatMap((piece) => [{ bytes: Buffer.from(": ping\n\n"), tokens: 0 }, piece]);
    default:
      return good;
  }
}

/** @param {"reset" | "cut" | "end" | "silence"} after @returns {Piece} */
const ending = (after) => ({ bytes: Buffer.alloc(0), tokens: 0, after });

/** @param {import("./answer.mjs").Work} work @returns {Piece[]} */
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

/** @param {Piece[]} pieces @param {number} at @returns {Piece[]} */
function resetAt(pieces, at) {
  /** @type {Piece[]} */
  const kept = [];
  let left = at;
  for (const piece of pieces) {
    if (piece.bytes.length >= left) {
      kept.push({
        bytes: piece.bytes.subarray(0, left),
        tokens: piece.bytes.length === left ? piece.tokens : 0,
        after: "reset",
      });
      return kept;
    }
    kept.push(piece);
    left -= piece.bytes.length;
  }
  return [...kept, ending("reset")];
}

/** @param {Buffer} bytes @param {string} kind @param {number} index */
function withNewlines(bytes, kind, index) {
  const endings = { crlf: "\r\n", cr: "\r", lf: "\n" };
  const chosen =
    kind === "mixed" || kind === "" ? Object.values(endings)[index % 3] : endings[/** @type {"crlf"} */ (kind)];
  return Buffer.from(bytes.toString().replaceAll("\n", chosen ?? "\n"));
}

/** Tiny events in batches, so that a million of them are possible. @param {import("./answer.mjs").Work} work @param {number} count @returns {Piece[]} */
function many(work, count) {
  const one = event(chunk(work, [choice({ content: "x" })]), 0).bytes;
  const batch = Buffer.concat(Array.from({ length: 100 }, () => one));
  return Array.from({ length: Math.ceil(count / 100) }, () => ({ bytes: batch, tokens: 0 }));
}

/** @param {import("./answer.mjs").Work} work @param {number} bytes @returns {Piece} */
const longLine = (work, bytes) => event(chunk(work, [choice({ content: "y".repeat(bytes) })]), 0);
