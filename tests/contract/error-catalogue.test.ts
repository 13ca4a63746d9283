import { describe, expect, test } from "vitest";
import { CATALOGUE, CATALOGUE_ENTRIES } from "~/errors/catalogue";
import { GROUPS, RETRY_ADVICE } from "~/errors/catalogue-entry";
import { RESERVED } from "~/errors/reserved";
import { filesUnder } from "./source-tree";
import { codesIn, thrownCodes } from "./thrown-codes";

// Client libraries of both families retry these statuses automatically.
const REPEATED_BY_CLIENTS = (status: number) => [408, 409, 429].includes(status) || status >= 500;

describe("the catalogue", () => {
  test("has the 268 codes of the published reference", () => {
    const counts = Object.fromEntries(
      Object.keys(GROUPS).map((group) => [group, CATALOGUE_ENTRIES.filter((entry) => entry.group === group).length]),
    );
    expect(counts).toEqual({ S: 18, R: 49, A: 23, P: 19, B: 2, C: 157 });
    expect(CATALOGUE.size).toBe(268);
    expect(CATALOGUE_ENTRIES).toHaveLength(268);
  });

  test("names codes as identifiers", () => {
    for (const { code } of CATALOGUE_ENTRIES) expect(code).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
  });

  test("says something of its own to people about every code", () => {
    const messages = CATALOGUE_ENTRIES.map((entry) => entry.humanMessage);
    expect(new Set(messages).size).toBe(messages.length);
    for (const { code, humanMessage } of CATALOGUE_ENTRIES) {
      expect(humanMessage, code).toMatch(/^[A-Z].{10,190}[.]$/);
      expect(humanMessage, code).not.toMatch(/ {2}|\n|_unavailable|undefined|null|<|>/);
      // A message must not contain the separator of formatted messages.
      expect(humanMessage, code).not.toContain(" - ");
    }
  });
});

describe("statuses", () => {
  test("are error statuses, with the type that client libraries expect", () => {
    const types: Record<number, string> = {
      401: "authentication_error",
      402: "billing_error",
      403: "permission_error",
      404: "not_found_error",
      409: "conflict_error",
      413: "request_too_large",
      429: "rate_limit_error",
    };
    for (const { code, status, type } of CATALOGUE_ENTRIES) {
      expect(status >= 400 && status <= 504, `${code} ${status}`).toBe(true);
      expect(type, code).toBe(types[status] ?? type);
    }
  });

  test("follow the rules of the groups", () => {
    const statusesOf = (group: string) =>
      new Set(CATALOGUE_ENTRIES.filter((entry) => entry.group === group).map((entry) => entry.status));
    expect([...statusesOf("P")]).toEqual([403]);
    expect([...statusesOf("A")].sort()).toEqual([401, 403]);
    for (const status of statusesOf("R")) expect(status >= 500 || status === 429 || status === 408).toBe(true);
  });

  test.each([
    ["billing_limit_reached", 403, "permission_error"],
    ["payment_required", 402, "billing_error"],
    ["budget_exceeded", 429, "rate_limit_error"],
    ["rate_limit_exceeded", 429, "rate_limit_error"],
    ["invalid_api_key", 401, "authentication_error"],
    ["model_not_allowed", 403, "permission_error"],
    ["model_not_found", 404, "not_found_error"],
    ["method_not_allowed", 405, "invalid_request_error"],
    ["idempotency_conflict", 409, "conflict_error"],
    ["request_too_large", 413, "request_too_large"],
    ["unsupported_media_type", 415, "invalid_request_error"],
    ["validation_error", 422, "invalid_request_error"],
    ["csrf_rejected", 403, "permission_error"],
    ["internal_error", 500, "api_error"],
    ["billing_unavailable", 503, "api_error"],
  ])("%s is %i %s", (code, status, type) => {
    expect(CATALOGUE.get(code)).toMatchObject({ status, type });
  });
});

describe("repeating", () => {
  test("429 and 503 say when, in whole seconds", () => {
    const silent = CATALOGUE_ENTRIES.filter(
      ({ status, retryAfterSeconds }) => [429, 503].includes(status) && !Number.isInteger(retryAfterSeconds),
    );
    expect(silent).toEqual([]);
  });

  test("what may already have cost something has a status that no client repeats by itself", () => {
    const dangerous = CATALOGUE_ENTRIES.filter(
      ({ retry, status }) => (retry === "never" || retry === "check") && REPEATED_BY_CLIENTS(status),
    );
    expect(dangerous).toEqual([]);
  });

  test("every kind of advice is written down", () => {
    for (const { retry } of CATALOGUE_ENTRIES) expect(RETRY_ADVICE[retry]).toBeTruthy();
  });
});

test("every code that is thrown is in the catalogue", () => {
  const thrown = filesUnder("app", /\.tsx?$/).flatMap(({ path, text }) =>
    [...text.matchAll(/\b(?:apiError|new AppError)\(\s*"([^"]+)"/g)].map((match) => ({
      path,
      code: match[1] as string,
    })),
  );
  expect(thrown.length).toBeGreaterThan(5);
  expect(thrown.filter(({ code }) => !CATALOGUE.has(code))).toEqual([]);
});

describe("every code of the catalogue", () => {
  const thrown = thrownCodes();

  test("is answered with somewhere, or says why it is reserved", () => {
    expect(CATALOGUE_ENTRIES.filter(({ reserved }) => reserved === "")).toEqual([]);
    const unreachable = CATALOGUE_ENTRIES.filter(({ code, reserved }) => reserved === null && !thrown.has(code));
    expect(unreachable.map(({ code }) => code)).toEqual([]);
  });

  test("that is reserved is answered with nowhere", () => {
    const inUse = CATALOGUE_ENTRIES.filter(({ code, reserved }) => reserved !== null && thrown.has(code));
    expect(inUse.map(({ code }) => [code, thrown.get(code)])).toEqual([]);
  });

  test("that a reason names in place of another is in use", () => {
    const named = Object.values(RESERVED).flatMap((reason) => reason.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((code) => !thrown.has(code))).toEqual([]);
  });

  test("is found where it is answered with, and not where it is compared, listed or a key", () => {
    const found = (text: string) => codesIn({ path: "x.ts", text });
    expect(found('throw apiError(late ? "timeout" : "conflict", { param: "forbidden" });')).toEqual([
      "timeout",
      "conflict",
    ]);
    expect(found('const code: ErrorCode = error ?? "not_found";')).toEqual(["not_found"]);
    expect(found('function f(): ErrorCode { return many ? "conflict" : "forbidden"; }')).toEqual([
      "conflict",
      "forbidden",
    ]);
    expect(found('return { kind: "timeout", code: "conflict" };')).toEqual(["conflict"]);
    expect(found('if (error.code === "timeout") return kind("timeout"); const codes = ["conflict"];')).toEqual([]);
    expect(found('return "timeout";')).toEqual([]);
  });
});
