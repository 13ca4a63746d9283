import { expect, test } from "vitest";
import { isMonth, knownTimeZone, monthAfter, monthOf, monthsBetween } from "./months";

test("the month of a moment is that of the payer's clocks", () => {
  const at = new Date("2026-12-31T23:30:00Z");
  expect([monthOf(at, "UTC"), monthOf(at, "Europe/Berlin"), monthOf(at, "America/New_York")]).toEqual([
    "2026-12",
    "2027-01",
    "2026-12",
  ]);
});

test("months follow each other across years", () => {
  expect([monthAfter("2026-12"), monthAfter("2026-01", -1)]).toEqual(["2027-01", "2025-12"]);
  expect(monthsBetween("2025-11", "2026-02")).toEqual(["2026-02", "2026-01", "2025-12", "2025-11"]);
  expect(monthsBetween("2026-03", "2026-02")).toEqual([]);
});

test("what is no month or time zone is recognised", () => {
  expect(["2026-00", "2026-13", "26-01", "2026-1", "2026-011"].filter(isMonth)).toEqual([]);
  expect([knownTimeZone(null), knownTimeZone("Mars/Base"), knownTimeZone("Europe/Berlin")]).toEqual([
    "UTC",
    "UTC",
    "Europe/Berlin",
  ]);
});
