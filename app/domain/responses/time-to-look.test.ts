import { expect, test } from "vitest";
import { isCleanupDue } from "./responses";

test("what an owner has is added up about once in a million characters, and behind each long response", () => {
  const looks = (characters: number) =>
    Array.from({ length: 1_000 }, (_, index) => isCleanupDue(characters, index / 1_000)).filter(Boolean).length;
  expect(looks(1)).toBe(1);
  expect(looks(10_000)).toBe(10);
  expect(looks(1_000_000)).toBe(1_000);
  expect(isCleanupDue(3_900_000, 0.999_999)).toBe(true);
});
