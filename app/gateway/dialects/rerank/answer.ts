import { NO_USAGE, type Usage } from "../../canonical/usage";
import type { WholeAnswer } from "../dialect";
import { isObject } from "../wire/events/reading";
import { answerObject, notAnAnswer } from "../wire/events/whole-json";
import type { RerankSource } from "./read";

type Result = { index: number; relevance_score: number };
type WireResult = { index?: unknown; relevance_score?: unknown; score?: unknown };

/**
 * Reads a rerank answer and rewrites it: best results first, at most `top_n`, each document at most once, with its text
 * if the client requested documents.
 * @throws SupplierFailure `protocol`
 */
export function readRerankAnswer(
  want: Pick<RerankSource, "body" | "texts" | "topN" | "returnDocuments">,
  body: Buffer,
): WholeAnswer {
  const answer = answerObject(body);
  const results = resultsOf(answer.results ?? answer.data, want.texts.length).slice(0, want.topN ?? undefined);
  const written = {
    ...(typeof answer.id === "string" ? { id: answer.id } : {}),
    model: typeof answer.model === "string" ? answer.model : want.body.model,
    results: want.returnDocuments
      ? results.map((result) => ({ ...result, document: { text: want.texts[result.index] } }))
      : results,
    ...(isObject(answer.meta) ? { meta: answer.meta } : {}),
    ...(isObject(answer.usage) ? { usage: answer.usage } : {}),
  };
  return { body: Buffer.from(JSON.stringify(written)), usage: usageOf(answer), outputText: () => "" };
}

function resultsOf(wire: unknown, documents: number): Result[] {
  if (!Array.isArray(wire)) throw notAnAnswer("the supplier's answer has no results");
  const seen = new Set<number>();
  const results = (wire as (WireResult | null)[]).map((result): Result => {
    const index = result?.index;
    const score = result?.relevance_score ?? result?.score;
    const isPosition = Number.isInteger(index) && (index as number) >= 0 && (index as number) < documents;
    if (!isPosition || seen.has(index as number) || typeof score !== "number" || !Number.isFinite(score)) {
      throw notAnAnswer("the supplier's results cannot be read");
    }
    seen.add(index as number);
    return { index: index as number, relevance_score: score };
  });
  return results.sort((a, b) => b.relevance_score - a.relevance_score || a.index - b.index);
}

/** Reads the usage of rerank suppliers: tokens under one of several names, and searches if the supplier bills those. */
function usageOf({ usage, meta }: Record<string, unknown>): Usage | null {
  const { total_tokens, prompt_tokens } = isObject(usage) ? usage : NOTHING;
  const { billed_units, tokens } = isObject(meta) ? meta : NOTHING;
  const billed = isObject(billed_units) ? billed_units : NOTHING;
  const counted = isObject(tokens) ? tokens : NOTHING;
  const inputTokens = firstCount(prompt_tokens, total_tokens, billed.input_tokens, counted.input_tokens);
  const requests = firstCount(billed.search_units);
  if (inputTokens === null && requests === null) return null;
  return { ...NO_USAGE, inputTokens: inputTokens ?? 0, ...(requests === null ? {} : { requests }) };
}

const NOTHING: Record<string, unknown> = {};

function firstCount(...values: unknown[]): number | null {
  for (const value of values) if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  return null;
}
