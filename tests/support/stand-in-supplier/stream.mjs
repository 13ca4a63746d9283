/**
 * A piece of a stream: bytes, their number of tokens, and an action after them.
 * @typedef {{ bytes: Buffer, tokens: number, waitMs?: number, after?: "reset" | "cut" | "end" | "silence" }} Piece
 */

/**
 * The pieces of a dialect's stream: opening, words or tool calls, the end with its totals, the terminal event.
 * @typedef {object} Wire
 * @property {(work: Work) => Piece[]} opening
 * @property {(work: Work) => Piece[]} content
 * @property {(work: Work, text: string) => Piece} word a word that counts as no token
 * @property {(work: Work, usage: Usage | null) => Piece[]} finish the end of the content, with or without usage
 * @property {(work: Work, usage: Usage) => Piece} usage a repeated usage event
 * @property {(work: Work, usage: Usage | null) => Piece} done the terminal event
 * @property {Piece} failed
 * @property {Buffer} broken an event that is cut inside its JSON
 */
/** @typedef {import("./answer.mjs").Work} Work */
/** @typedef {{ promptTokens: number, completionTokens: number }} Usage */

/** Returns the whole answer as one word. @param {Wire} wire @param {Work} work @param {number} length @returns {Piece} */
const longWord = (wire, work, length) => ({ ...wire.word(work, "y".repeat(length)), tokens: work.words.length });

/** Returns the pieces of a streamed answer with its fault. @param {Wire} wire @param {Work} work @param {string} fault @param {string} argument @returns {Piece[]} */
export function piecesFor(wire, work, fault, argument) {
  const counts = { promptTokens: work.promptTokens, completionTokens: work.words.length };
  const opening = wire.opening(work);
  const words = wire.content(work);
  const finish = wire.finish(work, work.includeUsage ? counts : null);
  const done = wire.done(work, work.includeUsage ? counts : null);
  const good = [...opening, ...words, ...finish, done];
  const half = [...opening, ...words.slice(0, Math.max(1, words.length >> 1))];
  /** @param {Usage} told */
  const ended = (told) => [...opening, ...words, ...wire.finish(work, told), wire.done(work, told)];
  switch (fault) {
    case "error-first":
      return [wire.failed];
    case "error-mid":
      return [...half, wire.failed];
    case "no-content":
      return [...opening, { bytes: Buffer.alloc(0), tokens: 0, after: "end" }];
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
      return [...opening, ...words, ...wire.finish(work, null), wire.done(work, null)];
    case "usage-twice":
      return [...opening, ...words, ...wire.finish(work, counts), wire.usage(work, counts), done];
    case "usage-early":
      return [...opening, wire.usage(work, counts), ...words.slice(0, 1), ending("reset")];
    case "insane-negative":
      return ended({ ...counts, promptTokens: -5 });
    case "insane-large":
      return ended({ ...counts, completionTokens: 2_000_000_000 });
    case "done-twice":
      return [...good, done];
    case "data-after-done":
      return [...good, wire.word(work, "too late")];
    case "finish-without-done":
      return [...opening, ...words, ...finish];
    case "malformed":
      return [...half, { bytes: wire.broken, tokens: 0 }, ...words, done];
    case "many":
      return [...opening, ...many(wire, work, Number(argument || 20_000)), ...finish, done];
    case "long-line":
      return [...opening, longWord(wire, work, Number(argument || 4 * 1024 * 1024)), ...finish, done];
    case "drip":
      return good.map((piece) => ({ ...piece, waitMs: Number(argument || 50) }));
    default:
      return reshaped(wire, good, work, fault, argument);
  }
}

/** Applies faults that change the bytes but not the meaning. @param {Wire} wire @param {Piece[]} good @param {Work} work @param {string} fault @param {string} argument @returns {Piece[]} */
function reshaped(wire, good, work, fault, argument) {
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
      const snow = wire.word(work, " ☃🌨é").bytes;
      const cut = snow.indexOf(Buffer.from("🌨")) + 2;
      const first = wire.opening(work).length + 1;
      return [
        ...good.slice(0, first),
        { bytes: snow.subarray(0, cut), tokens: 0 },
        { bytes: snow.subarray(cut), tokens: 0, waitMs: 5 },
        ...good.slice(first),
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

/** Sends tiny events in large chunks, so that a million of them are possible. They cost as much as the work. @param {Wire} wire @param {Work} work @param {number} count @returns {Piece[]} */
function many(wire, work, count) {
  const one = wire.word(work, "x").bytes;
  const batch = Buffer.concat(Array.from({ length: 100 }, () => one));
  const batches = Math.ceil(count / 100);
  return Array.from({ length: batches }, (_, at) => ({ bytes: batch, tokens: at === 0 ? work.words.length : 0 }));
}
