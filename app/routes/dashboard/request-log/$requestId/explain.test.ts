import { expect, test } from "vitest";
import type { AttemptRecord } from "~/domain/accounting/shared";
import { explain } from "./explain";

const attempt = (supplier: string, startedMs: number, endedMs: number, more: Partial<AttemptRecord> = {}) => ({
  ...{ supplier, region: "eu", upstreamModel: "m", status: 200, code: null, outcome: "delivered" as const },
  ...{ startedMs, endedMs, ...more },
});
const failed = (supplier: string, startedMs: number, endedMs: number, status: number | null = 503) =>
  attempt(supplier, startedMs, endedMs, { outcome: "not_executed", status });
const request = (more: Partial<Parameters<typeof explain>[0]>) => ({
  ...{ outcome: "complete", attemptList: [attempt("one", 2, 700)], latencyMs: 710, firstByteMs: 300 },
  ...{ stream: true, outputTokens: 95, ...more },
});
const streamed = (firstByteMs: number, endedMs: number, outputTokens = 95) =>
  explain(request({ attemptList: [attempt("one", 2, endedMs)], firstByteMs, latencyMs: endedMs + 5, outputTokens }));

test("a slow answer names what took most of its time", () => {
  expect(streamed(867, 2_880)).toMatchObject({
    ...{ sentence: "stream", times: { stream: 2_013 }, values: { supplier: "one", tokens: 95 } },
  });
  expect(streamed(2_400, 2_900)).toMatchObject({ sentence: "firstByte", times: { first: 2_398 } });
  expect(streamed(900, 60_900, 5_000)).toMatchObject({ sentence: "longAnswer", values: { tokens: 5_000, rate: 83 } });
  expect(streamed(900, 60_900, 500)).toMatchObject({ sentence: "stream" });
  const whole = { attemptList: [attempt("one", 2, 3_000)], firstByteMs: 3_000, latencyMs: 3_001, stream: false };
  expect(explain(request(whole))).toMatchObject({ sentence: "whole", times: { answer: 2_998 } });
  const late = { attemptList: [attempt("one", 4_000, 4_600)], firstByteMs: 4_300, latencyMs: 4_700 };
  expect(explain(request(late))).toMatchObject({ sentence: "before", times: { before: 4_000 } });
});

test("a fast answer is said to be fast, and one between the bounds neither", () => {
  expect(explain(request({}))).toMatchObject({ sentence: "fast", times: { total: 710 } });
  expect(streamed(500, 1_500)).toMatchObject({ sentence: "usual", times: { total: 1_505 } });
  expect(explain(request({ attemptList: [], firstByteMs: null, latencyMs: 3 }))).toMatchObject({ sentence: "fast" });
});

test("suppliers that failed before the answer are told first, also if it was fast", () => {
  const one = [failed("one", 2, 12_000), attempt("two", 12_001, 12_500)];
  expect(explain(request({ attemptList: one, latencyMs: 12_510 }))).toMatchObject({
    sentence: "failover",
    times: { waited: 11_999, rest: 509 },
    values: { failed: "one", supplier: "two", count: 1 },
  });
  const two = [failed("one", 2, 30), failed("two", 31, 60), attempt("three", 61, 200)];
  expect(explain(request({ attemptList: two, latencyMs: 210 }))).toMatchObject({ values: { count: 2 } });
});

test("a request without a complete answer says how it ended", () => {
  const ended = (outcome: string, attemptList: AttemptRecord[]) => explain(request({ outcome, attemptList }));
  expect(ended("not_executed", []).sentence).toBe("notSent");
  expect(ended("error", [failed("one", 2, 30)])).toMatchObject({ sentence: "failed", values: { status: 503 } });
  expect(ended("error", [failed("one", 2, 30, null)]).sentence).toBe("unanswered");
  expect(ended("error", [failed("one", 2, 30), failed("two", 31, 40)])).toMatchObject({
    ...{ sentence: "allFailed", values: { count: 2 } },
  });
  expect(ended("client_abort", [attempt("one", 2, 30)]).sentence).toBe("clientLeft");
  expect(ended("upstream_abort", [attempt("one", 2, 30)])).toMatchObject({ sentence: "cutOff" });
  expect(ended("recovered", []).sentence).toBe("recovered");
});
