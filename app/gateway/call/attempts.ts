import type { AttemptRecord } from "~/domain/accounting/shared";
import { type Finding, health, steadyNow, Tries, type Try } from "~/domain/routing/index.server";
import type { Plan } from "../route/plan";
import type { TriedLane } from "../route/trace";

/** What became of the attempts at a call. */
export type Attempts = {
  /** For the request log, in the order in which they were made. */
  readonly records: readonly AttemptRecord[];
  /** The same, among the reasons of the call's routing. */
  readonly tried: readonly TriedLane[];
  /** When a supplier first answered, counted from the request's arrival; null while none has. */
  readonly firstByteMs: number | null;
};

export const NO_ATTEMPTS: Attempts = Object.freeze({ records: [], tried: [], firstByteMs: null });

/** What is tried with one lane after the other. */
export interface Errand<Result> {
  /** Makes one attempt. May throw. */
  attempt(next: Try): Promise<Result>;
  /** What an attempt that succeeded says of its lane. */
  succeeded(result: Result, made: Try): Finding;
  /** What one that failed says of its lane, and whether there is to be another one. */
  failed(problem: unknown, made: Try): { finding: Finding; goOn: boolean };
  /** What comes of it when no attempt succeeded. */
  gaveUp(): Result;
}

/**
 * Tries a plan's lanes until an errand is done. The only place where a request goes to another supplier. No time passes
 * between two attempts, and what each of them taught goes into the book of health.
 */
export async function tryLanes<Result>(plan: Plan, errand: Errand<Result>): Promise<Result> {
  const { lanes, model, pinnedCredential } = plan;
  const session = plan.isFirstTurn ? null : plan.session;
  const tries = new Tries({ lanes, modelId: model.id, session, pinnedCredential }, health);
  for (let next = tries.next(steadyNow()); next !== null; next = tries.next(steadyNow())) {
    let finding: Finding = { kind: "nothing" };
    try {
      const result = await errand.attempt(next);
      finding = errand.succeeded(result, next);
      return result;
    } catch (problem) {
      const failed = errand.failed(problem, next);
      finding = failed.finding;
      if (!failed.goOn) break;
    } finally {
      tries.report(next, finding, steadyNow());
    }
  }
  return errand.gaveUp();
}
