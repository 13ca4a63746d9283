import { expect, test } from "vitest";
import { SearchAttempts } from "./attempts";

test("a person searches 120 times a minute, whatever others do", () => {
  const attempts = new SearchAttempts();
  const waits = Array.from({ length: 121 }, (_, second) => attempts.count(1, second * 100));
  expect(waits.filter((seconds) => seconds > 0)).toEqual([48]);
  expect(attempts.count(2, 12_000)).toBe(0);
  expect(attempts.count(1, 60_000)).toBe(0);
});

test("remembers ten thousand people and no more", () => {
  const attempts = new SearchAttempts();
  for (let turn = 0; turn < 120; turn += 1) attempts.count(0, 0);
  for (let person = 1; person <= 10_000; person += 1) attempts.count(person, 0);
  expect(attempts.count(0, 1)).toBe(0);
});

test("whoever has been away for longest is forgotten first, and not who goes on searching", () => {
  const attempts = new SearchAttempts();
  for (let person = 0; person < 10_000; person += 1) attempts.count(person, 0);
  for (let turn = 0; turn < 119; turn += 1) attempts.count(0, 0);
  expect(attempts.count(10_000, 0)).toBe(0);
  expect(attempts.count(0, 0)).toBe(60);
});
