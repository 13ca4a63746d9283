/** Embeddings: one vector per input, billed by input tokens. @type {import("./speak.mjs").Dialect} */
export const embeddings = {
  userOf: ({ user }) => user,
  workFor: (id, { model, input }, length) => ({
    ...bareWork(id, model),
    promptTokens: Math.max(1, Math.ceil(length / 4)),
    count: Array.isArray(input) ? input.length : 1,
  }),
  whole: ({ model, count }, usage) => ({
    object: "list",
    data: Array.from({ length: count ?? 0 }, (_, index) => ({
      object: "embedding",
      index,
      embedding: [0.5, -1, index],
    })),
    model,
    ...(usage === null ? {} : { usage: { prompt_tokens: usage.promptTokens, total_tokens: usage.promptTokens } }),
  }),
};

/** Reranking, billed as one search. @type {import("./speak.mjs").Dialect} */
export const rerank = {
  userOf: () => undefined,
  workFor: (id, { model, documents }) => ({
    ...bareWork(id, model),
    words: ["search"],
    count: documents?.length ?? 0,
  }),
  whole: ({ count }, usage) => ({
    id: "rank-1",
    results: Array.from({ length: count ?? 0 }, (_, index) => ({ index, relevance_score: 1 / (index + 2) })),
    ...(usage === null ? {} : { meta: { billed_units: { search_units: unitsOf(usage) } } }),
  }),
};

/** Transcriptions; every file counts as twelve seconds of audio. @type {import("./speak.mjs").Dialect} */
export const transcription = {
  // gw writes the form's fields before the file.
  read: (bytes) => ({ model: /name="model"\r\n\r\n([^\r]*)\r\n/.exec(bytes.toString("latin1", 0, 16_384))?.[1] }),
  userOf: () => undefined,
  workFor: (id, { model }) => ({ ...bareWork(id, model), words: Array.from({ length: 12 }, () => "second") }),
  whole: (_work, usage) => ({
    text: "what was heard",
    ...(usage === null ? {} : { usage: { type: "duration", seconds: unitsOf(usage) } }),
  }),
};

/** Returns the billed units in place of tokens; invalid numbers stay invalid. @param {import("./stream.mjs").Usage} usage */
const unitsOf = ({ promptTokens, completionTokens }) => (promptTokens < 0 ? promptTokens : completionTokens);

/** @param {string} id @param {unknown} model @returns {import("./answer.mjs").Work} */
const bareWork = (id, model) => ({
  id,
  model: String(model ?? ""),
  words: [],
  promptTokens: 1,
  finishReason: "stop",
  includeUsage: false,
  toolCalls: null,
});
