import type { AttemptRecord } from "~/domain/accounting/shared";
import { type Attempt, AttemptPlan, type AttemptResult, health, monotonicNow } from "~/domain/routing/index.server";
import type { RoutePlan } from "../route/route-plan";
import type { TriedRoute } from "../route/trace";

/** What became of the attempts at a call. */
export type Attempts = {
  /** For the request log, in the order in which they were made. */
  readonly records: readonly AttemptRecord[];
  /** The same, among the reasons of the call's routing. */
  readonly tried: readonly TriedRoute[];
  /** When a supplier first answered, counted from the request's arrival; null while none has. */
  readonly firstByteMs: number | null;
};

export const NO_ATTEMPTS: Attempts = Object.freeze({ records: [], tried: [], firstByteMs: null });

/** What is tried with one route after the other. */
export interface AttemptStrategy<Result> {
  /** Makes one attempt. May throw. */
  attempt(next: Attempt): Promise<Result>;
  /** What an attempt that succeeded says of its route. */
  answered(answer: Result, made: Attempt): AttemptResult;
  /** What one that failed says of its route, and whether there is to be another one. */
  failed(problem: unknown, made: Attempt): { result: AttemptResult; retry: boolean };
  /** What comes of it when no attempt succeeded. */
  exhausted(): Result;
}

/**
 * Tries a plan's routes until one of them answers. The only place where a request goes to another supplier. No time passes
 * between two attempts, and what each of them taught goes into the health tracker.
 */
export async function runAttempts<Result>(plan: RoutePlan, strategy: AttemptStrategy<Result>): Promise<Result> {
  const { routes, model, pinnedCredential } = plan;
  const session = plan.isFirstTurn ? null : plan.session;
  const attempts = new AttemptPlan({ routes, modelId: model.id, session, pinnedCredential }, health);
  for (let next = attempts.next(monotonicNow()); next !== null; next = attempts.next(monotonicNow())) {
    let result: AttemptResult = { kind: "nothing" };
    try {
      const answer = await strategy.attempt(next);
      result = strategy.answered(answer, next);
      return answer;
    } catch (problem) {
      const failed = strategy.failed(problem, next);
      result = failed.result;
      if (!failed.retry) break;
    } finally {
      attempts.report(next, result, monotonicNow());
    }
  }
  return strategy.exhausted();
}
