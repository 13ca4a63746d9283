import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allowed, aRoute } from "./__fixtures__/routes";
import { DecayedMean, HALF_LIFE_MS } from "./health/decayed-mean";
import { RecentOutcomes } from "./health/recent-outcomes";
import { placeSession } from "./place-session";
import { IDLE_MS, SessionPins } from "./session-pins";
import { fractionOf, rendezvous } from "./spread";

describe("pins", () => {
  test("are forgotten after an hour without use, and kept by use", () => {
    const pins = new SessionPins();
    pins.set("s", { routeId: 1, credential: null }, 0);
    expect(pins.get("s", IDLE_MS)).toEqual({ routeId: 1, credential: null });
    expect(pins.get("s", 2 * IDLE_MS)).toBeDefined();
    expect(pins.get("s", 3 * IDLE_MS + 1)).toBeUndefined();
    expect(pins.size).toBe(0);
  });

  test("make room for new ones, the one unused for longest first", () => {
    const pins = new SessionPins(3);
    for (const name of ["a", "b", "c"]) pins.set(name, { routeId: 1, credential: null }, 0);
    pins.get("a", 1);
    pins.set("d", { routeId: 1, credential: null }, 2);
    expect(pins.size).toBe(3);
    expect(["a", "b", "c", "d"].map((name) => pins.get(name, 3) !== undefined)).toEqual([true, false, true, true]);
  });
});

describe("the hash that all processes share", () => {
  const choices = [
    { id: 1, weight: 3 },
    { id: 2, weight: 1 },
    { id: 3, weight: 0 },
  ];
  const place = (name: string, among = choices) =>
    rendezvous(name, among, { identify: ({ id }) => id, weigh: ({ weight }) => weight })!;

  test("is the same for the same text, for ever", () => {
    expect(fractionOf("session-1\n7")).toBe(0.24048952960905362);
  });

  test("spreads sessions by weight", () => {
    let first = 0;
    for (let index = 0; index < 4_000; index += 1) {
      const { id } = place(`session-${index}`);
      expect(id).not.toBe(3);
      if (id === 1) first += 1;
    }
    expect(first / 4_000).toBeGreaterThan(0.72);
    expect(first / 4_000).toBeLessThan(0.78);
  });

  test("moves only the sessions of a choice that disappears, and does not care about order", () => {
    const five = [1, 2, 3, 4, 5].map((id) => ({ id, weight: id }));
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 0, max: 4 }), (name, gone) => {
        const before = place(name, five);
        expect(place(name, five.toReversed())).toBe(before);
        const left = five.toSpliced(gone, 1);
        if (before !== five[gone]) expect(place(name, left)).toBe(before);
      }),
    );
  });
});

describe("placing a session", () => {
  const routes = allowed(
    aRoute({ priority: 1 }),
    aRoute({ priority: 1 }),
    aRoute({ priority: 2 }),
    aRoute({ priority: 3 }),
  );
  const pin = (index: number) => ({ routeId: routes[index]!.routeId, credential: "main" });

  test("keeps it where it is, also on a route of a lower priority", () => {
    const { routes: placed, use } = placeSession(routes, 4, { name: "s", pin: pin(2) });
    expect([placed[0], use]).toEqual([routes[2], "kept"]);
    expect(new Set(placed)).toEqual(new Set(routes));
  });

  test("moves it when its route is in trouble or outside", () => {
    expect(placeSession(routes, 3, { name: "s", pin: pin(3) }).use).toBe("moved");
    const outside = { routeId: -1, credential: null };
    const { routes: placed, use } = placeSession(routes, 4, { name: "s", pin: outside });
    expect([use, placed[0]!.priority]).toEqual(["moved", 1]);
  });

  test("without a pin, every process chooses alike among the usable routes of the best priority", () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        const session = { name, pin: undefined };
        const [first] = placeSession(routes, 4, session).routes;
        const swapped = [routes[1]!, routes[0]!, routes[2]!, routes[3]!];
        expect(placeSession(swapped, 4, session).routes[0]).toBe(first);
        expect(first!.priority).toBe(1);
      }),
    );
  });
});

describe("what is remembered of the past", () => {
  test("an observation counts half after a half-life", () => {
    const mean = new DecayedMean();
    expect(mean.observed(0)).toBeNull();
    mean.add(0, 0);
    mean.add(1, HALF_LIFE_MS);
    expect(mean.weight(HALF_LIFE_MS)).toBeCloseTo(1.5);
    expect(mean.observed(HALF_LIFE_MS)).toBeCloseTo(2 / 3);
    expect(mean.observed(20 * HALF_LIFE_MS)).toBeNull();
    expect(mean.mean(20 * HALF_LIFE_MS, 1, 2)).toBeCloseTo(1);
  });

  test("the window counts what a list of outcomes would", () => {
    const outcome = fc.record({ afterMs: fc.nat({ max: 9_000 }), failed: fc.boolean() });
    fc.assert(
      fc.property(fc.array(outcome), (outcomes) => {
        const recent = new RecentOutcomes();
        const list: { second: number; failed: boolean }[] = [];
        let now = 0;
        for (const { afterMs, failed } of outcomes) {
          now += afterMs;
          const second = Math.floor(now / 1000);
          recent.add(failed, now);
          list.push({ second, failed });
          const inside = list.filter((entry) => entry.second > second - 30);
          expect(recent.total).toBe(inside.length);
          expect(recent.failures).toBe(inside.filter((entry) => entry.failed).length);
        }
      }),
    );
  });
});
