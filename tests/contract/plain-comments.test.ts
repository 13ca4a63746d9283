import { expect, test } from "vitest";
import { filesUnder } from "./source-tree";

/** Words that comments replace: "no one" or the role, "a person", "the operator that …", the noun instead of "what is …". */
const DISCOURAGED =
  /\b(?:nobody|somebody|whoever|what (?:is|was|are) (?:told|asked|given|kept)|so (?:many|often) [a-z]+ (?:is|are))\b/i;
const COMMENT = /(?:^\s*(?:\/\/|\/?\*|--|#)|\s(?:\/\/|\/\*\*) ).*$/;
const files = ["app", "tests", "scripts"].flatMap((folder) => filesUnder(folder, /\.(?:[cm]?[jt]sx?|py|sql)$/));

test("comments are plain technical English", () => {
  const found = files
    .filter(({ path }) => path !== "tests/contract/plain-comments.test.ts")
    .flatMap(({ path, text }) =>
      text.split("\n").flatMap((line, at) => {
        const [word] = DISCOURAGED.exec(COMMENT.exec(line)?.[0] ?? "") ?? [];
        return word === undefined ? [] : [`${path}:${at + 1}: ${word}`];
      }),
    );
  expect(found).toEqual([]);
});

test("object literals have their members themselves, not spreads of literals", () => {
  const found = files
    .filter(({ path }) => /\.tsx?$/.test(path) && !/^tests\/|\.test\.|__fixtures__/.test(path))
    .flatMap(({ path, text }) => [...text.matchAll(/(?<!\{)\.\.\.\{ \w/g)].map(({ index }) => `${path} ${index}`));
  expect(found).toEqual([]);
});
