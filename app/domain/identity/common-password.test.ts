import { expect, test } from "vitest";
import { isCommonPassword } from "./common-password";

test.each([
  "password123",
  "Password2026!",
  "P@ssw0rd2026",
  "1234567890",
  "0987654321",
  "qwertyuiop",
  "QWERTZUIOP123",
  "abcdefghijkl",
  "abcabcabcabc",
  "iloveyou1234",
  "Letmein!2026",
  "1q2w1q2w1q2w",
])("%s is tried first by everybody", (password) => {
  expect(isCommonPassword(password)).toBe(true);
});

test.each([
  "several words and a half",
  "correct horse battery staple",
  "Tr0ub4dor&3x",
  "my password is blue tea",
  "k8#Vq!zm2Lp",
  "ÄpfelUndBirnen im Herbst",
])("%s is not", (password) => {
  expect(isCommonPassword(password)).toBe(false);
});
