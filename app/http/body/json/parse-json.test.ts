import { expect, test } from "vitest";
import { parseLongJson } from "./parse-json";

const long = (n: number) => JSON.stringify({ n, words: Array.from({ length: 20_000 }, (_, at) => `word ${at}`) });

test("long texts wait for a place, each comes whole, and a malformed one gives its place back", async () => {
  const texts = Array.from({ length: 12 }, (_, n) => (n % 3 === 1 ? `${long(n)}]` : long(n)));
  const outcomes = await Promise.allSettled(texts.map((text) => parseLongJson(text)));
  for (const [n, outcome] of outcomes.entries()) {
    if (n % 3 === 1) expect(outcome).toMatchObject({ status: "rejected", reason: { code: "invalid_json" } });
    else expect(outcome).toMatchObject({ status: "fulfilled", value: { value: JSON.parse(texts[n] as string) } });
  }
  expect(await parseLongJson(long(99))).toMatchObject({ value: { n: 99 } });
});
