import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Breaker, CONSECUTIVE_FAILURES, type Evidence, type Permit } from "./breaker";

const fail = (breaker: Breaker, times: number, now: number) => {
  for (let time = 0; time < times; time += 1) breaker.report(breaker.enterAnyway(now), "failure", now);
};

function opened(now = 0): Breaker {
  const breaker = new Breaker();
  fail(breaker, CONSECUTIVE_FAILURES, now);
  return breaker;
}

describe("opening", () => {
  test("five failures in a row open it, four do not", () => {
    const breaker = new Breaker();
    fail(breaker, 4, 0);
    expect(breaker.state).toBe("closed");
    fail(breaker, 1, 0);
    expect(breaker.state).toBe("open");
    expect(breaker.enter(999)).toBeNull();
  });

  test("half of twenty within 30 seconds open it", () => {
    const breaker = new Breaker();
    for (let index = 0; index < 20; index += 1) {
      expect(breaker.state).toBe("closed");
      breaker.report(breaker.enter(index * 1000)!, index % 2 === 0 ? "success" : "failure", index * 1000);
    }
    expect(breaker.state).toBe("open");
  });

  test("what says nothing about the route changes nothing", () => {
    const breaker = new Breaker();
    for (let index = 0; index < 50; index += 1) breaker.report(breaker.enter(index)!, "none", index);
    expect(breaker.state).toBe("closed");
  });
});

describe("half open", () => {
  test("one probe at a time, and the next one when it came to nothing", () => {
    const breaker = opened();
    const probe = breaker.enter(1000)!;
    expect(breaker.enter(1001)).toBeNull();
    breaker.report(probe, "none", 1002);
    expect(breaker.enter(1003)).not.toBeNull();
  });

  test("cool-downs double up to four seconds, and up to thirty where probes time out", () => {
    const coolDowns = (evidence: Evidence) => {
      const breaker = opened();
      const lengths: number[] = [];
      let now = 1000;
      for (let probe = 0; probe < 7; probe += 1) {
        breaker.report(breaker.enter(now)!, evidence, now);
        lengths.push(breaker.readyAt() - now);
        now = breaker.readyAt();
      }
      return lengths;
    };
    expect(coolDowns("failure")).toEqual([2000, 4000, 4000, 4000, 4000, 4000, 4000]);
    expect(coolDowns("timeout")).toEqual([2000, 4000, 8000, 16000, 30000, 30000, 30000]);
  });

  test("a success from before the breaker opened proves nothing", () => {
    const breaker = new Breaker();
    const old = breaker.enter(0)!;
    fail(breaker, 5, 1);
    breaker.report(old, "success", 2);
    expect(breaker.state).toBe("open");
  });

  test("a late failure does not open a breaker that has closed again", () => {
    const breaker = new Breaker();
    const old = Array.from({ length: 9 }, () => breaker.enter(0)!);
    fail(breaker, 5, 1);
    breaker.report(breaker.enter(1001)!, "success", 1002);
    for (const permit of old) breaker.report(permit, "failure", 1003);
    expect(breaker.state).toBe("closed");
  });

  test("whoever has nowhere else to go may pass, and closes it by succeeding", () => {
    const breaker = opened();
    breaker.report(breaker.enterAnyway(10), "success", 20);
    expect(breaker.state).toBe("closed");
  });
});

type Step = { afterMs: number; evidence: Evidence; anyway: boolean };
const steps = (...evidence: Evidence[]) =>
  fc.array(
    fc.record<Step>({
      afterMs: fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 6_000 })),
      evidence: fc.constantFrom(...evidence),
      anyway: fc.boolean(),
    }),
    { maxLength: 120 },
  );

/** A reference implementation: keeps all outcomes in a list and evaluates the whole list each time. */
class Reference {
  outcomes: { second: number; failed: boolean }[] = [];

  opensOn(failed: boolean, now: number): boolean {
    const second = Math.floor(now / 1000);
    this.outcomes.push({ second, failed });
    const recent = this.outcomes.filter((outcome) => outcome.second > second - 30);
    const failures = recent.filter((outcome) => outcome.failed).length;
    const lastFive = this.outcomes.slice(-5);
    const inARow = lastFive.length === 5 && lastFive.every((outcome) => outcome.failed);
    return failed && (inARow || (recent.length >= 20 && failures * 2 >= recent.length));
  }
}

describe("over random traces", () => {
  test("it opens exactly when the rules say so, and has never two probes in flight", () => {
    fc.assert(
      fc.property(steps("success", "failure", "timeout", "none"), (trace) => {
        const breaker = new Breaker();
        let reference = new Reference();
        const underWay: { permit: Permit; isProbe: boolean; evidence: Evidence }[] = [];
        let now = 0;
        for (const { afterMs, evidence, anyway } of trace) {
          now += afterMs;
          const closedBefore = breaker.state === "closed";
          const permit = anyway ? breaker.enterAnyway(now) : breaker.enter(now);
          if (permit !== null) underWay.push({ permit, isProbe: (permit & 1) === 1, evidence });
          expect(underWay.filter(({ isProbe }) => isProbe).length).toBeLessThanOrEqual(1);
          if (closedBefore && permit !== null) {
            // While closed, report each outcome at once, so that it can be compared with the list.
            const made = underWay.pop()!;
            breaker.report(made.permit, made.evidence, now);
            const opens = made.evidence !== "none" && reference.opensOn(made.evidence !== "success", now);
            expect(breaker.state).toBe(opens ? "open" : "closed");
          } else if (underWay.length > 3 || afterMs % 3 === 0) {
            const made = underWay.shift();
            if (made) breaker.report(made.permit, made.evidence, now);
            if (breaker.state === "closed") {
              reference = new Reference();
              underWay.length = 0;
            }
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  test("whatever happened, it is closed within five seconds after the supplier is back", () => {
    fc.assert(
      fc.property(steps("success", "failure", "none"), (trace) => {
        const breaker = new Breaker();
        let now = 0;
        for (const { afterMs, evidence } of trace) {
          now += afterMs;
          const permit = breaker.enter(now);
          if (permit !== null) breaker.report(permit, evidence, now);
        }
        for (const end = now + 5_000; now < end; now += 100) {
          const permit = breaker.enter(now);
          if (permit !== null) breaker.report(permit, "success", now);
        }
        expect(breaker.state).toBe("closed");
      }),
      { numRuns: 500 },
    );
  });
});
