import { expect, test, vi } from "vitest";
import { ConfigError } from "~/config/error";
import { log } from "~/observe/log.server";
import { oneLine, whenReachable } from "./await-database";

const coded = (code: string, message = code) => Object.assign(new Error(message), { code });
const PLACE = { name: "the database", waitMs: 60_000 };

/** Fails `failures` times, then succeeds. Sleeping advances the clock. */
async function attemptsUntilReached(problem: Error, failures: number, waitMs = PLACE.waitMs) {
  const told = vi.spyOn(log, "warn").mockReturnValue(undefined);
  let nowMs = 0;
  const clock = {
    now: () => nowMs,
    sleep: async (ms: number) => {
      nowMs += ms;
    },
  };
  let attempts = 0;
  const work = async () => {
    attempts += 1;
    if (attempts <= failures) throw problem;
    return "reached";
  };
  const outcome = await whenReachable({ ...PLACE, waitMs }, work, clock).catch((error: unknown) => error);
  const lines = told.mock.calls.map(([, line]) => line);
  told.mockRestore();
  return { outcome, attempts, told: lines };
}

test.each([
  coded("ECONNREFUSED"),
  coded("ENOTFOUND"),
  coded("EAI_AGAIN"),
  coded("ETIMEDOUT"),
  coded("57P03", "the database system is starting up"),
  coded("53300", "sorry, too many clients already"),
  coded("P1001"),
  coded("P2028", "Transaction API error: timeout"),
  new Error("Connection terminated unexpectedly"),
  new Error("timeout expired"),
  new AggregateError([coded("ECONNREFUSED"), coded("ENETUNREACH")]),
  new Error("a query failed", { cause: coded("ECONNRESET") }),
])("a start waits while the database says: $message $code", async (error) => {
  expect(await attemptsUntilReached(error, 3)).toMatchObject({ outcome: "reached", attempts: 4 });
});

test.each([
  coded("28P01", 'password authentication failed for user "gw"'),
  coded("3D000", 'database "gwx" does not exist'),
  coded("42501", "permission denied"),
  new ConfigError("a migration was edited"),
  new TypeError("undefined is not a function"),
])("what no waiting mends is told at once: $message", async (error) => {
  expect(await attemptsUntilReached(error, 3)).toEqual({ outcome: error, attempts: 1, told: [] });
});

test("the wait has an end, which is one line, and says every ten seconds what is waited for", async () => {
  const { outcome, told } = await attemptsUntilReached(coded("ECONNREFUSED", "connect ECONNREFUSED ::1:5432"), 1e9);
  expect(outcome).toEqual(new ConfigError("the database does not answer: connect ECONNREFUSED ::1:5432"));
  expect(told).toEqual(Array.from({ length: 6 }, () => "waiting for the database: connect ECONNREFUSED ::1:5432"));
});

test("with no time to wait there is one attempt", async () => {
  const { outcome, attempts, told } = await attemptsUntilReached(coded("57P03", "starting up"), 1e9, 0);
  expect([attempts, told]).toEqual([1, []]);
  expect(outcome).toEqual(new ConfigError("the database does not answer: starting up"));
});

test("an error of several lines is told by the one that says what happened", () => {
  const several = new Error("\nInvalid `prisma.supplier.upsert()` invocation:\n\n\nTransaction API error: too late");
  expect(oneLine(several)).toBe("Transaction API error: too late");
  expect(oneLine(new AggregateError([new Error("one\n"), new Error("two")]))).toBe("one, two");
});
