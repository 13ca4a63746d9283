import type { Model } from "~/domain/catalogue/shared";
import { ALGORITHM_WEIGHTS, type AutorouterAlgorithm, type ModelExclusion } from "./shared";

/** What a request needs of a model. Token counts are estimates from the size of the text. */
export type Needs = { tools: boolean; images: boolean; inputTokens: number; maxOutputTokens: number | null };

/** A model that may serve, seen through its best route. */
export type AutoCandidate = {
  model: Model;
  estimatedNanoUsd: bigint;
  firstByteMs: number | null;
  /** 0 to 1. */
  health: number;
  /** Some route of it can be used now. */
  ready: boolean;
  /** nano-USD for a million input and a million output tokens. */
  listPriceNanoUsd: bigint;
};

export type RankedModel<Candidate extends AutoCandidate> = Candidate & { score: number };

/** A model about which nothing is known yet is taken to be as fast as this. */
const EXPECTED_FIRST_BYTE_MS = 800;

/** Why a model cannot serve a request for what it is; null when it can, or when nobody knows better. */
export function whyUnfit(model: Model, needs: Needs): ModelExclusion | null {
  if (model.auto === false) return "not_for_auto";
  if (needs.tools && model.tools === false) return "tools";
  if (needs.images && model.images === false) return "images";
  if (needs.inputTokens + (needs.maxOutputTokens ?? 0) > model.contextTokens) return "context";
  return needs.maxOutputTokens !== null && needs.maxOutputTokens > model.maxOutputTokens ? "output" : null;
}

/**
 * Models whose abilities nobody has stated serve a request with tools or images only when none is known to be able to.
 * Splits the candidates into those that stay and those that leave, with the reason.
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
 * Candidates, best first, with scores from 0 to 1: cheapness against the cheapest, speed against the fastest, quality as
 * stated or else by price, mixed as the algorithm says, times health. Models none of whose routes can be used come last.
 * Ties go to the cheaper model, then by name, so that every process decides alike.
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

/** 0 to 1: stated by the operator, else what the market says, because better models are dearer. */
export function qualityOf(
  { model, listPriceNanoUsd }: Pick<AutoCandidate, "model" | "listPriceNanoUsd">,
  dearest: number,
): number {
  if (model.quality !== undefined) return model.quality / 100;
  return dearest === 0 ? 0.5 : Math.sqrt(Number(listPriceNanoUsd) / dearest);
}
