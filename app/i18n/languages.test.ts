import { expect, test } from "vitest";
import { EmailField, NewPasswordField, PersonNameField } from "~/domain/accounts/shared";
import { issueMessage } from "~/errors/issue-words";
import { messageOf } from "~/errors/message";
import { acceptedLanguage } from "./accepted-language.server";

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

test("whatever is wrong with a field of the sign-in is a message of the language files", () => {
  const by = { error: issueMessage };
  const wrong = [
    ...["", "x", "x".repeat(300)].map((value) => EmailField.safeParse(value, by)),
    ...["", "x".repeat(200), "a\u0000"].map((value) => PersonNameField.safeParse(value, by)),
    ...["short", "x".repeat(200), "aaaaaaaaaaaa"].map((value) => NewPasswordField.safeParse(value, by)),
  ];
  const texts = new Set(wrong.flatMap(({ error }) => error?.issues.map(({ message }) => message) ?? []));
  expect(texts.size).toBeGreaterThanOrEqual(8);
  expect([...texts].filter((text) => messageOf(text) === null)).toEqual([]);
});
