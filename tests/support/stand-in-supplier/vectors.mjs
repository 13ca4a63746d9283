/** Embeddings. One vector for each input; what goes in is what is billed. @type {import("./speak.mjs").Dialect} */
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

/** Ranks. One search is what is billed. @type {import("./speak.mjs").Dialect} */
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

/** Transcriptions. Twelve seconds are heard in every file. @type {import("./speak.mjs").Dialect} */
export const transcription = {
  // The fields of a form stand between its boundaries; gw writes them in front of the file.
  read: (bytes) => ({ model: /name="model"\r\n\r\n([^\r]*)\r\n/.exec(bytes.toString("latin1", 0, 16_384))?.[1] }),
  userOf: () => undefined,
  workFor: (id, { model }) => ({ ...bareWork(id, model), words: Array.from({ length: 12 }, () => "second") }),
  whole: (_work, usage) => ({
    text: "what was heard",
    ...(usage === null ? {} : { usage: { type: "duration", seconds: unitsOf(usage) } }),
  }),
};

/** What is counted in the place of tokens; nonsense where the tokens are. @param {import("./stream.mjs").Usage} usage */
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
