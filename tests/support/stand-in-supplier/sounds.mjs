/** Two silent frames of an MP3 file: 128 kbit/s, 44.1 kHz. */
const FRAMES = Buffer.concat(
  Array.from({ length: 2 }, () => {
    const frame = Buffer.alloc(417);
    frame.writeUInt32BE(0xfffb9000, 0);
    return frame;
  }),
);

/** Speech: streamed audio, two frames per word. Billed by the characters of the text. @type {import("./speak.mjs").Dialect} */
export const speech = {
  always: "audio/mpeg",
  userOf: () => undefined,
  workFor: (id, { model, input }, _length, tokens) => ({
    id,
    model: String(model ?? ""),
    words: Array.from({ length: tokens }, () => "second"),
    promptTokens: String(input ?? "").length,
    finishReason: "stop",
    includeUsage: false,
    toolCalls: null,
  }),
  whole: () => ({}),
  wire: {
    opening: () => [],
    content: ({ words }) => words.map(() => ({ bytes: FRAMES, tokens: 1 })),
    word: () => ({ bytes: FRAMES, tokens: 0 }),
    finish: () => [],
    usage: () => ({ bytes: Buffer.alloc(0), tokens: 0 }),
    done: () => ({ bytes: Buffer.alloc(0), tokens: 0 }),
    failed: { bytes: Buffer.from('{"error":{"message":"the engine failed","code":"engine_failed"}}'), tokens: 0 },
    broken: Buffer.from("<html>"),
  },
};
