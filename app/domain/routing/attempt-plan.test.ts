import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allowed, aRoute, aSupplier, credentials } from "./__fixtures__/routes";
import type { AllowedRoutes } from "./allowed-routes";
import { AttemptPlan, MAX_ATTEMPTS, release } from "./attempt-plan";
import { type AttemptResult, HealthTracker } from "./health/health-tracker";
import { orderRoutes } from "./policy";

const FAILED: AttemptResult = { kind: "failed", reason: "503", timeout: false, retryAfterMs: null };
const ANSWERED: AttemptResult = { kind: "answered", afterMs: 20, isStream: true };

type Made = { route: AllowedRoutes[number]; credential: string | null };

/** One call: routes ordered by health, attempts until one is answered. `answer` decides each attempt. */
function call(
  tracker: HealthTracker,
  routes: AllowedRoutes,
  now: number,
  answer: (made: Made) => AttemptResult,
  session: string | null = null,
): Made[] {
  const ordered = orderRoutes(routes, Math.random, (route) => tracker.standing(route, now, null)) as AllowedRoutes;
  const attempts = new AttemptPlan({ routes: ordered, modelId: "m", session, pinnedCredential: null }, tracker);
  const made: Made[] = [];
  for (let next = attempts.next(now); next !== null; next = attempts.next(now)) {
    const attempt = { route: next.route, credential: next.credential?.name ?? null };
    made.push(attempt);
    const result = answer(attempt);
    attempts.report(next, result, now);
    if (result.kind === "answered" && result.isStream) release(next, tracker);
    if (result.kind === "answered" || result.kind === "rejected") break;
  }
  return made;
}

const open = (tracker: HealthTracker, route: AllowedRoutes[number], now: number) => {
  for (let time = 0; time < 5; time += 1) call(tracker, [route], now, () => FAILED);
};

describe("the order of tries", () => {
  test("a call is sent three times at most", () => {
    const routes = allowed(aRoute(), aRoute(), aRoute(), aRoute());
    expect(call(new HealthTracker(), routes, 0, () => FAILED)).toHaveLength(MAX_ATTEMPTS);
  });

  test("an open route is tried only behind the others", () => {
    const tracker = new HealthTracker();
    const routes = allowed(aRoute({ priority: 1 }), aRoute({ priority: 9 }));
    open(tracker, routes[0]!, 0);
    expect(call(tracker, routes, 10, () => ANSWERED).map(({ route }) => route)).toEqual([routes[1]]);
  });

  test("the last route is tried, however ill it is", () => {
    const tracker = new HealthTracker();
    const routes = allowed(aRoute());
    for (let time = 0; time < 50; time += 1) expect(call(tracker, routes, time, () => FAILED)).toHaveLength(1);
  });

  test("when all routes are ill, the one that is ready first is tried", () => {
    const tracker = new HealthTracker();
    const routes = allowed(aRoute({ priority: 1 }), aRoute({ priority: 2 }));
    open(tracker, routes[1]!, 0);
    open(tracker, routes[0]!, 500);
    expect(call(tracker, routes, 600, () => ANSWERED).map(({ route }) => route)).toEqual([routes[1]]);
  });

  test("a request that a route's dialect cannot express costs no attempt", () => {
    const tracker = new HealthTracker();
    const routes = allowed(
      aRoute({ priority: 1 }),
      aRoute({ priority: 2 }),
      aRoute({ priority: 3 }),
      aRoute({ priority: 4 }),
    );
    const made = call(tracker, routes, 0, ({ route }) => (route === routes[3] ? ANSWERED : { kind: "unsent" }));
    expect(made.at(-1)!.route).toBe(routes[3]);
  });

  test("a supplier without cool-down keeps its place", () => {
    const tracker = new HealthTracker();
    const routes = allowed(aRoute({ priority: 1, supplier: aSupplier({ cooldown: false }) }), aRoute({ priority: 2 }));
    for (let time = 0; time < 40; time += 1) {
      const made = call(tracker, routes, time, ({ route }) => (route === routes[0] ? FAILED : ANSWERED));
      expect(made.map(({ route }) => route)).toEqual(routes);
    }
  });
});

describe("Retry-After", () => {
  test("of a busy supplier is waited for while there is another", () => {
    const tracker = new HealthTracker();
    const routes = allowed(aRoute({ priority: 1 }), aRoute({ priority: 2 }));
    const busy: AttemptResult = { kind: "failed", reason: "503", timeout: false, retryAfterMs: 7_000 };
    call(tracker, routes, 0, ({ route }) => (route === routes[0] ? busy : ANSWERED));
    for (let now = 1; now < 7_000; now += 500) {
      expect(call(tracker, routes, now, () => FAILED).map(({ route }) => route)).toEqual([routes[1]]);
      tracker.evict(routes[1]!.routeId);
    }
    expect(call(tracker, routes, 7_001, () => ANSWERED)[0]!.route).toBe(routes[0]);
  });

  test("of a limited credential holds for its model only", () => {
    const tracker = new HealthTracker();
    const supplier = aSupplier({ credentials: credentials("a", "b") });
    const routes = allowed(aRoute({ supplier }), aRoute({ supplier, upstreamModel: "other" }));
    call(tracker, [routes[0]!], 0, ({ credential }) =>
      credential === "a" ? { kind: "limited", retryAfterMs: 9_000 } : ANSWERED,
    );
    const used = (route: AllowedRoutes[number], now: number) =>
      new Set(Array.from({ length: 8 }, () => call(tracker, [route], now, () => ANSWERED)[0]!.credential));
    expect(used(routes[0]!, 8_999)).toEqual(new Set(["b"]));
    expect(used(routes[1]!, 10)).toEqual(new Set(["a", "b"]));
    expect(used(routes[0]!, 9_000)).toEqual(new Set(["a", "b"]));
  });
});

describe("credentials", () => {
  test("20 tokens, two of them bad: no call fails, and both are tried again after a minute", () => {
    const tracker = new HealthTracker();
    const names = Array.from({ length: 20 }, (_, index) => `token-${index}`);
    const routes = allowed(aRoute({ supplier: aSupplier({ credentials: credentials(...names) }) }));
    const bad = new Set(["token-3", "token-4"]);
    let refusals = 0;
    for (let now = 0; now < 59_000; now += 100) {
      const made = call(tracker, routes, now, ({ credential }) =>
        bad.has(credential!) ? { kind: "refused" } : ANSWERED,
      );
      expect(bad.has(made.at(-1)!.credential!)).toBe(false);
      refusals += made.length - 1;
    }
    expect(refusals).toBe(2);
    expect(tracker.rests(59_000).map(({ credential }) => credential)).toEqual(["token-3", "token-4"]);
    expect(tracker.rests(63_000)).toEqual([]);
  });

  test("they take turns, and a session keeps its own", () => {
    const tracker = new HealthTracker();
    const routes = allowed(aRoute({ supplier: aSupplier({ credentials: credentials("a", "b", "c", "d") }) }));
    const turns = Array.from({ length: 8 }, () => call(tracker, routes, 0, () => ANSWERED)[0]!.credential);
    expect(turns.slice(0, 4).toSorted()).toEqual(["a", "b", "c", "d"]);
    const own = Array.from({ length: 8 }, () => call(tracker, routes, 0, () => ANSWERED, "session-1")[0]!.credential);
    expect(new Set(own).size).toBe(1);
  });

  test("the last one of a supplier never rests", () => {
    const tracker = new HealthTracker();
    const routes = allowed(aRoute());
    for (let now = 0; now < 20; now += 1)
      expect(call(tracker, routes, now, () => ({ kind: "refused" }))).toHaveLength(1);
  });
});

describe("amplification", () => {
  const lanesOf = (count: number) =>
    allowed(...Array.from({ length: count }, (_, index) => aRoute({ priority: index })));

  test.each([2, 3, 5])("while all %i suppliers fail, attempts stay within 1.25 of the requests", (count) => {
    const tracker = new HealthTracker();
    const routes = lanesOf(count);
    for (let now = 0; now < 2_000; now += 20) call(tracker, routes, now, () => FAILED);
    let requests = 0;
    let attempts = 0;
    for (let now = 2_000; now < 32_000; now += 20) {
      requests += 1;
      attempts += call(tracker, routes, now, () => FAILED).length;
    }
    expect(attempts / requests).toBeLessThanOrEqual(1.25);
    expect(attempts).toBeGreaterThanOrEqual(requests);
  });

  test("while the first of two fails, every call is answered and few see a second attempt", () => {
    const tracker = new HealthTracker();
    const routes = lanesOf(2);
    let attempts = 0;
    for (let now = 0; now < 30_000; now += 50) {
      const made = call(tracker, routes, now, ({ route }) => (route === routes[0] ? FAILED : ANSWERED));
      expect(made.at(-1)!.route).toBe(routes[1]);
      attempts += made.length;
    }
    // Five attempts opened the breaker, and a probe follows every four seconds.
    expect(attempts).toBeLessThanOrEqual(600 + 5 + 12);
  });

  test("after recovery the first route is back within five seconds", () => {
    const tracker = new HealthTracker();
    const routes = lanesOf(2);
    for (let now = 0; now < 30_000; now += 50)
      call(tracker, routes, now, ({ route }) => (route === routes[0] ? FAILED : ANSWERED));
    for (let now = 30_000; now < 35_000; now += 50) call(tracker, routes, now, () => ANSWERED);
    expect(call(tracker, routes, 35_000, () => ANSWERED)[0]!.route).toBe(routes[0]);
  });
});

test("over random topologies and faults: never an empty call, never a route twice with the same credential", () => {
  const result = fc.constantFrom<AttemptResult>(
    ANSWERED,
    FAILED,
    { kind: "refused" },
    { kind: "rejected" },
    { kind: "nothing" },
    { kind: "limited", retryAfterMs: null },
    { kind: "limited", retryAfterMs: 3_000 },
    { kind: "failed", reason: "timeout", timeout: true, retryAfterMs: null },
  );
  const route = fc.record({
    priority: fc.integer({ min: 1, max: 2 }),
    weight: fc.integer({ min: 0, max: 3 }),
    credentials: fc.integer({ min: 0, max: 3 }),
    cooldown: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.array(route, { minLength: 1, maxLength: 4 }),
      fc.array(
        fc.record({
          afterMs: fc.integer({ min: 0, max: 3_000 }),
          findings: fc.array(result, { minLength: 3, maxLength: 3 }),
        }),
        { maxLength: 40 },
      ),
      (shapes, calls) => {
        const tracker = new HealthTracker();
        const routes = allowed(
          ...shapes.map(({ credentials: count, cooldown, ...more }) =>
            aRoute({
              ...more,
              supplier: aSupplier({ cooldown, credentials: credentials(...["a", "b", "c"].slice(0, count)) }),
            }),
          ),
        );
        let now = 0;
        for (const { afterMs, findings } of calls) {
          now += afterMs;
          let at = 0;
          const made = call(tracker, routes, now, () => findings[at++]!);
          expect(made.length).toBeGreaterThan(0);
          expect(made.length).toBeLessThanOrEqual(MAX_ATTEMPTS);
          expect(new Set(made.map(({ route: { routeId }, credential }) => `${routeId} ${credential}`)).size).toBe(
            made.length,
          );
          for (const { route: used } of made) expect(routes).toContain(used);
        }
      },
    ),
    { numRuns: 400 },
  );
});
