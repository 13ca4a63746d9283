import { expect, test } from "vitest";
import { requireStrongPassword } from "~/domain/identity/index.server";
import { EmailField, NewPasswordField, PersonNameField } from "~/domain/identity/shared";
import type { AppError } from "~/errors/app-error";
import { acceptedLanguage } from "./accepted-language.server";
import { inLanguage } from "./server.server";

test.each([
  [null, "en"],
  ["", "en"],
  ["de-AT,de;q=0.9,en;q=0.8", "de"],
  ["nl,fr;q=0.5,es;q=0.7", "es"],
  ["fr;q=0, es;q=0.1", "es"],
  ["*", "en"],
  ["DE", "de"],
  ["pt-BR,it", "en"],
  ["de;q=x", "en"],
  ["de-AT, en;q=0.95, de;q=0.9", "de"],
  ["*, es;q=0.1", "es"],
  [",;q=1,,", "en"],
  ["x".repeat(100_000), "en"],
])("Accept-Language %j is answered in %s", (header, language) => {
  expect(acceptedLanguage(header?.slice(0, 200_000) ?? header)).toBe(language);
});

test("every sentence of the sign-in's fields is known in German", () => {
  const wrong = [
    ...["", "x", "x".repeat(300)].map((value) => EmailField.safeParse(value)),
    ...["", "x".repeat(200), "a\u0000"].map((value) => PersonNameField.safeParse(value)),
    ...["short", "x".repeat(200), "aaaaaaaaaaaa"].map((value) => NewPasswordField.safeParse(value)),
  ];
  const sentences = new Set(wrong.flatMap(({ error }) => error?.issues.map(({ message }) => message) ?? []));
  try {
    requireStrongPassword("password1234");
  } catch (problem) {
    sentences.add((problem as AppError).humanMessage);
  }
  expect(sentences.size).toBeGreaterThanOrEqual(9);
  expect([...sentences].filter((sentence) => inLanguage(sentence, "de") === sentence)).toEqual([]);
});

test("a key becomes its words, and other texts stay as they are", () => {
  expect(inLanguage("signIn:login.title", "fr")).toBe("Connexion");
  expect(inLanguage("Nobody has translated this: yet", "fr")).toBe("Nobody has translated this: yet");
});
