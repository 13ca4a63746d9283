import { describe, expect, test } from "vitest";
import { restAfter } from "./schedule";
import type { JobScope } from "./shared";

const rest = (everyMs: number, { failures = 0, random = 0.5, jitter, scope = "installation" }: Partial<Options> = {}) =>
  restAfter({ everyMs, scope, jitter }, { failures, random });
type Options = { failures: number; random: number; jitter: number; scope: JobScope };

describe("how long a job rests", () => {
  test("is its time, moved by a tenth at most where nothing else is said", () => {
    expect([0, 0.5, 1].map((random) => rest(10_000, { random }))).toEqual([9_000, 10_000, 11_000]);
  });

  test("is moved by the job's own jitter at most", () => {
    expect([0, 1].map((random) => rest(10_000, { random, jitter: 0.2 }))).toEqual([8_000, 12_000]);
    for (let n = 0; n < 1_000; n += 1) {
      const restMs = rest(10_000, { random: Math.random(), jitter: 0.2 });
      expect(restMs).toBeGreaterThanOrEqual(8_000);
      expect(restMs).toBeLessThanOrEqual(12_000);
    }
  });

  test("after failures doubles from ten seconds to its time", () => {
    const hourly = [1, 2, 3, 9, 10, 400].map((failures) => rest(3_600_000, { failures }));
    expect(hourly).toEqual([10_000, 20_000, 40_000, 2_560_000, 3_600_000, 3_600_000]);
  });

  test("after failures of a frequent job grows to a minute", () => {
    expect([1, 2, 3, 4, 5, 6].map((failures) => rest(5_000, { failures }))).toEqual([
      5_000, 10_000, 20_000, 40_000, 60_000, 60_000,
    ]);
  });

  test("after failures of a job that the process runs for itself never exceeds its time", () => {
    expect([1, 2, 9].map((failures) => rest(20_000, { failures, scope: "process" }))).toEqual([10_000, 20_000, 20_000]);
  });
});
