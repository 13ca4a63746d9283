import fc from "fast-check";
import pg from "pg";
import { expect, test } from "vitest";
import { aBooking, aHold, someParties } from "../../../tests/support/accounting";
import { admitValues, settleValues } from "./batch-text";

const TEXT_ARRAY = 1009;
const read = pg.types.getTypeParser(TEXT_ARRAY as never) as unknown as (text: string) => (string | null)[];
const MODEL = 14;
const ATTEMPTS = 27;

test("any text survives as an array element, less what the database cannot keep", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary", maxLength: 30 }), { minLength: 1, maxLength: 5 }), (texts) => {
      const batch = texts.map((model) => aBooking(aHold(someParties(1), 1n), 1n, { model }));
      const kept = texts.map((text) => text.replaceAll("\u0000", ""));
      expect(read(settleValues(batch, "x")[MODEL] as string)).toEqual(kept);
    }),
  );
});

test.each(["NULL", "null", "", "a,b", "{}", '"', "\\", "a b", "\n", "é"])("%j stays itself", (model) => {
  const [only] = read(settleValues([aBooking(aHold(someParties(1), 1n), 1n, { model })], "x")[MODEL] as string);
  expect(only).toBe(model);
});

test("attempts are JSON that jsonb takes, whatever a supplier has named its error", () => {
  const attempt = {
    supplier: "s",
    region: "eu",
    upstreamModel: "m",
    startedMs: 0,
    endedMs: 1,
    outcome: "unknown",
    status: null,
  } as const;
  const booking = aBooking(aHold(someParties(1), 1n), 1n, { attempts: [{ ...attempt, code: "a\u0000b\ud800" }] });
  const text = settleValues([booking, booking], "x")[ATTEMPTS] as string;
  expect(text).not.toMatch(/\\u0000|\\ud800/i);
  expect((JSON.parse(text) as { code: string }[][])[1]![0]!.code).toBe("ab\ufffd");
});

test("columns are as long as the batch", () => {
  const batch = [aHold(someParties(1), 5n), aHold(someParties(2, { userId: 3 }), 6n, { rateLimitRpm: 7 })];
  const values = admitValues(batch, "me", "1 s");
  expect(values.slice(1)).toEqual([
    "{1,1}",
    "{1,1}",
    "{NULL,3}",
    "{NULL,NULL}",
    "{NULL,NULL}",
    "{1,2}",
    "{f,f}",
    "{5,6}",
    "{NULL,7}",
    "{1,1}",
    "me",
    "1 s",
  ]);
});
