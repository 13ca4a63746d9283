import { AppError } from "~/errors/app-error";
import { portalErrorResponse } from "~/errors/envelope";
import { ValidationProblem } from "./validation-problem";

/**
 * Wraps a loader or an action of the portal, so that a thrown refusal becomes its answer: the error page with the right
 * status on a page's URL, JSON on a data URL. Whatever else is thrown stays an unexpected error.
 */
export function answerRefusals<Args, Result>(
  handler: (args: Args) => Promise<Result>,
): (args: Args) => Promise<Result> {
  return async (args) => {
    try {
      return await handler(args);
    } catch (problem) {
      if (!(problem instanceof AppError)) throw problem;
      throw portalErrorResponse(problem, problem instanceof ValidationProblem ? { detail: problem.detail } : undefined);
    }
  };
}
