import { AppError } from "~/errors/app-error";
import { portalErrorResponse } from "~/errors/envelope";
import { log } from "~/observe/log.server";
import { databaseError } from "./database-error";
import { ValidationError } from "./validation-problem";

/**
 * Wraps a loader, an action or a middleware of the portal, so that a thrown API error becomes its response: the error
 * page with the right status on a page's URL, JSON on a data URL. An unreachable database becomes
 * `service_unavailable`, an overloaded one `capacity_exceeded`. Every other error stays an unexpected error.
 */
export function answerApiErrors<Args extends unknown[], Result>(
  handler: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    try {
      return await handler(...args);
    } catch (error) {
      const refused = apiErrorOf(error);
      if (refused === null) throw error;
      throw portalErrorResponse(refused, refused instanceof ValidationError ? { detail: refused.detail } : undefined);
    }
  };
}

function apiErrorOf(problem: unknown): AppError | null {
  if (problem instanceof AppError) return problem;
  const error = databaseError(problem);
  if (error !== null) log.warn({ err: problem, code: error.code }, "a page had no answer from the database");
  return error;
}
