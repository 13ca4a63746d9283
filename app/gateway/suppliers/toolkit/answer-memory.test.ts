import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AnswerMemory } from "./answer-memory";

const MB = 1024 * 1024;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function anAnswer(memory: AnswerMemory) {
  const told: string[] = [];
  const share = memory.share({ resume: () => told.push("resume"), giveUp: () => told.push("give up") });
  return { share, told };
}

test("short answers are not counted, and long ones wait while others fill the room", () => {
  const memory = new AnswerMemory(10 * MB);
  const [first, second] = [anAnswer(memory), anAnswer(memory)];
  expect(first.share.has(MB)).toBe(true);
  expect(memory.bytes).toBe(0);
  expect(first.share.has(8 * MB)).toBe(true);
  expect(second.share.has(5 * MB)).toBe(false);
  expect(second.told).toEqual([]);
  first.share.free();
  expect(second.told).toEqual(["resume"]);
  second.share.free();
  second.share.free();
  expect(memory.bytes).toBe(0);
});

test("the one that came first always goes on, however long it becomes; the others give up after a minute", () => {
  const memory = new AnswerMemory(10 * MB);
  const [first, second] = [anAnswer(memory), anAnswer(memory)];
  expect(first.share.has(6 * MB)).toBe(true);
  expect(second.share.has(7 * MB)).toBe(false);
  expect(first.share.has(100 * MB)).toBe(true);
  vi.advanceTimersByTime(59_000);
  expect(second.told).toEqual([]);
  vi.advanceTimersByTime(2_000);
  expect(second.told).toEqual(["give up"]);
});

test("of several that wait the next one goes on when the first has ended, and no more than have room", () => {
  const memory = new AnswerMemory(10 * MB);
  const [first, ...others] = Array.from({ length: 4 }, () => anAnswer(memory));
  first!.share.has(9 * MB);
  for (const { share } of others) expect(share.has(20 * MB)).toBe(false);
  first!.share.free();
  expect(others.map(({ told }) => told.length)).toEqual([1, 0, 0]);
  others[0]!.share.free();
  expect(others.map(({ told }) => told.length)).toEqual([1, 1, 0]);
});
