import { expect, test } from "vitest";
import { MinuteWindows } from "./minute-windows";

const SECOND = 1_000;

test("so many a minute are taken, and each leaves room a minute later", () => {
  const windows = new MinuteWindows();
  expect([0, 10, 20].map((at) => windows.take(1, 3, at * SECOND))).toEqual([0, 0, 0]);
  // A request counts until a minute after the end of its second.
  expect(windows.take(1, 3, 30 * SECOND)).toBe(31);
  expect(windows.take(1, 3, 60.9 * SECOND)).toBe(1);
  expect(windows.take(1, 3, 61 * SECOND)).toBe(0);
  expect(windows.take(1, 3, 61 * SECOND)).toBe(10);
});

test("whoever waits as long as told finds room, however full the window was", () => {
  const windows = new MinuteWindows();
  for (let at = 0; at < 600; at += 1) expect(windows.take(1, 600, at * 40)).toBe(0);
  const wait = windows.take(1, 600, 24 * SECOND);
  expect(windows.take(1, 600, (24 + wait - 1) * SECOND)).toBeGreaterThan(0);
  expect(windows.take(1, 600, (24 + wait) * SECOND)).toBe(0);
});

test("nobody takes another's room", () => {
  const windows = new MinuteWindows();
  expect(windows.take(1, 1, 0)).toBe(0);
  expect(windows.take(1, 1, 0)).toBeGreaterThan(0);
  expect(windows.take(2, 1, 0)).toBe(0);
});

test("what is given back counts no more, and later it changes nothing", () => {
  const windows = new MinuteWindows();
  windows.take(1, 1, 5 * SECOND);
  windows.giveBack(1, 5 * SECOND);
  expect(windows.take(1, 1, 6 * SECOND)).toBe(0);
  windows.giveBack(1, 5 * SECOND);
  windows.giveBack(2, 5 * SECOND);
  expect(windows.take(1, 1, 6 * SECOND)).toBeGreaterThan(0);
});

test("a smaller limit holds at once", () => {
  const windows = new MinuteWindows();
  for (const at of [0, 1, 2]) windows.take(1, 3, at * SECOND);
  expect(windows.take(1, 1, 3 * SECOND)).toBe(60);
});
