import type { AutoTopupPauseReason, AutoTopupPolicy, AutoTopupWait } from "../shared";

/** Everything that says whether a wallet is topped up. Amounts are nano-USD; those of charges include the fee. */
export type TopupFacts = {
  active: boolean;
  /** Why the settings in force are a pause; null for others. */
  pauseReason: AutoTopupPauseReason | null;
  hasOpenOperation: boolean;
  availableNanoUsd: bigint;
  thresholdNanoUsd: bigint;
  exempt: boolean;
  chargeNanoUsd: bigint;
  dayLimitNanoUsd: bigint;
  monthLimitNanoUsd: bigint;
  /** What is on its way counts. */
  usedTodayNanoUsd: bigint;
  usedThisMonthNanoUsd: bigint;
  /** Whether whoever consented is active and may still fund the wallet. */
  isEntitled: boolean;
  /** `refused`: its bank has reported it, as lost or stolen for example. */
  card: { id: string; expired: boolean; refused: boolean } | null;
  failures: number;
  lastAttemptAt: Date | null;
  declinedMethodId: string | null;
  nextAttemptAt: Date | null;
};

const HOUR = 3_600_000;
const PAUSES_MS = [1, 6, 24, 72].map((hours) => hours * HOUR);

/** How long nothing is charged after so many failures in a row, in milliseconds. */
export const pauseAfter = (failures: number): number =>
  PAUSES_MS[Math.min(Math.max(failures, 1), PAUSES_MS.length) - 1] as number;

/**
 * What a bank says of a card that it wants charged no more: the card is reported, blocked, or its owner has withdrawn the
 * permission. Another attempt would be taken for fraud.
 */
const REPORTED = new Set([
  "do_not_try_again",
  "fraudulent",
  "invalid_account",
  "lost_card",
  "merchant_blacklist",
  "pickup_card",
  "restricted_card",
  "revocation_of_all_authorizations",
  "revocation_of_authorization",
  "security_violation",
  "stolen_card",
  "stop_payment_order",
]);

/** Whether a decline says that its card is never to be charged again without its owner. */
export const isCardReported = (failure: string): boolean => REPORTED.has(failure);

/** From when on a wallet may be charged again after a failure: with another card the pause is the shortest one. */
export function eligibleAt(facts: TopupFacts): Date | null {
  const { failures, nextAttemptAt, lastAttemptAt, card, declinedMethodId } = facts;
  if (failures === 0 || nextAttemptAt === null) return null;
  if (lastAttemptAt === null || card === null || card.id === declinedMethodId) return nextAttemptAt;
  return new Date(Math.min(nextAttemptAt.getTime(), lastAttemptAt.getTime() + pauseAfter(1)));
}

/** Whether a wallet is charged now, or why not. Pure. `isReady`: the processor can be asked for it. */
export function decide(
  facts: TopupFacts,
  { policy, isReady, now }: { policy: AutoTopupPolicy | null; isReady: boolean; now: Date },
): "due" | AutoTopupWait {
  if (facts.pauseReason !== null) return "paused";
  if (!facts.active) return "off";
  if (facts.hasOpenOperation) return "open";
  if (!isReady) return "no_processor";
  if (policy === null || !policy.approved) return "no_policy";
  if (facts.chargeNanoUsd > policy.maxChargeNanoUsd) return "over_policy";
  if (facts.exempt) return "exempt";
  if (!facts.isEntitled) return "not_entitled";
  if (facts.card === null) return "no_card";
  if (facts.card.refused) return "card_refused";
  if (facts.card.expired) return "card_expired";
  const from = eligibleAt(facts);
  if (from !== null && from > now) return "backing_off";
  const { usedTodayNanoUsd, usedThisMonthNanoUsd, chargeNanoUsd } = facts;
  if (usedThisMonthNanoUsd + chargeNanoUsd > smaller(facts.monthLimitNanoUsd, policy.maxMonthNanoUsd))
    return "month_limit";
  if (usedTodayNanoUsd + chargeNanoUsd > smaller(facts.dayLimitNanoUsd, policy.maxDayNanoUsd)) return "day_limit";
  return facts.availableNanoUsd < facts.thresholdNanoUsd ? "due" : "idle";
}

const smaller = (one: bigint, other: bigint) => (one < other ? one : other);
