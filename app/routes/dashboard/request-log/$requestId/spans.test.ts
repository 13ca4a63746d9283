import { expect, test } from "vitest";
import type { RequestDetail } from "~/domain/request-log/shared";
import { timingOf } from "./spans";

const attempt = { supplier: "one", region: "eu", upstreamModel: "m", status: 200, code: null } as const;
const delivered = (startedMs: number, endedMs: number) => ({
  ...{ ...attempt, startedMs, endedMs, outcome: "delivered" as const },
});
const request = (times: Pick<RequestDetail, "attemptList" | "latencyMs" | "firstByteMs" | "stream">) => timingOf(times);

test("a stream is the supplier's time: until its first byte, and until its end", () => {
  const timing = request({ attemptList: [delivered(2, 2_880)], firstByteMs: 867, latencyMs: 2_890, stream: true });
  expect(timing).toMatchObject({ beforeMs: 2, settledFromMs: 2_880 });
  expect(timing.attempts).toMatchObject([{ startedMs: 2, firstByteMs: 867, endedMs: 2_880 }]);
});

test("a stream of an older row, whose attempt ended when the stream began, is the supplier's time all the same", () => {
  const timing = request({ attemptList: [delivered(2, 868)], firstByteMs: 867, latencyMs: 2_890, stream: true });
  expect(timing.settledFromMs).toBe(2_890);
  expect(timing.attempts).toMatchObject([{ startedMs: 2, firstByteMs: 867, endedMs: 2_890 }]);
});

test("a whole answer is one bar, and what comes behind it is gw's", () => {
  const timing = request({ attemptList: [delivered(2, 751)], firstByteMs: 751, latencyMs: 760, stream: false });
  expect(timing.settledFromMs).toBe(751);
  expect(timing.attempts).toMatchObject([{ firstByteMs: null, endedMs: 751 }]);
});

test("an attempt that failed ends when it failed, also before a stream", () => {
  const failed = { ...attempt, startedMs: 2, endedMs: 40, outcome: "not_executed" as const, status: 503 };
  const streamed = { firstByteMs: 90, latencyMs: 500, stream: true };
  const timing = request({ attemptList: [failed, delivered(41, 499)], ...streamed });
  expect(timing.attempts).toMatchObject([
    { place: 1, endedMs: 40, firstByteMs: null },
    { place: 2, startedMs: 41, firstByteMs: 90, endedMs: 499 },
  ]);
});

test("without an attempt all of the time is gw's", () => {
  const none = { attemptList: [], firstByteMs: null, latencyMs: 7, stream: false };
  expect(request(none)).toEqual({ beforeMs: 7, attempts: [], settledFromMs: 7 });
});
