import { DIALECTS } from "../../canonical/dialects";
import { NO_USAGE } from "../../canonical/usage";
import type { Dialect, Translator } from "../dialect";
import { forwardAsItIs, rejectStream } from "../wire/pass-through";
import { readEmbeddingsAnswer } from "./answer";
import { checkInputTokens, type EmbeddingsSource, readEmbeddings } from "./read";

/** The embeddings format: texts in, one vector each out, as floats or as base64 of little-endian float32. */
export const embeddingsDialect: Dialect<EmbeddingsSource> = {
  name: "embeddings",
  endpoint: DIALECTS.embeddings.endpoint,
  streamTexts: null,
  read: readEmbeddings,
  verify: (inference, countTokens) => checkInputTokens(inference.source, countTokens),
  errorEvent: () => null,
  promptText: (inference) => inference.source.texts.join("\n"),
};

/** Connects an embeddings client with a supplier of the same format. */
export const embeddingsToEmbeddings: Translator<EmbeddingsSource> = {
  forward: forwardAsItIs,
  async readAnswer(inference, body) {
    const source = inference.source;
    const answer = await readEmbeddingsAnswer(source, body);
    if (answer.usage !== null || source.givenTokens === null) return answer;
    // The client sent tokens, so their number is exact and needs no estimate.
    return { ...answer, usage: { ...NO_USAGE, inputTokens: source.givenTokens } };
  },
  openStream: rejectStream,
};
