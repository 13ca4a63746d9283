import { expect, test } from "vitest";
import type { StatusDay } from "~/domain/usage/shared";
import { DAYS, MIN_REQUESTS, statusOf } from "./view";

const NOW = new Date("2026-11-23T10:00:00Z");
const day = (fields: Partial<StatusDay>): StatusDay => ({
  ...{ day: new Date("2026-11-23T00:00:00Z"), model: "atlas", region: "eu", requests: 1_000, errors: 0 },
  ...{ latencyMs: 612_345n, firstByteMs: 123_456n, firstBytes: 1_000 },
  ...fields,
});

test("a model has a line for each region, over 90 days, with shares and no counts", () => {
  const { lines } = statusOf(
    [
      day({ region: "us" }),
      day({ errors: 10 }),
      day({ day: new Date("2026-08-26T00:00:00Z"), requests: 100, errors: 100 }),
    ],
    NOW,
  );
  expect(lines.map(({ region }) => region)).toEqual(["eu", "us"]);
  const [eu] = lines;
  expect(eu).toMatchObject({ uptime: 0.9, latencyMs: 1100, firstByteMs: 120 });
  expect(eu?.days).toHaveLength(DAYS);
  expect([eu?.days[0], eu?.days[1], eu?.days[89]]).toEqual([0, null, 0.99]);
  expect(Object.keys(eu ?? {}).toSorted()).toEqual(["days", "firstByteMs", "latencyMs", "model", "region", "uptime"]);
});

test("what few requests have done is not told", () => {
  expect(statusOf([day({ requests: MIN_REQUESTS - 1 })], NOW).lines).toEqual([]);
  expect(statusOf([day({ firstBytes: MIN_REQUESTS - 1 })], NOW).lines[0]?.firstByteMs).toBeNull();
});

test("a share is rounded down: a day with an error is not a day without", () => {
  expect(statusOf([day({ requests: 1_000_000, errors: 1 })], NOW).lines[0]?.uptime).toBe(0.999);
});

test("days outside of the 90 are left out", () => {
  expect(
    statusOf([day({ day: new Date("2026-08-25T00:00:00Z") }), day({ day: new Date("2026-11-24T00:00:00Z") })], NOW)
      .lines,
  ).toEqual([]);
});
