import { expect, test } from "vitest";
import { isWeakPassword } from "./weak-password";

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
  "Passwort1234",
  "motdepasse12",
  "contrasena12",
  "Willkommen1",
  "bienvenue2026",
  "Sommer2026!",
  "Dezember2026",
  "starwars1977",
  "19.11.1984",
])("%s is guessed early", (password) => {
  expect(isWeakPassword(password)).toBe(true);
});

test.each([
  "several words and a half",
  "several words",
  "correct horse battery staple",
  "Tr0ub4dor&3x",
  "my password is blue tea",
  "k8#Vq!zm2Lp",
  "ÄpfelUndBirnen im Herbst",
  "fünf Zwerge im Regal",
])("%s is not", (password) => {
  expect(isWeakPassword(password)).toBe(false);
});

test("of a long password the strongest part counts, wherever it stands", () => {
  const weak = "p@$$w0rd".repeat(16);
  expect(isWeakPassword(weak)).toBe(true);
  expect(isWeakPassword(`blue tea and quiet stairs${weak}`)).toBe(false);
  expect(isWeakPassword(`${weak}blue tea and quiet stairs`)).toBe(false);
});
