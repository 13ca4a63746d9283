import { beforeEach, describe, expect, test, vi } from "vitest";
import { allowed, aRoute, aSupplier, credentials } from "../__fixtures__/routes";
import { AttemptPlan } from "../attempt-plan";
import { evictRouteHealth, health, readCredentialRests, readRouteHealth } from "../index.server";
import { orderRoutes } from "../policy";
import type { AttemptResult } from "./health-tracker";

const FAILED: AttemptResult = { kind: "failed", reason: "503", timeout: false, retryAfterMs: null };
const answered = (afterMs: number): AttemptResult => ({ kind: "answered", afterMs, isStream: true });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 1) });
  return () => vi.useRealTimers();
});

const [route] = allowed(aRoute({ supplier: aSupplier({ name: "one", credentials: credentials("a") }) })) as [
  ReturnType<typeof allowed>[number],
];

function attempt(on: typeof route, result: AttemptResult, now: number): void {
  const attempts = new AttemptPlan({ routes: [on], modelId: "m", session: null, pinnedCredential: null }, health);
  attempts.report(attempts.next(now)!, result, now);
}

describe("what an administrator sees", () => {
  const viewOf = (now: number) => readRouteHealth(now).find(({ routeId }) => routeId === route.routeId);

  test("a route's state, its reason and when its cool-down ends, by the wall clock", () => {
    attempt(route, answered(120), 0);
    expect(viewOf(0)).toMatchObject({ supplier: "one", state: "closed", coolDownEndsAt: null, firstByteMs: 120 });
    for (let turn = 0; turn < 5; turn += 1) attempt(route, FAILED, 10);
    expect(viewOf(10)).toMatchObject({ state: "open", reason: "503", coolDownEndsAt: "2026-01-01T00:00:01.000Z" });
    expect(viewOf(10)!.successRate).toBeLessThan(0.5);
    attempt(route, answered(100), 1_010);
    expect(viewOf(1_010)).toMatchObject({ state: "closed", reason: null, coolDownEndsAt: null });
    attempt(route, { ...FAILED, retryAfterMs: 30_000 } as AttemptResult, 2_000);
    expect(viewOf(2_000)).toMatchObject({ state: "waiting", coolDownEndsAt: "2026-01-01T00:00:30.000Z" });
    evictRouteHealth(route.routeId);
    expect(viewOf(2_000)).toBeUndefined();
    expect(health.readyAt(route, 2_000)).toBe(0);
  });

  test("resting credentials by name and never by secret", () => {
    attempt(route, { kind: "limited", retryAfterMs: 3_000 }, 0);
    attempt(route, { kind: "refused" }, 0);
    const rests = readCredentialRests(0);
    expect(rests).toMatchObject([
      { supplier: "one", credential: "a", model: null, reason: "refused", endsAt: "2026-01-01T00:01:00.000Z" },
      { supplier: "one", credential: "a", model: route.upstreamModel, reason: "limited" },
    ]);
    expect(JSON.stringify(rests)).not.toContain("sk-");
    attempt(route, answered(10), 10);
    expect(readCredentialRests(10)).toEqual([]);
  });
});

describe("the score", () => {
  test("falls with failures and with slowness that can be felt, and comes back with time", () => {
    const [well, slow, ill] = allowed(aRoute(), aRoute(), aRoute());
    attempt(well!, answered(100), 0);
    attempt(slow!, answered(2_000), 0);
    attempt(ill!, answered(100), 0);
    attempt(ill!, FAILED, 0);
    const scores = [well, slow, ill].map((one) => health.score(one!, 0, 100));
    expect(scores[0]).toBe(1);
    expect(scores[1]).toBeLessThan(0.2);
    expect(scores[2]).toBeLessThan(0.6);
    expect(health.score(ill!, 600_000, 100)).toBeGreaterThan(0.99);
  });

  test("shifts traffic within a priority, not between priorities", () => {
    const routes = allowed(aRoute(), aRoute(), aRoute({ priority: 2 }));
    for (let turn = 0; turn < 3; turn += 1) attempt(routes[0]!, FAILED, 0);
    let first = 0;
    for (let turn = 0; turn < 1_000; turn += 1) {
      const ordered = orderRoutes(routes, Math.random, (one) => health.standing(one, 0, null));
      expect(ordered[2]).toBe(routes[2]);
      if (ordered[0] === routes[0]) first += 1;
    }
    expect(first).toBeLessThan(250);
    expect(first).toBeGreaterThan(20);
  });
});
