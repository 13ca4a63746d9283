import { setImmediate as round } from "node:timers/promises";
import { expect, test } from "vitest";
import { ownTurn, TimeSlice } from "./time-slice";

test("of all the work that takes long, each round of the event loop serves one slice", async () => {
  const served: string[] = [];
  const work = async (name: string) => {
    const slice = new TimeSlice();
    for (let turn = 0; turn < 3; turn += 1) {
      await slice.next();
      served.push(name);
    }
  };
  const all = Promise.all([work("a"), work("b"), work("c")]);
  const growth: number[] = [];
  for (let rounds = 0; served.length < 9 && rounds < 50; rounds += 1) {
    const before = served.length;
    await round();
    growth.push(served.length - before);
  }
  await all;
  expect(served.join("")).toBe("abcabcabc");
  expect(Math.max(...growth)).toBe(1);
});

test("a slice is over after some milliseconds, and begins anew with the next turn", async () => {
  const slice = new TimeSlice();
  expect(slice.isOver).toBe(false);
  const until = performance.now() + 20;
  while (performance.now() < until);
  expect(slice.isOver).toBe(true);
  await slice.next();
  expect(slice.isOver).toBe(false);
});

test("short bodies wait for nobody", async () => {
  const waiting = new TimeSlice();
  let isFirst = true;
  const others = waiting.next().then(() => {
    isFirst = false;
  });
  await ownTurn(1_000);
  expect(isFirst).toBe(true);
  await others;
});
