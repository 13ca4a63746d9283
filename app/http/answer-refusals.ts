import { AppError, refusal } from "~/errors/app-error";
import { portalErrorResponse } from "~/errors/envelope";
import { log } from "~/log.server";
import { isDatabaseAway } from "./database-problem";
import { ValidationProblem } from "./validation-problem";

/**
 * Wraps a loader, an action or a middleware of the portal, so that a thrown refusal becomes its answer: the error page with
 * the right status on a page's URL, JSON on a data URL. A database that is away is `service_unavailable`. Whatever else is
 * thrown stays an unexpected error.
 */
export function answerRefusals<Args extends unknown[], Result>(
  handler: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    try {
      return await handler(...args);
    } catch (problem) {
      const refused = refusalOf(problem);
      if (refused === null) throw problem;
      throw portalErrorResponse(refused, refused instanceof ValidationProblem ? { detail: refused.detail } : undefined);
    }
  };
}

function refusalOf(problem: unknown): AppError | null {
  if (problem instanceof AppError) return problem;
  if (!isDatabaseAway(problem)) return null;
  log.warn({ err: problem }, "a page could not reach the database");
  return refusal("service_unavailable", { cause: problem });
}
