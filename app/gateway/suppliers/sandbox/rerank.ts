import { TimeSlice } from "~/values/time-slice";
import { type Answer, requestIn, type SandboxDialect, type SandboxRequest } from "./act";
import { bad } from "./chat-request";
import { chatError } from "./chat-wire";
import { TokenCount } from "./tokens";

type RerankRequest = { query?: unknown; documents?: unknown; top_n?: unknown; return_documents?: unknown };

/** Rerank by words in common: BM25 over the documents of the request, mapped to scores from 0 to 1. */
export const rerank: SandboxDialect = {
  answer: answerRerank,
  errorBody: chatError,
  errorEvent: chatError,
};

async function answerRerank(inference: SandboxRequest): Promise<Answer> {
  const { query, documents, top_n, return_documents } = (await requestIn(inference)) as RerankRequest;
  if (typeof query !== "string" || !Array.isArray(documents)) throw bad("query and documents are needed");
  const texts = documents.map(textOf);
  const results = (await scoresOf(query, texts))
    .map((score, index) => ({ index, relevance_score: score }))
    .sort((a, b) => b.relevance_score - a.relevance_score || a.index - b.index)
    .slice(0, Number.isInteger(top_n) ? (top_n as number) : undefined)
    .map((result) => (return_documents === true ? { ...result, document: { text: texts[result.index] } } : result));
  const answer = { id: inference.callId, model: inference.model, results, ...reported(inference, query, texts) };
  return { contentType: "application/json", body: Buffer.from(JSON.stringify(answer)) };
}

function textOf(document: unknown): string {
  const text = typeof document === "object" && document !== null ? (document as { text?: unknown }).text : document;
  if (typeof text !== "string") throw bad("a document must be a text, or an object with a text");
  return text;
}

const DOCUMENTS_A_SEARCH = 100;

function reported(inference: SandboxRequest, query: string, texts: readonly string[]): object {
  if (inference.usage === "none") return {};
  if (inference.usage === "insane") return { usage: { prompt_tokens: -1, total_tokens: Number.MAX_SAFE_INTEGER } };
  const count = new TokenCount();
  const tokens = texts.reduce((sum, text) => sum + count.of(text), count.of(query));
  const searches = Math.max(1, Math.ceil(texts.length / DOCUMENTS_A_SEARCH));
  return {
    usage: { prompt_tokens: tokens, total_tokens: tokens },
    meta: { billed_units: { search_units: searches } },
  };
}

/** The usual BM25 constants: weight of repeated words, and penalty for long documents. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;

/** Maximum characters compared of all documents together, and maximum words of the query. */
const MAX_CHARACTERS = 1_000_000;
const MAX_WORDS = 64;

async function scoresOf(query: string, texts: readonly string[]): Promise<number[]> {
  const each = Math.ceil(MAX_CHARACTERS / texts.length);
  const queryWords = [...new Set(wordsOf(query.slice(0, each)))].slice(0, MAX_WORDS);
  const slice = new TimeSlice();
  const documents: ReturnType<typeof countsOf>[] = [];
  for (const text of texts) {
    documents.push(countsOf(wordsOf(text.slice(0, each))));
    if (slice.isOver) await slice.next();
  }
  const meanLength = documents.reduce((sum, { length }) => sum + length, 0) / Math.max(1, documents.length) || 1;
  const rarity = new Map(
    queryWords.map((word) => {
      const having = documents.filter(({ counts }) => counts.has(word)).length;
      return [word, Math.log(1 + (documents.length - having + 0.5) / (having + 0.5))];
    }),
  );
  return documents.map(({ counts, length }) => {
    let score = 0;
    for (const word of queryWords) {
      const count = counts.get(word) ?? 0;
      const slack = SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * length) / meanLength);
      score += (rarity.get(word)! * count * (SATURATION + 1)) / (count + slack);
    }
    return Math.round((score / (score + 1)) * 1e6) / 1e6;
  });
}

/** Words without their most common endings, so that "banks" finds "bank". */
const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).map((word) =>
    word.length > 4 ? word.replace(/(?:ing|ed|es|s)$/u, "") : word.replace(/s$/u, ""),
  );

function countsOf(words: readonly string[]): { counts: Map<string, number>; length: number } {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { counts, length: words.length };
}
