import { expect, test } from "vitest";
import { newCallId } from "./call-id";

test("ids have the form of version 7, sort by time and never repeat", () => {
  const ids = Array.from({ length: 20_000 }, () => newCallId());
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(newCallId(1_000) < newCallId(2_000)).toBe(true);
  expect(newCallId(0x19_0000_0000_00).startsWith("19000000-0000-7")).toBe(true);
});
