import { expect, test } from "vitest";
import { subjectIn } from "./provider-claims";

test.each([undefined, null, "", " ", "\t", " u1", "u 1", "ü", "u\u0000", 7, ["u1"], {}, "x".repeat(256)])(
  "%j names nobody, at whatever provider",
  (subject) => {
    expect(() => subjectIn(subject)).toThrow("names nobody");
  },
);

test.each(["7", "auth0|5f7c8ec7", "x".repeat(255)])("%j names one person", (subject) => {
  expect(subjectIn(subject)).toBe(subject);
});
