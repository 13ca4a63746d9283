import { expect, test } from "vitest";
import { readFailure } from "./read-failure";

const waitOf = (body: unknown, headers: Record<string, string> = {}) =>
  readFailure({ status: 429, headers, body: Buffer.from(JSON.stringify(body)) }).retryAfterSeconds;
const saying = (message: string) => ({ error: { code: "rate_limit_exceeded", message } });

test.each<[string, number | null]>([
  [
    "Rate limit reached for gpt in organization org on tokens per min (TPM): Limit 3, Used 2. Please try again in 1.2s.",
    2,
  ],
  ["Please try again in 6m0s.", 360],
  ["Please try again in 20ms.", 1],
  ["Please try again in 2h21m7.5s. Visit https://example.org to learn more.", 8_468],
  ["Requests have exceeded the call rate limit. Please retry after 6 seconds.", 6],
  ["Please retry after 1 minute.", 60],
  ["Quota exceeded for metric. Please retry in 34.074824224s.", 35],
  ["Too many requests, wait 12 seconds and try again.", 12],
  ["Your quota will reset after 1d 2h.", 86_400],
  ["Please try again later.", null],
  ["Please try again in a moment.", null],
  ["You have sent 12 requests.", null],
])("a supplier's words say when to come back: %s", (message, seconds) => {
  expect(waitOf(saying(message))).toBe(seconds);
});

test("so do the details of an error, and a header counts more than both", () => {
  const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "7s" }];
  const body = { error: { ...saying("Please retry in 34s.").error, details } };
  expect(waitOf(body)).toBe(7);
  expect(waitOf(body, { "retry-after": "3" })).toBe(3);
  expect(waitOf([body])).toBe(7);
  expect(waitOf({ error: { message: "no", details: [null, { retryDelay: 5 }] } })).toBeNull();
});
