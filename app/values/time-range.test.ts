import { describe, expect, test } from "vitest";
import { startOfDay, startOfLast30Days } from "~/values/calendar-days";
import { timeZoneNamed, windowOf } from "./time-range";

const at = (text: string) => new Date(text);

describe("the window of a range", () => {
  test("ends with the hour, and has one of the same length before it", () => {
    const { from, to, bucket, before } = windowOf("24h", "UTC", at("2026-11-21T10:20:00Z"));
    expect([from, to, bucket]).toEqual([at("2026-11-20T11:00:00Z"), at("2026-11-21T11:00:00Z"), "hour"]);
    expect(before).toEqual({ from: at("2026-11-19T11:00:00Z"), to: at("2026-11-20T11:00:00Z") });
  });

  test("of days begins at midnight where the reader is", () => {
    expect(windowOf("7d", "UTC", at("2026-11-21T10:20:00Z")).from).toEqual(at("2026-11-15T00:00:00Z"));
    expect(windowOf("7d", "America/New_York", at("2026-11-21T02:00:00Z")).from).toEqual(at("2026-11-14T05:00:00Z"));
    expect(windowOf("90d", "UTC", at("2026-11-21T10:20:00Z")).from).toEqual(at("2026-08-24T00:00:00Z"));
    expect(windowOf("90d", "Europe/Berlin", at("2026-11-21T10:20:00Z")).from).toEqual(at("2026-08-23T22:00:00Z"));
    expect(windowOf("30d", "Asia/Kathmandu", at("2026-11-21T10:20:00Z")).from).toEqual(at("2026-10-22T18:15:00Z"));
  });

  test.each([
    ["Europe/Berlin", "2026-10-25T12:00:00Z", "2026-10-24T22:00:00.000Z"],
    ["Europe/Berlin", "2026-10-26T12:00:00Z", "2026-10-25T23:00:00.000Z"],
    ["Europe/Berlin", "2026-03-29T12:00:00Z", "2026-03-28T23:00:00.000Z"],
    ["Pacific/Auckland", "2026-11-21T10:00:00Z", "2026-11-20T11:00:00.000Z"],
    // The offset changes between this midnight and that of UTC.
    ["Pacific/Auckland", "2026-04-05T10:00:00Z", "2026-04-04T11:00:00.000Z"],
    ["Pacific/Auckland", "2026-09-27T10:00:00Z", "2026-09-26T12:00:00.000Z"],
    ["Pacific/Apia", "2026-11-21T10:00:00Z", "2026-11-20T11:00:00.000Z"],
  ])("midnight in %s at %s is %s", (zone, now, expected) => {
    expect(startOfDay(at(now), zone).toISOString()).toBe(expected);
  });

  test.each([
    ["Europe/Berlin", "Europe/Berlin"],
    ["Asia/Kolkata", "Asia/Kolkata"],
    ["UTC", "UTC"],
    // To the database, IST is the time zone of Israel, and the names after it are unknown.
    ["IST", "Asia/Calcutta"],
    ["CTT", "Asia/Shanghai"],
    ["US/Pacific-New", "America/Los_Angeles"],
    ["SystemV/EST5", null],
    // Newer versions of Node accept offsets as time zones; the database reads them with the opposite sign.
    ["+05:30", null],
    ["Mars/Olympus", null],
  ])("the time zone %s is the database's %s", (name, known) => {
    expect(timeZoneNamed(name)).toBe(known);
  });
});

test("the last 30 days begin where a chart of them begins, in every time zone", () => {
  for (const zone of ["UTC", "America/New_York", "Pacific/Auckland"])
    for (const now of ["2026-11-23T00:30:00Z", "2026-03-31T23:59:59Z"])
      expect(windowOf("30d", zone, new Date(now)).from).toEqual(startOfLast30Days(new Date(now), zone));
});
