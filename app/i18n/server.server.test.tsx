import type { i18n as I18n } from "i18next";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { I18nextProvider, Trans, useTranslation } from "react-i18next";
import { expect, test } from "vitest";
import { createI18n } from "./create";
import { LANGUAGES } from "./languages";
import { i18nFor, WORDS } from "./server.server";

type Text = (...given: unknown[]) => string;
const textOf = (i18n: I18n, language: string, namespace: string) =>
  i18n.getFixedT(language, namespace as never) as unknown as Text;

/** Returns all keys of a namespace, joined with dots. */
const keysIn = (words: object, before = ""): string[] =>
  Object.entries(words).flatMap(([key, value]) =>
    typeof value === "object" ? keysIn(value as object, `${before}${key}.`) : [`${before}${key}`],
  );

test.each(LANGUAGES)("every text in %s is the one of the translator itself, asked for twice", (language) => {
  const plain = createI18n(language, WORDS[language]);
  const values = { count: 1_234, name: "<b>", amount: 5_000_000n, date: "1", time: "2" };
  for (const [namespace, words] of Object.entries(WORDS[language])) {
    const [lean, whole] = [i18nFor(language), plain].map((each) => textOf(each, language, namespace));
    for (const key of keysIn(words)) {
      const asked = key.replace(/_(one|many|other|zero)$/, "");
      for (const given of [[key], [key], [asked, values], [asked, { ...values, count: 1 }], [asked]])
        expect(lean!(...given)).toBe(whole!(...given));
    }
  }
});

test.each([
  [["no.such.key"]],
  [["no.such.key", "instead"]],
  [["no.such.key", { defaultValue: "instead" }]],
  [["ui:roles.owner"]],
  [["roles.owner", { ns: "ui" }]],
  [["roles.owner", { ns: "ui", lng: "fr" }]],
  [[["no.such.key", "ui:roles.owner"]]],
])("what is asked for in another way, %j, is answered the same", (given) => {
  const [lean, plain] = [i18nFor("de"), createI18n("de", WORDS.de)].map((each) => textOf(each, "de", "jobs"));
  expect(lean!(...given)).toBe(plain!(...given));
});

test("texts with marked-up values have them, in the component's namespace", () => {
  function Notice() {
    const { t } = useTranslation("signIn");
    return (
      <p>
        <Trans t={t} i18nKey="verify.waitText" values={{ email: "ada@example.com" }} components={{ address: <b /> }} />
      </p>
    );
  }
  const [lean, plain] = [i18nFor("fr"), createI18n("fr", WORDS.fr)].map((i18n) =>
    renderToStaticMarkup(createElement(I18nextProvider, { i18n }, <Notice />)),
  );
  expect(lean).toContain("ada@example.com");
  expect(lean).toBe(plain);
});

test("a component has next to nothing to copy", () => {
  const Shows = () => String(Object.keys(Object.getOwnPropertyDescriptors(useTranslation("ui").i18n)).length);
  const markup = renderToStaticMarkup(createElement(I18nextProvider, { i18n: i18nFor("en") }, <Shows />));
  expect(Number(markup)).toBeLessThan(4);
});
