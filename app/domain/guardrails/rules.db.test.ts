import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { db } from "~/connection/db.server";
import { openFreshDatabase, type TestDatabase } from "../../../tests/support/database";
import { checkedChange } from "./rules";
import type { GuardrailChange } from "./shared";

let database: TestDatabase;
beforeAll(async () => {
  setConfig(readConfig({ GW_SECRET: "a-secret-for-tests-only-0123456789abcdef" }));
  database = await openFreshDatabase();
});
afterAll(() => database.close());

const add = (pattern: string): GuardrailChange => ({
  kind: "add",
  rule: { name: "rule", on: "both", action: "flag", kind: "pattern", pattern },
});
const outcome = (userId: number, change: GuardrailChange): Promise<string> =>
  checkedChange(db(), { userId }, change).then(
    () => "taken",
    ({ code }) => code,
  );

test("a person may have 120 expressions compiled at once, good or bad ones, and others are not held up by that", async () => {
  const outcomes = [];
  for (let turn = 0; turn < 120; turn += 1) outcomes.push(await outcome(1, add(turn % 2 === 0 ? "a+" : "(")));
  expect(new Set(outcomes)).toEqual(new Set(["taken", "invalid_input"]));
  expect(await outcome(1, add("a+"))).toBe("rate_limit_exceeded");
  expect(await outcome(1, { kind: "remove", id: "000000000001" })).toBe("taken");
  expect(await outcome(2, add("a+"))).toBe("taken");
});
