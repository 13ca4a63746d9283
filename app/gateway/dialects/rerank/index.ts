import type { Dialect, Passage } from "../dialect";
import { notAnAnswer } from "../wire/whole-json";
import { readRerankAnswer } from "./answer";
import { forwardRerank } from "./forward";
import { type RerankSource, readRerank } from "./read";

/** The rerank format: a query and documents in, the documents' positions by relevance out. */
export const rerankDialect: Dialect = {
  name: "rerank",
  endpoint: "rerank",
  read: readRerank,
  errorEvent: () => null,
  promptText: (ask) => {
    const { query, texts } = ask.source as RerankSource;
    return [query, ...texts].join("\n");
  },
};

/** A rerank client and a supplier with the same format. */
export const rerankToRerank: Passage = {
  forward: forwardRerank,
  readAnswer: (ask, body) => readRerankAnswer(ask.source as RerankSource, body),
  openStream() {
    throw notAnAnswer("the supplier streamed what is never streamed");
  },
};
