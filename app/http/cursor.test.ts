import { expect, test } from "vitest";
import { decodeCursor, encodeCursor } from "./cursor";

const MAX_COUNT = 2n ** 63n - 1n;

test("a cursor comes back as it went", () => {
  expect(decodeCursor("keys", encodeCursor("keys", 42), MAX_COUNT)).toBe(42n);
  expect(decodeCursor("audit", encodeCursor("audit", MAX_COUNT), MAX_COUNT)).toBe(MAX_COUNT);
});

test.each([
  "",
  "42",
  "%%%",
  encodeCursor("audit", 42),
  encodeCursor("keys", MAX_COUNT + 1n),
  `${encodeCursor("keys", 42)}=`,
  Buffer.from("keys:-1").toString("base64url"),
  Buffer.from("keys:042").toString("base64url"),
])("%j is not a cursor of the list", (text) => {
  expect(decodeCursor("keys", text, MAX_COUNT)).toBeNull();
});
