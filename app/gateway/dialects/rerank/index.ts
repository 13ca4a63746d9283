import { DIALECTS } from "../../canonical/dialects";
import type { Dialect, Translator } from "../dialect";
import { rejectStream } from "../wire/pass-through";
import { readRerankAnswer } from "./answer";
import { forwardRerank } from "./forward";
import { type RerankSource, readRerank } from "./read";

/** The rerank format: a query and documents in, document indexes by relevance out. */
export const rerankDialect: Dialect<RerankSource> = {
  name: "rerank",
  endpoint: DIALECTS.rerank.endpoint,
  streamTexts: null,
  read: readRerank,
  errorEvent: () => null,
  promptText: (inference) => {
    const { query, texts } = inference.source;
    return [query, ...texts].join("\n");
  },
};

/** Connects a rerank client with a supplier of the same format. */
export const rerankToRerank: Translator<RerankSource> = {
  forward: forwardRerank,
  readAnswer: (inference, body) => readRerankAnswer(inference.source, body),
  openStream: rejectStream,
};
