import { describe, expect, test } from "vitest";
import { AUDIT_ACTIONS } from "~/domain/activity/shared";
import { LANGUAGES } from "~/i18n/languages";
import { WORDS } from "~/i18n/server.server";
import { filesUnder } from "./source-tree";

type Nested = Readonly<Record<string, Readonly<Record<string, string>>>>;
const activity = (language: (typeof LANGUAGES)[number]) =>
  WORDS[language].activity as unknown as { acts: Nested; sentences: Nested };
const at = (words: Nested, action: string) => {
  const [kind = "", event = ""] = action.split(".");
  return words[kind]?.[event];
};
const missingFrom = (words: Nested) => AUDIT_ACTIONS.filter((action) => at(words, action) === undefined);

describe.each(LANGUAGES)("in %s, every kind of act that is recorded has", (language) => {
  test("a label to filter by", () => {
    expect(missingFrom(activity(language).acts)).toEqual([]);
  });

  test("a sentence that names who did it, and needs nothing that may not have been recorded", () => {
    const { sentences } = activity(language);
    expect(missingFrom(sentences)).toEqual([]);
    const plain = AUDIT_ACTIONS.map((action) => at(sentences, action) ?? "");
    expect(plain.filter((sentence) => !sentence.includes("<actor/>") || /<(?!actor|target)/.test(sentence))).toEqual(
      [],
    );
  });
});

test("no sentence is left of a kind of act that is not recorded", () => {
  const { acts, sentences } = activity("en");
  const known = (words: Nested) =>
    Object.entries(words).flatMap(([kind, events]) => Object.keys(events).map((event) => `${kind}.${event}`));
  expect(known(acts).toSorted()).toEqual(AUDIT_ACTIONS.toSorted());
  const stray = known(sentences).filter(
    (key) =>
      !/^(budget|credit)\./.test(key) &&
      !AUDIT_ACTIONS.some((action) => key === action || key.startsWith(`${action}_`)),
  );
  expect(stray).toEqual([]);
});

test("what the database records by itself is in the list too", () => {
  const inserts = filesUnder("app/domain", /\.sql$/).flatMap(({ text }) =>
    [...text.matchAll(/INSERT INTO act\b[\s\S]*?;/g)].flatMap(([statement]) => [
      ...statement.matchAll(/'([a-z_]+\.[a-z_]+)'/g),
    ]),
  );
  const recorded = inserts.map(([, action]) => action);
  expect(recorded).not.toEqual([]);
  expect(recorded.filter((action) => !AUDIT_ACTIONS.some((known) => known === action))).toEqual([]);
});
