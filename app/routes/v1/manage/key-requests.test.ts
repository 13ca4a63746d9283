import { describe, expect, test } from "vitest";
import { parseJson } from "~/http/body/json/money-json";
import { problemOf, validationResponse } from "~/http/validation-problem";
import { AMOUNTS, ChangeKey, CreateKey, ListKeys, RotateKey } from "./key-requests";

const create = (json: string) => CreateKey.safeParse(parseJson(json, { amounts: AMOUNTS }));
const change = (json: string) => ChangeKey.safeParse(parseJson(json, { amounts: AMOUNTS }));

describe("budget_limit", () => {
  test.each([
    ["0", 0n],
    ["0.000000001", 1n],
    ["10.50", 10_500_000_000n],
    ["9200000000", 9_200_000_000_000_000_000n],
    // Notations of small and round numbers in the libraries of several languages.
    ["1e-05", 10_000n],
    ["1e-7", 100n],
    ["2.5E+1", 25_000_000_000n],
    ["1e3", 1_000_000_000_000n],
    ["10e-10", 1n],
    ["0e0", 0n],
    ["null", null],
  ])("%s is taken exactly", (text, nanoUsd) => {
    expect(change(`{"budget_limit":${text}}`).data?.budget?.limitNanoUsd).toBe(nanoUsd);
  });

  test.each([
    "1e-10",
    "1e10",
    "1e400",
    "1e-9999",
    "-1e3",
    "-1",
    "-0",
    "-0.5",
    "0.0000000001",
    "9200000000.000000001",
    "99999999999",
    '"10"',
    '"NaN"',
    "true",
    "[]",
    "{}",
  ])("%s is refused", (text) => {
    const read = change(`{"budget_limit":${text}}`);
    expect(read.error?.issues.map(({ path }) => path)).toEqual([["budget_limit"]]);
  });

  test("left out, the budget is left alone", () => {
    expect(change('{"name":"x"}').data).not.toHaveProperty("budget");
    expect(change('{"budget_period":"daily"}').data?.budget).toEqual({ period: "daily", limitNanoUsd: undefined });
  });
});

test("a key without a budget can be made again from what is shown of it", () => {
  const shown = '{"name":"n","budget_limit":null,"budget_period":null}';
  expect(create(shown).data).not.toHaveProperty("budget");
  expect(change('{"budget_period":null}').data).not.toHaveProperty("budget");
  expect(change('{"budget_limit":null,"budget_period":null}').data?.budget).toEqual({ limitNanoUsd: null });
  expect(create('{"name":"n","budget_limit":null,"budget_period":"daily"}').data?.budget).toEqual({ period: "daily" });
});

describe("allowed_regions", () => {
  test.each([
    ['"eu"', ["eu"]],
    ['"eu, us-east"', ["eu", "us-east"]],
    ['["eu","us"]', ["eu", "us"]],
    ['""', []],
    ["null", []],
    ["[]", []],
  ])("%s is understood", (json, regions) => {
    expect(create(`{"name":"n","allowed_regions":${json}}`).data?.allowedRegions).toEqual(regions);
  });

  test.each(['","', '"eu,,us"', '["eu",""]', '"eu us"', "5", '[["eu"]]'])(
    "%s is refused: a lock must not vanish by a slip",
    (json) => {
      expect(create(`{"name":"n","allowed_regions":${json}}`).success).toBe(false);
    },
  );
});

test.each([
  ["{}", "name"],
  ['{"name":""}', "name"],
  ['{"name":"  "}', "name"],
  ['{"name":"a\\u0000b"}', "name"],
  ['{"name":"\\ud800"}', "name"],
  ['{"name":"n","rate_limit_rpm":0}', "rate_limit_rpm"],
  ['{"name":"n","rate_limit_rpm":1.5}', "rate_limit_rpm"],
  ['{"name":"n","rate_limit_rpm":99999999999}', "rate_limit_rpm"],
  ['{"name":"n","budget_period":"weekly"}', "budget_period"],
  ['{"name":"n","metadata":{"a":1}}', "metadata"],
  ['{"name":"n","metadata":{"a":"\\u0000"}}', "metadata"],
  ['{"name":"n","metadata":{"a":"b","__proto__":"c"}}', "metadata"],
  ['{"name":"n","allowed_models":"gpt"}', "allowed_models"],
  ['{"name":"n","expires_at":"tomorrow"}', "expires_at"],
  ['{"name":"n","expires_at":"2026-01-01T00:00:00"}', "expires_at"],
  ['{"name":"n","expires_at":"0000-01-01T00:00:00Z"}', "expires_at"],
  ['{"name":"n","kind":"root"}', "kind"],
])("%s is refused for %s", (json, field) => {
  expect(create(json).error?.issues.map(({ path }) => path[0])).toContain(field);
});

test("an unknown field is named, also one that would reach a prototype", async () => {
  const read = change('{"budget":1,"__proto__":{"x":1}}');
  const body = await validationResponse(problemOf(read.error!, "body")).json();
  expect(body.detail).toEqual([
    { loc: ["body", "budget"], msg: "There is no such field.", type: "extra_forbidden" },
    { loc: ["body", "__proto__"], msg: "There is no such field.", type: "extra_forbidden" },
  ]);
});

test("the 422 body is the validation body and the gateway's envelope in one", async () => {
  const response = validationResponse(problemOf(create("{}").error!, "body"));
  const body = await response.json();
  expect(response.status).toBe(422);
  expect(body.detail).toEqual([{ loc: ["body", "name"], msg: expect.any(String), type: "missing" }]);
  expect(body).toMatchObject({ code: "validation_error", message: `validation_error - ${body.human_message}` });
  expect(body.error).toEqual({
    code: "validation_error",
    type: "invalid_request_error",
    message: body.message,
    human_message: body.human_message,
  });
});

test("what is not an object is refused as a whole", async () => {
  const body = await validationResponse(problemOf(create("[]").error!, "body")).json();
  expect(body.detail[0].loc).toEqual(["body"]);
});

test("an overlap is whole seconds, at most 30 days, and none by itself", () => {
  expect(RotateKey.parse({})).toEqual({ overlapSeconds: 0 });
  expect(RotateKey.safeParse({ overlap_seconds: 2_592_001 }).success).toBe(false);
  expect(RotateKey.safeParse({ overlap_seconds: -1 }).success).toBe(false);
  expect(RotateKey.safeParse({ overlap_seconds: "5" }).success).toBe(false);
});

test("a page of keys", () => {
  expect(ListKeys.parse({})).toEqual({ limit: 50, beforeId: null, status: null });
  for (const bad of [{ limit: "0" }, { limit: "201" }, { limit: "x" }, { status: "gone" }, { cursor: "42" }]) {
    expect(ListKeys.safeParse(bad).success).toBe(false);
  }
});
