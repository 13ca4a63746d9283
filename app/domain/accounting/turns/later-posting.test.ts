import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SqlLink } from "../link/sql-link";
import { LaterPosting } from "./later-posting";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A database that answers each round with the numbers of posted and remaining turns, and the age of the oldest. */
function database(answers: string[]) {
  const ask = vi.fn(() => Promise.resolve(answers.shift() ?? "0,0,0"));
  return { ask, posting: new LaterPosting({ ask, isUp: true } as unknown as SqlLink) };
}

test("few turns that are left wait for the next round, many are posted at once", async () => {
  const { ask, posting } = database(["64,40,30", "40,3,5", "12,0,0"]);
  posting.add();
  await vi.advanceTimersByTimeAsync(99);
  expect(ask).toHaveBeenCalledTimes(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(ask).toHaveBeenCalledTimes(2);
  expect(posting.lagMs).toBeGreaterThan(0);
  await vi.advanceTimersByTimeAsync(100);
  expect(ask).toHaveBeenCalledTimes(3);
  expect(posting.lagMs).toBe(0);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(ask).toHaveBeenCalledTimes(3);
});

test("who waits for all of it, and a process that ends, post to the last", async () => {
  const { ask, posting } = database(["64,3,9", "3,1,2", "1,0,0"]);
  posting.add();
  await posting.close();
  expect(ask).toHaveBeenCalledTimes(3);
});
