import { expect, test } from "vitest";
import { createI18n } from "./create";
import { i18nFor, WORDS } from "./server.server";

const german = createI18n("de", WORDS.de);

test("a component has nothing to copy of the translator that it is given", () => {
  expect(Object.keys(Object.getOwnPropertyDescriptors(i18nFor("fr")))).toEqual(["getFixedT"]);
  expect(i18nFor("fr").language).toBe("fr");
  expect(i18nFor("fr").getFixedT("fr", "ui")).toBe(i18nFor("fr").getFixedT("fr", "ui"));
});

test("its texts are those of the translator itself", () => {
  const [lean, plain] = [i18nFor("de").getFixedT("de", "jobs"), german.getFixedT("de", "jobs")] as [never, never];
  const both = (...given: unknown[]) => [lean, plain].map((t) => (t as (...all: unknown[]) => string)(...given));
  for (const given of [
    ["title"],
    ["handled", { count: 1_234 }],
    ["handled", { count: 1 }],
    ["ui:roles.owner"],
    ["every", { time: "<b>" }],
    ["no.such.key"],
    ["no.such.key", "instead"],
    ["roles.owner", { ns: "ui" }],
  ]) {
    const [one, other] = both(...given);
    expect(one).toBe(other);
  }
});
