import type { Model } from "~/domain/catalogue/shared";
import { ALGORITHM_WEIGHTS, type AutorouterAlgorithm, type ModelExclusion } from "./shared";

/** Requirements of a request. Token counts are estimates from the length of the text. */
export type Needs = { tools: boolean; images: boolean; inputTokens: number; maxOutputTokens: number | null };

/** A candidate model, with the values of its best route. */
export type AutoCandidate = {
  model: Model;
  estimatedNanoUsd: bigint;
  firstByteMs: number | null;
  /** 0 to 1. */
  health: number;
  /** At least one of its routes is available now. */
  ready: boolean;
  /** nano-USD for a million input tokens plus a million output tokens. */
  listPriceNanoUsd: bigint;
};

export type RankedModel<Candidate extends AutoCandidate> = Candidate & { score: number };

/** Time to the first byte that is assumed for a model without data. */
const EXPECTED_FIRST_BYTE_MS = 800;

/** Returns why a model cannot serve a request; null: it can, or its abilities are unknown. */
export function whyUnfit(model: Model, needs: Needs): ModelExclusion | null {
  if (model.auto === false) return "not_for_auto";
  if (needs.tools && model.tools === false) return "tools";
  if (needs.images && model.images === false) return "images";
  if (needs.inputTokens + (needs.maxOutputTokens ?? 0) > model.contextTokens) return "context";
  return needs.maxOutputTokens !== null && needs.maxOutputTokens > model.maxOutputTokens ? "output" : null;
}

/**
 * Excludes models with unknown abilities from a request with tools or images if another candidate is known to support
 * it. Returns the retained and the excluded candidates, with reasons.
 */
export function preferKnownAble<Candidate extends AutoCandidate>(
  candidates: readonly Candidate[],
  needs: Needs,
): { staying: readonly Candidate[]; leaving: { model: string; why: ModelExclusion }[] } {
  let staying = candidates;
  const leaving: { model: string; why: ModelExclusion }[] = [];
  for (const ability of ["tools", "images"] as const) {
    if (!needs[ability] || !staying.some(({ model }) => model[ability] === true)) continue;
    for (const { model } of staying) if (model[ability] !== true) leaving.push({ model: model.id, why: ability });
    staying = staying.filter(({ model }) => model[ability] === true);
  }
  return { staying, leaving };
}

/**
 * Ranks candidates, best first, with scores from 0 to 1. Cost is relative to the cheapest candidate, speed to the
 * fastest; quality is declared or derived from the price. The algorithm's weights combine them, and the health
 * multiplies the result. Models without an available route come last. Ties are resolved by price, then by name, so that
 * every process decides alike.
 */
export function rankModels<Candidate extends AutoCandidate>(
  algorithm: AutorouterAlgorithm,
  candidates: readonly Candidate[],
): RankedModel<Candidate>[] {
  const { cost, speed, quality } = ALGORITHM_WEIGHTS[algorithm];
  const cheapest = Math.min(...candidates.map(({ estimatedNanoUsd }) => Number(estimatedNanoUsd)));
  const fastest = Math.min(...candidates.map(firstByteOf));
  const dearest = Math.max(...candidates.map(({ listPriceNanoUsd }) => Number(listPriceNanoUsd)));
  return candidates
    .map((candidate) => {
      const own = Number(candidate.estimatedNanoUsd);
      const merit =
        cost * (own === 0 ? 1 : cheapest / own) +
        speed * ((fastest + 50) / (firstByteOf(candidate) + 50)) +
        quality * qualityOf(candidate, dearest);
      return { ...candidate, score: merit * candidate.health };
    })
    .sort(
      (a, b) =>
        Number(b.ready) - Number(a.ready) ||
        b.score - a.score ||
        Number(a.estimatedNanoUsd - b.estimatedNanoUsd) ||
        (a.model.id < b.model.id ? -1 : 1),
    );
}

const firstByteOf = ({ firstByteMs }: AutoCandidate) => firstByteMs ?? EXPECTED_FIRST_BYTE_MS;

/** Quality from 0 to 1: declared by the operator, else derived from the price, because better models cost more. */
export function qualityOf(
  { model, listPriceNanoUsd }: Pick<AutoCandidate, "model" | "listPriceNanoUsd">,
  dearest: number,
): number {
  if (model.quality !== undefined) return model.quality / 100;
  return dearest === 0 ? 0.5 : Math.sqrt(Number(listPriceNanoUsd) / dearest);
}
