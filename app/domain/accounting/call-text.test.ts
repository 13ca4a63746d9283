import fc from "fast-check";
import { expect, test } from "vitest";
import { aHold, aSettlement, someParties } from "../../../tests/support/accounting";
import { admitValues, finishedText, settleValues } from "./call-text";

/** Parses an array of composites as the database does: the fields of each, null for an empty unquoted field. */
function read(text: string): (string | null)[][] {
  const rows = [...text.matchAll(/"((?:[^"\\]|\\.)*)"/gs)].map(([, row]) => row!.replace(/\\(.)/gs, "$1"));
  return rows.map((row) =>
    [...row.slice(1, -1).matchAll(/(?:^|,)(?:"((?:[^"\\]|\\.|"")*)"|([^,]*))/gs)].map(([, quotedText, plain]) =>
      quotedText === undefined ? plain || null : quotedText.replace(/""|\\(.)/gs, (_, kept) => kept ?? '"'),
    ),
  );
}

const MODEL = 14;
const aCall = (more: Parameters<typeof aSettlement>[2]) => aSettlement(aHold(someParties(1), 1n), 1n, more);
const fieldsOf = (...batch: ReturnType<typeof aCall>[]) =>
  read(settleValues(batch.map(finishedText), "x")[0] as string);

test("any text survives as a field, less what the database cannot keep", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary", maxLength: 30 }), { minLength: 1, maxLength: 5 }), (texts) => {
      const kept = texts.map((text) => text.replaceAll("\u0000", ""));
      expect(fieldsOf(...texts.map((model) => aCall({ model }))).map((row) => row[MODEL])).toEqual(kept);
    }),
  );
});

test.each(["NULL", "null", "", "a,b", "{}", "()", '"', "\\", "a b", "\n", "é"])("%j stays itself", (model) => {
  expect(fieldsOf(aCall({ model }))[0]![MODEL]).toBe(model);
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
  const settlement = aCall({ attempts: [{ ...attempt, code: "a\u0000b\ud800" }] });
  const text = settleValues([settlement, settlement].map(finishedText), "x")[1] as string;
  expect(text).not.toMatch(/\\u0000|\\ud800/i);
  expect((JSON.parse(text) as { code: string }[][])[1]![0]!.code).toBe("ab\ufffd");
});

test("every row has as many fields as its type, with details and without", () => {
  const routing = { routes: [{ supplier: 'the "second"', health: 0.5 }] };
  const [plain, detailed] = fieldsOf(
    aCall({}),
    aCall({ units: { milliseconds: 1_500, toolUses: 2 }, counterfactualNanoUsd: 7n, routing, sessionId: "s" }),
  );
  expect(plain).toHaveLength(41);
  expect(plain!.slice(-10)).toEqual(new Array(10).fill(null));
  expect(detailed!.slice(-10)).toEqual([null, null, null, "1500", null, null, "2", "7", JSON.stringify(routing), null]);
});

test("a batch of requested calls is one row for each", () => {
  const batch = [
    aHold(someParties(1), 5n),
    aHold(someParties(2, { userId: 3 }), 6n, { rateLimitRpm: 7, isSpare: true }),
  ];
  const [calls, ...rest] = admitValues(batch, "me", "1 s");
  expect(read(calls as string).map((row) => row.slice(1))).toEqual([
    ["1", "1", null, null, null, "1", "f", "5", null, "1", "f"],
    ["1", "1", "3", null, null, "2", "f", "6", "7", "1", "t"],
  ]);
  expect(rest).toEqual(["me", "1 s"]);
});
