import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CommitTurns } from "./commit-turns";
import { GroupCommit } from "./group-commit";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function group() {
  const turns = { join: vi.fn(), wake: vi.fn() };
  const commit = new GroupCommit<number>({
    turns: turns as unknown as CommitTurns,
    statement: "SELECT 1",
    batchSize: 10,
    choose: (items) => items,
    encode: (items) => [...items],
    answered: vi.fn(),
    failed: vi.fn(),
  });
  return { commit, turns };
}

test("a pause is as long as it says, whatever becomes of the clock on the wall", () => {
  const { commit } = group();
  commit.pause(100);
  commit.add(1);
  expect(commit.next()).toBeNull();
  vi.setSystemTime(Date.now() - 3_600_000);
  vi.advanceTimersByTime(101);
  expect(commit.next()?.values()).toEqual([1]);
});

test("takes away what matches and leaves the rest in its order", () => {
  const { commit } = group();
  for (const item of [1, 2, 3, 4]) commit.add(item);
  expect(commit.take((item) => item % 2 === 0)).toEqual([2, 4]);
  expect(commit.waiting).toBe(2);
  expect(commit.next()?.values()).toEqual([1, 3]);
});
