import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { nativeViolations } from "../../../../tests/support/stream-grammar";
import { supplierError } from "../../call/supplier-error";
import { NativeStreamReader } from "../../dialects/native/stream";
import { readNativeFailure } from "./failure";

const recorded = (name: string) => readFileSync(new URL(`./__fixtures__/${name}`, import.meta.url));

describe("a refusal", () => {
  const told = (name: string, status: number) =>
    supplierError(readNativeFailure({ status, headers: {}, body: recorded(name) }), 1);

  test("of a token is gw's own trouble, and never the client's 401", () => {
    const problem = told("token-expired.json", 401);
    expect(problem).toMatchObject({ status: 502, code: "vendorb_token_error" });
    expect(problem.humanMessage).not.toContain("signing in");
  });

  test("for a used-up allowance says when it comes back", () => {
    expect(told("usage-limit.json", 429)).toMatchObject({
      status: 429,
      retryAfterSeconds: 3_600,
      type: "usage_limit_reached",
    });
  });

  test("of a request keeps the supplier's words", () => {
    expect(told("unsupported-model.json", 400)).toMatchObject({
      status: 400,
      humanMessage: "The 'agent-9' model is not supported when using this account.",
    });
  });
});

test("an agent's turn passes as it was recorded, with what it used", () => {
  const bytes = recorded("agent-turn.sse");
  const reader = new NativeStreamReader();
  const seen = reader.push(bytes)!.toString("utf8");
  expect(seen + reader.terminal.toString("utf8")).toBe(bytes.toString("utf8"));
  expect(nativeViolations(bytes)).toEqual([]);
  expect(reader.usage).toEqual({
    inputTokens: 8_412,
    cachedInputTokens: 7_936,
    cacheWriteTokens: 0,
    outputTokens: 61,
    reasoningTokens: 32,
  });
  expect(reader.outputText()).toBe('Listing files{"command":["ls"]}');
});
