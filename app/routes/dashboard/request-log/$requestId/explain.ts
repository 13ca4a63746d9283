import type { AttemptRecord } from "~/domain/accounting/shared";
import type { RequestDetail } from "~/domain/request-log/shared";
import { timingOf } from "./spans";

type Explained = Pick<
  RequestDetail,
  "outcome" | "attemptList" | "latencyMs" | "firstByteMs" | "stream" | "outputTokens"
>;

/** A sentence of `requestLog:page.explain` with its values. `times`: milliseconds, to be formatted by the page. */
type Explanation = {
  sentence: Sentence;
  times: Partial<Record<"total" | "waited" | "rest" | "before" | "stream" | "first" | "answer", number>>;
  values: Partial<Record<"supplier" | "failed" | "status" | "count" | "tokens" | "rate", string | number>>;
};

type Sentence = (typeof SENTENCES)[number];
const SENTENCES = [
  ...(["notSent", "failed", "unanswered", "allFailed", "clientLeft", "cutOff", "recovered", "failover"] as const),
  ...(["before", "longAnswer", "stream", "firstByte", "whole", "fast", "usual"] as const),
] as const;

/** An answer below the first bound is fast, one from the second bound on is slow or long. */
const FAST_MS = 1_000;
const SLOW_MS = 2_000;
/** A stream of at least this many tokens, at at least this many a second, is long and not slow. */
const LONG_TOKENS = 400;
const GOOD_RATE = 40;

/** Says in one sentence what took the request's time, or why it has no complete answer. */
export function explain(request: Explained): Explanation {
  const { outcome, attemptList, latencyMs } = request;
  const last = attemptList.at(-1);
  const of = (sentence: Sentence, more: Partial<Omit<Explanation, "sentence">> = {}): Explanation => ({
    sentence,
    times: { total: latencyMs, ...more.times },
    values: { supplier: last?.supplier ?? "", ...more.values },
  });
  switch (outcome) {
    case "client_abort":
      return of("clientLeft");
    case "recovered":
      return of("recovered");
    case "upstream_abort":
      return of("cutOff");
    case "complete":
      return last === undefined ? of(latencyMs < FAST_MS ? "fast" : "usual") : explainAnswer(request, last, of);
    default:
      if (last === undefined) return of("notSent");
      if (attemptList.length > 1) return of("allFailed", { values: { count: attemptList.length } });
      return last.status === null ? of("unanswered") : of("failed", { values: { status: last.status } });
  }
}

function explainAnswer(
  request: Explained,
  last: AttemptRecord,
  of: (sentence: Sentence, more?: Partial<Omit<Explanation, "sentence">>) => Explanation,
): Explanation {
  const { attemptList, latencyMs, outputTokens: tokens } = request;
  const failed = attemptList.slice(0, -1);
  const [firstFailed] = failed;
  if (firstFailed !== undefined) {
    const times = { waited: last.startedMs - firstFailed.startedMs, rest: latencyMs - last.startedMs };
    return of("failover", { times, values: { failed: firstFailed.supplier, count: failed.length } });
  }
  if (latencyMs < FAST_MS) return of("fast");
  if (latencyMs < SLOW_MS) return of("usual");
  const { beforeMs, attempts } = timingOf(request);
  const { startedMs, endedMs, firstByteMs } = attempts.at(-1)!;
  if (beforeMs > latencyMs / 2) return of("before", { times: { before: beforeMs } });
  if (firstByteMs === null) return of("whole", { times: { answer: endedMs - startedMs }, values: { tokens } });
  const [first, stream] = [firstByteMs - startedMs, endedMs - firstByteMs];
  if (first > stream) return of("firstByte", { times: { first } });
  const rate = Math.round(tokens / (stream / 1_000));
  if (tokens >= LONG_TOKENS && rate >= GOOD_RATE) return of("longAnswer", { values: { tokens, rate } });
  return of("stream", { times: { stream }, values: { tokens } });
}
