import { describe, expect, test } from "vitest";
import type { AutoTopupPolicy } from "../shared";
import { decide, eligibleAt, pauseAfter, type TopupFacts } from "./decide";

const USD = 1_000_000_000n;
const now = new Date("2026-11-24T12:00:00Z");
const hours = (count: number) => new Date(now.getTime() + count * 3_600_000);
const policy: AutoTopupPolicy = {
  version: 1,
  approved: true,
  maxChargeNanoUsd: 50n * USD,
  maxDayNanoUsd: 100n * USD,
  maxMonthNanoUsd: 300n * USD,
};
const low: TopupFacts = {
  active: true,
  pauseReason: null,
  hasOpenOperation: false,
  availableNanoUsd: 4n * USD,
  thresholdNanoUsd: 5n * USD,
  exempt: false,
  chargeNanoUsd: 20n * USD,
  dayLimitNanoUsd: 60n * USD,
  monthLimitNanoUsd: 200n * USD,
  usedTodayNanoUsd: 0n,
  usedThisMonthNanoUsd: 0n,
  isEntitled: true,
  card: { id: "pm_a", expired: false, refused: false },
  failures: 0,
  lastAttemptAt: null,
  declinedMethodId: null,
  nextAttemptAt: null,
};
const verdict = (change: Partial<TopupFacts>, more: { policy?: AutoTopupPolicy | null; isReady?: boolean } = {}) =>
  decide({ ...low, ...change }, { policy, isReady: true, now, ...more });

describe("a wallet is topped up", () => {
  test("below its threshold, and not at it", () => {
    expect(verdict({})).toBe("due");
    expect(verdict({ availableNanoUsd: 5n * USD })).toBe("idle");
  });

  test.each<[string, Partial<TopupFacts>]>([
    ["off", { active: false }],
    ["open", { hasOpenOperation: true }],
    ["exempt", { exempt: true }],
    ["not_entitled", { isEntitled: false }],
    ["no_card", { card: null }],
    ["card_expired", { card: { id: "pm_a", expired: true, refused: false } }],
    ["card_refused", { card: { id: "pm_a", expired: false, refused: true } }],
    ["paused", { pauseReason: "refund", active: false }],
    ["over_policy", { chargeNanoUsd: 50n * USD + 1n }],
    ["day_limit", { usedTodayNanoUsd: 40n * USD + 1n }],
    ["month_limit", { usedThisMonthNanoUsd: 180n * USD + 1n }],
  ])("not while: %s", (wait, change) => {
    expect(verdict(change)).toBe(wait);
  });

  test("not without a processor, and not without an approved policy", () => {
    expect(verdict({}, { isReady: false })).toBe("no_processor");
    expect(verdict({}, { policy: null })).toBe("no_policy");
    expect(verdict({}, { policy: { ...policy, approved: false } })).toBe("no_policy");
  });

  test("up to its limits and not beyond, nor beyond those of the policy, however its own are", () => {
    expect(verdict({ usedTodayNanoUsd: 40n * USD, usedThisMonthNanoUsd: 180n * USD })).toBe("due");
    const wide = { dayLimitNanoUsd: 900n * USD, monthLimitNanoUsd: 900n * USD };
    expect(verdict({ ...wide, usedTodayNanoUsd: 81n * USD })).toBe("day_limit");
    expect(verdict({ ...wide, usedThisMonthNanoUsd: 281n * USD })).toBe("month_limit");
  });
});

describe("after failures", () => {
  test("pauses grow, and stay as they are in the end", () => {
    expect([1, 2, 3, 4, 9].map((failures) => pauseAfter(failures) / 3_600_000)).toEqual([1, 6, 24, 72, 72]);
  });

  const declined = { failures: 3, lastAttemptAt: hours(-0.5), nextAttemptAt: hours(23), declinedMethodId: "pm_a" };

  test("the same card waits for the whole pause, another one for an hour since the last charge", () => {
    expect(eligibleAt({ ...low, ...declined })).toEqual(hours(23));
    expect(verdict(declined)).toBe("backing_off");
    const other = { ...declined, card: { id: "pm_b", expired: false, refused: false } };
    expect(eligibleAt({ ...low, ...other })).toEqual(hours(0.5));
    expect(verdict(other)).toBe("backing_off");
    expect(verdict({ ...other, lastAttemptAt: hours(-1) })).toBe("due");
  });
});
