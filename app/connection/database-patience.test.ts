import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isDatabaseBusy, whileAnswering } from "./database-patience";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "performance"] }));
afterEach(() => void vi.useRealTimers());

const never = new Promise<never>(() => undefined);

/** The time until work is settled or given up, and the result. */
async function outcomeOf(work: Promise<unknown>, answeredMs: () => number): Promise<[number, unknown]> {
  const beganMs = performance.now();
  const outcome = whileAnswering(work, answeredMs).then(
    (result) => result,
    (error: unknown) => error,
  );
  const timed = outcome.then((result): [number, unknown] => [performance.now() - beganMs, result]);
  await vi.advanceTimersByTimeAsync(20_000);
  return timed;
}

test("a silent database is waited for two seconds since it was last heard of", async () => {
  const [waitedMs, silent] = await outcomeOf(never, () => Number.NEGATIVE_INFINITY);
  expect(silent).toMatchObject({ name: "TimeoutError" });
  expect(Math.round(waitedMs / 100)).toBe(20);
  const beganMs = performance.now();
  const [longerMs] = await outcomeOf(never, () => beganMs + 1_500);
  expect(Math.round(longerMs / 100)).toBe(35);
});

test("behind other work on a database that answers one waits ten seconds, and is told that it is busy", async () => {
  const [waitedMs, busy] = await outcomeOf(never, () => performance.now());
  expect(isDatabaseBusy(busy)).toBe(true);
  expect(Math.round(waitedMs / 100)).toBe(100);
});

test("work that ends in time is answered, and its own problem is its answer", async () => {
  const late = new Promise((resolve) => setTimeout(resolve, 9_000, "done"));
  expect(await outcomeOf(late, () => performance.now())).toEqual([9_000, "done"]);
  const error = new Error("no such column");
  expect((await outcomeOf(Promise.reject(error), () => performance.now()))[1]).toBe(error);
  expect(isDatabaseBusy(error)).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});
