import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { TimeoutError, withTimeout } from "./with-timeout";

test("what comes in time is given on, an end or a failure", async () => {
  expect(await withTimeout(Promise.resolve(7), 1_000)).toBe(7);
  await expect(withTimeout(Promise.reject(new Error("no")), 1_000)).rejects.toThrow("no");
});

test("what does not come is not waited for, and may fail later without anybody hearing of it", async () => {
  const failing = pause(30).then(() => Promise.reject(new Error("too late to matter")));
  await expect(withTimeout(failing, 5)).rejects.toBeInstanceOf(TimeoutError);
  await pause(60);
});
