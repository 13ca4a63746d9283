import type { AutoTopupPauseReason, AutoTopupPolicy, AutoTopupWait } from "../shared";

/** The facts that decide whether a wallet is topped up. Amounts are nano-USD; those of charges include the fee. */
export type TopupFacts = {
  active: boolean;
  /** Reason of the pause, if the current settings are one; otherwise null. */
  pauseReason: AutoTopupPauseReason | null;
  hasOpenOperation: boolean;
  availableNanoUsd: bigint;
  thresholdNanoUsd: bigint;
  exempt: boolean;
  chargeNanoUsd: bigint;
  dayLimitNanoUsd: bigint;
  monthLimitNanoUsd: bigint;
  /** Includes charges in progress. */
  usedTodayNanoUsd: bigint;
  usedThisMonthNanoUsd: bigint;
  /** Whether the person who consented is active and may still fund the wallet. */
  isEntitled: boolean;
  /** `refused`: its bank has reported it, for example as lost or stolen. */
  card: { id: string; expired: boolean; refused: boolean } | null;
  failures: number;
  lastAttemptAt: Date | null;
  declinedMethodId: string | null;
  nextAttemptAt: Date | null;
};

const HOUR = 3_600_000;
const PAUSES_MS = [1, 6, 24, 72].map((hours) => hours * HOUR);

/** Returns the pause after a number of consecutive failures, in milliseconds. */
export const pauseAfter = (failures: number): number =>
  PAUSES_MS[Math.min(Math.max(failures, 1), PAUSES_MS.length) - 1] as number;

/**
 * Decline codes of banks that forbid further charges: the card is reported or blocked, or its owner has withdrawn the
 * permission. Another attempt would count as fraud.
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

/** Returns whether a decline forbids further charges of the card without its owner. */
export const isCardReported = (failure: string): boolean => REPORTED.has(failure);

/** Returns the earliest time of the next charge after a failure. With a different card the shortest pause applies. */
export function eligibleAt(facts: TopupFacts): Date | null {
  const { failures, nextAttemptAt, lastAttemptAt, card, declinedMethodId } = facts;
  if (failures === 0 || nextAttemptAt === null) return null;
  if (lastAttemptAt === null || card === null || card.id === declinedMethodId) return nextAttemptAt;
  return new Date(Math.min(nextAttemptAt.getTime(), lastAttemptAt.getTime() + pauseAfter(1)));
}

/** Returns whether a wallet is charged now, or why not. Pure. `isReady`: charges are possible at the processor. */
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
