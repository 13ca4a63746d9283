import { maxOutputTokensFor, priceMaximum, type UsageBounds } from "~/domain/metering/index.server";
import type { InferenceRequest } from "../canonical/inference-request";
import type { OutputCeiling } from "../dialects/dialect";
import type { RoutePlan } from "../route/route-plan";

/** A text has at most as many tokens as bytes; with media or searches, or beyond that, the model's own window is the bound. */
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

/** The most that a call can cost, in nano-USD, and the version of the price by which it can: that of its dearest route. */
export function holdOf({ routes }: RoutePlan, bounds: UsageBounds): { amountNanoUsd: bigint; priceVersion: number } {
  let amountNanoUsd = 0n;
  let priceVersion = 0;
  for (const { price } of routes) {
    const most = priceMaximum(price, bounds);
    if (most < amountNanoUsd) continue;
    amountNanoUsd = most;
    priceVersion = price.version;
  }
  return { amountNanoUsd, priceVersion };
}

/**
 * The highest output ceiling with which a request holds no more than an amount of nano-USD; null where not even one token
 * fits. The ceiling's own digits are part of the body, whose bytes bound the input.
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

/** Of the highest ceiling that a dialect reads. */
const MAX_DIGITS = 8;
