import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aLane, allowed, aSupplier, credentials } from "./__fixtures__/lanes";
import type { AllowedLanes } from "./allowed-lanes";
import { type Finding, HealthBook } from "./health-book";
import { orderLanes } from "./policy";
import { MAX_ATTEMPTS, release, Tries } from "./tries";

const FAILED: Finding = { kind: "failed", reason: "503", timeout: false, retryAfterMs: null };
const ANSWERED: Finding = { kind: "answered", afterMs: 20, isStream: true };

type Made = { lane: AllowedLanes[number]; credential: string | null };

/** One call: ordered by health, tried until something answers. `answer` decides each attempt. */
function call(
  book: HealthBook,
  lanes: AllowedLanes,
  now: number,
  answer: (made: Made) => Finding,
  session: string | null = null,
): Made[] {
  const ordered = orderLanes(lanes, Math.random, (lane) => book.standing(lane, now, null)) as AllowedLanes;
  const tries = new Tries({ lanes: ordered, modelId: "m", session, pinnedCredential: null }, book);
  const made: Made[] = [];
  for (let next = tries.next(now); next !== null; next = tries.next(now)) {
    const attempt = { lane: next.lane, credential: next.credential?.name ?? null };
    made.push(attempt);
    const finding = answer(attempt);
    tries.report(next, finding, now);
    if (finding.kind === "answered" && finding.isStream) release(next, book);
    if (finding.kind === "answered" || finding.kind === "rejected") break;
  }
  return made;
}

const open = (book: HealthBook, lane: AllowedLanes[number], now: number) => {
  for (let time = 0; time < 5; time += 1) call(book, [lane], now, () => FAILED);
};

describe("the order of tries", () => {
  test("a call is sent three times at most", () => {
    const lanes = allowed(aLane(), aLane(), aLane(), aLane());
    expect(call(new HealthBook(), lanes, 0, () => FAILED)).toHaveLength(MAX_ATTEMPTS);
  });

  test("an open lane is tried only behind the others", () => {
    const book = new HealthBook();
    const lanes = allowed(aLane({ priority: 1 }), aLane({ priority: 9 }));
    open(book, lanes[0]!, 0);
    expect(call(book, lanes, 10, () => ANSWERED).map(({ lane }) => lane)).toEqual([lanes[1]]);
  });

  test("the last lane is tried, however ill it is", () => {
    const book = new HealthBook();
    const lanes = allowed(aLane());
    for (let time = 0; time < 50; time += 1) expect(call(book, lanes, time, () => FAILED)).toHaveLength(1);
  });

  test("when all lanes are ill, the one that is ready first is tried", () => {
    const book = new HealthBook();
    const lanes = allowed(aLane({ priority: 1 }), aLane({ priority: 2 }));
    open(book, lanes[1]!, 0);
    open(book, lanes[0]!, 500);
    expect(call(book, lanes, 600, () => ANSWERED).map(({ lane }) => lane)).toEqual([lanes[1]]);
  });

  test("a request that a lane's dialect cannot express costs no attempt", () => {
    const book = new HealthBook();
    const lanes = allowed(
      aLane({ priority: 1 }),
      aLane({ priority: 2 }),
      aLane({ priority: 3 }),
      aLane({ priority: 4 }),
    );
    const made = call(book, lanes, 0, ({ lane }) => (lane === lanes[3] ? ANSWERED : { kind: "unsent" }));
    expect(made.at(-1)!.lane).toBe(lanes[3]);
  });

  test("a supplier without cool-down keeps its place", () => {
    const book = new HealthBook();
    const lanes = allowed(aLane({ priority: 1, supplier: aSupplier({ cooldown: false }) }), aLane({ priority: 2 }));
    for (let time = 0; time < 40; time += 1) {
      const made = call(book, lanes, time, ({ lane }) => (lane === lanes[0] ? FAILED : ANSWERED));
      expect(made.map(({ lane }) => lane)).toEqual(lanes);
    }
  });
});

describe("Retry-After", () => {
  test("of a busy supplier is waited for while there is another", () => {
    const book = new HealthBook();
    const lanes = allowed(aLane({ priority: 1 }), aLane({ priority: 2 }));
    const busy: Finding = { kind: "failed", reason: "503", timeout: false, retryAfterMs: 7_000 };
    call(book, lanes, 0, ({ lane }) => (lane === lanes[0] ? busy : ANSWERED));
    for (let now = 1; now < 7_000; now += 500) {
      expect(call(book, lanes, now, () => FAILED).map(({ lane }) => lane)).toEqual([lanes[1]]);
      book.forget(lanes[1]!.routeId);
    }
    expect(call(book, lanes, 7_001, () => ANSWERED)[0]!.lane).toBe(lanes[0]);
  });

  test("of a limited credential holds for its model only", () => {
    const book = new HealthBook();
    const supplier = aSupplier({ credentials: credentials("a", "b") });
    const lanes = allowed(aLane({ supplier }), aLane({ supplier, upstreamModel: "other" }));
    call(book, [lanes[0]!], 0, ({ credential }) =>
      credential === "a" ? { kind: "limited", retryAfterMs: 9_000 } : ANSWERED,
    );
    const used = (lane: AllowedLanes[number], now: number) =>
      new Set(Array.from({ length: 8 }, () => call(book, [lane], now, () => ANSWERED)[0]!.credential));
    expect(used(lanes[0]!, 8_999)).toEqual(new Set(["b"]));
    expect(used(lanes[1]!, 10)).toEqual(new Set(["a", "b"]));
    expect(used(lanes[0]!, 9_000)).toEqual(new Set(["a", "b"]));
  });
});

describe("credentials", () => {
  test("20 tokens, two of them bad: no call fails, and both are tried again after a minute", () => {
    const book = new HealthBook();
    const names = Array.from({ length: 20 }, (_, index) => `token-${index}`);
    const lanes = allowed(aLane({ supplier: aSupplier({ credentials: credentials(...names) }) }));
    const bad = new Set(["token-3", "token-4"]);
    let refusals = 0;
    for (let now = 0; now < 59_000; now += 100) {
      const made = call(book, lanes, now, ({ credential }) => (bad.has(credential!) ? { kind: "refused" } : ANSWERED));
      expect(bad.has(made.at(-1)!.credential!)).toBe(false);
      refusals += made.length - 1;
    }
    expect(refusals).toBe(2);
    expect(book.rests(59_000).map(({ credential }) => credential)).toEqual(["token-3", "token-4"]);
    expect(book.rests(63_000)).toEqual([]);
  });

  test("they take turns, and a session keeps its own", () => {
    const book = new HealthBook();
    const lanes = allowed(aLane({ supplier: aSupplier({ credentials: credentials("a", "b", "c", "d") }) }));
    const turns = Array.from({ length: 8 }, () => call(book, lanes, 0, () => ANSWERED)[0]!.credential);
    expect(turns.slice(0, 4).toSorted()).toEqual(["a", "b", "c", "d"]);
    const own = Array.from({ length: 8 }, () => call(book, lanes, 0, () => ANSWERED, "session-1")[0]!.credential);
    expect(new Set(own).size).toBe(1);
  });

  test("the last one of a supplier never rests", () => {
    const book = new HealthBook();
    const lanes = allowed(aLane());
    for (let now = 0; now < 20; now += 1) expect(call(book, lanes, now, () => ({ kind: "refused" }))).toHaveLength(1);
  });
});

describe("amplification", () => {
  const lanesOf = (count: number) =>
    allowed(...Array.from({ length: count }, (_, index) => aLane({ priority: index })));

  test.each([2, 3, 5])("while all %i suppliers fail, attempts stay within 1.25 of the requests", (count) => {
    const book = new HealthBook();
    const lanes = lanesOf(count);
    for (let now = 0; now < 2_000; now += 20) call(book, lanes, now, () => FAILED);
    let requests = 0;
    let attempts = 0;
    for (let now = 2_000; now < 32_000; now += 20) {
      requests += 1;
      attempts += call(book, lanes, now, () => FAILED).length;
    }
    expect(attempts / requests).toBeLessThanOrEqual(1.25);
    expect(attempts).toBeGreaterThanOrEqual(requests);
  });

  test("while the first of two fails, every call is answered and few see a second attempt", () => {
    const book = new HealthBook();
    const lanes = lanesOf(2);
    let attempts = 0;
    for (let now = 0; now < 30_000; now += 50) {
      const made = call(book, lanes, now, ({ lane }) => (lane === lanes[0] ? FAILED : ANSWERED));
      expect(made.at(-1)!.lane).toBe(lanes[1]);
      attempts += made.length;
    }
    // Five that opened the breaker and a probe every four seconds.
    expect(attempts).toBeLessThanOrEqual(600 + 5 + 12);
  });

  test("after recovery the first lane is back within five seconds", () => {
    const book = new HealthBook();
    const lanes = lanesOf(2);
    for (let now = 0; now < 30_000; now += 50)
      call(book, lanes, now, ({ lane }) => (lane === lanes[0] ? FAILED : ANSWERED));
    for (let now = 30_000; now < 35_000; now += 50) call(book, lanes, now, () => ANSWERED);
    expect(call(book, lanes, 35_000, () => ANSWERED)[0]!.lane).toBe(lanes[0]);
  });
});

test("over random topologies and faults: never an empty call, never a lane twice with the same credential", () => {
  const finding = fc.constantFrom<Finding>(
    ANSWERED,
    FAILED,
    { kind: "refused" },
    { kind: "rejected" },
    { kind: "nothing" },
    { kind: "limited", retryAfterMs: null },
    { kind: "limited", retryAfterMs: 3_000 },
    { kind: "failed", reason: "timeout", timeout: true, retryAfterMs: null },
  );
  const lane = fc.record({
    priority: fc.integer({ min: 1, max: 2 }),
    weight: fc.integer({ min: 0, max: 3 }),
    credentials: fc.integer({ min: 0, max: 3 }),
    cooldown: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.array(lane, { minLength: 1, maxLength: 4 }),
      fc.array(
        fc.record({
          afterMs: fc.integer({ min: 0, max: 3_000 }),
          findings: fc.array(finding, { minLength: 3, maxLength: 3 }),
        }),
        { maxLength: 40 },
      ),
      (shapes, calls) => {
        const book = new HealthBook();
        const lanes = allowed(
          ...shapes.map(({ credentials: count, cooldown, ...more }) =>
            aLane({
              ...more,
              supplier: aSupplier({ cooldown, credentials: credentials(...["a", "b", "c"].slice(0, count)) }),
            }),
          ),
        );
        let now = 0;
        for (const { afterMs, findings } of calls) {
          now += afterMs;
          let at = 0;
          const made = call(book, lanes, now, () => findings[at++]!);
          expect(made.length).toBeGreaterThan(0);
          expect(made.length).toBeLessThanOrEqual(MAX_ATTEMPTS);
          expect(new Set(made.map(({ lane: { routeId }, credential }) => `${routeId} ${credential}`)).size).toBe(
            made.length,
          );
          for (const { lane: used } of made) expect(lanes).toContain(used);
        }
      },
    ),
    { numRuns: 400 },
  );
});
