import { maxOutputTokensFor, priceMaximum } from "~/domain/pricing/index.server";
import type { UsageBounds } from "~/domain/pricing/shared";
import type { InferenceRequest } from "../canonical/inference-request";
import type { OutputCeiling } from "../dialects/dialect";
import type { RoutePlan } from "../route/route-plan";

/**
 * Returns the maximum usage of a request. A text has at most as many tokens as bytes. With media, tools or searches,
 * and for longer texts, the model's context window is the bound.
 */
export function boundsOf({ size }: Pick<InferenceRequest, "size">, { model, routes }: RoutePlan): UsageBounds {
  const isLeftOut = size.toolsAreOptional === true && routes.every(({ price }) => price.perToolUse == null);
  const toolUses = isLeftOut ? undefined : size.maxToolUses;
  const isOpen = size.hasMedia || size.readsMore === true || toolUses !== undefined;
  const inputTokens =
    size.maxInputTokens ?? (isOpen ? model.contextTokens : Math.min(size.bodyBytes, model.contextTokens));
  return {
    inputTokens,
    outputTokens: (size.maxOutputTokens ?? model.maxOutputTokens) * size.choices,
    milliseconds: size.maxMilliseconds,
    characters: size.characters,
    requests: size.maxRequests,
    toolUses,
    longCacheWrites: size.longCacheWrites,
    askedTier: size.askedTier,
  };
}

/**
 * Returns the maximum cost of a call in nano-USD and the price version that it comes from: those of its most expensive
 * route.
 */
export function holdOf({ routes }: RoutePlan, bounds: UsageBounds): { amountNanoUsd: bigint; priceVersion: number } {
  let amountNanoUsd = 0n;
  let priceVersion = 0;
  for (const { price } of routes) {
    const maximum = priceMaximum(price, bounds);
    if (maximum < amountNanoUsd) continue;
    amountNanoUsd = maximum;
    priceVersion = price.version;
  }
  return { amountNanoUsd, priceVersion };
}

/**
 * Returns the highest output limit with which the request's hold is at most the given amount of nano-USD; null if not
 * even one token fits. The digits of the limit itself are part of the body, whose length bounds the input.
 */
export function ceilingFor(
  { size }: Pick<InferenceRequest, "size">,
  plan: RoutePlan,
  { ceiling, amountNanoUsd }: { ceiling: OutputCeiling; amountNanoUsd: bigint },
): number | null {
  for (let digits = MAX_DIGITS; digits > 0; digits -= 1) {
    const lowest = 10 ** (digits - 1);
    const highest = 10 ** digits - 1;
    const bounds = boundsOf(
      { size: { ...size, bodyBytes: ceiling.bodyBytesWith(lowest), maxOutputTokens: highest } },
      plan,
    );
    const tokens = plan.routes.map(({ price }) => maxOutputTokensFor(price, bounds, amountNanoUsd) ?? 0);
    const fits = Math.floor(Math.min(...tokens) / size.choices);
    if (fits >= lowest) return Math.min(fits, size.maxOutputTokens ?? plan.model.maxOutputTokens);
  }
  return null;
}

/** Digits of the highest output limit that a dialect accepts. */
const MAX_DIGITS = 8;
