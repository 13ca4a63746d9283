import type { AttemptRecord } from "~/domain/accounting/shared";
import { type Attempt, AttemptPlan, type AttemptResult, health, monotonicNow } from "~/domain/routing/index.server";
import type { RoutePlan } from "../route/route-plan";
import type { TriedRoute } from "../route/trace";

/** Outcome of a call's attempts. */
export type Attempts = {
  /** For the request log, in the order of the attempts. */
  readonly records: readonly AttemptRecord[];
  /** The same attempts, for the call's routing record. */
  readonly tried: readonly TriedRoute[];
  /** Milliseconds from the request's arrival to the first answer of a supplier; null until then. */
  readonly firstByteMs: number | null;
};

export const NO_ATTEMPTS: Attempts = Object.freeze({ records: [], tried: [], firstByteMs: null });

/** The action to try with one route after the other, and the meaning of its outcome. */
export interface AttemptStrategy<Result> {
  /** Makes one attempt. May throw. */
  attempt(next: Attempt): Promise<Result>;
  /** Returns what a successful attempt means for its route. */
  answered(answer: Result, attempt: Attempt): AttemptResult;
  /** Returns what a failed attempt means for its route, and whether to try the next one. */
  failed(error: unknown, attempt: Attempt): { result: AttemptResult; retry: boolean };
  /** Returns the result when no attempt succeeded. */
  exhausted(): Result;
}

/**
 * Tries a plan's routes until one of them answers. This is the only code that moves a request to another supplier.
 * There is no delay between attempts, and each outcome is reported to the health tracker.
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
    } catch (error) {
      const failed = strategy.failed(error, next);
      result = failed.result;
      if (!failed.retry) break;
    } finally {
      attempts.report(next, result, monotonicNow());
    }
  }
  return strategy.exhausted();
}
