import { isDatabaseBusy } from "~/database-patience";
import { isDatabaseAway } from "~/database-problem";
import { type AppError, apiError } from "~/errors/app-error";
import { TimeoutError } from "~/with-timeout";

/** What a client is told of a problem of the database: that it has too much to do, or that it is away; null for other problems. */
export function databaseError(problem: unknown): AppError | null {
  if (isDatabaseBusy(problem)) return apiError("capacity_exceeded", { cause: problem });
  const isAway = isDatabaseAway(problem) || problem instanceof TimeoutError;
  return isAway ? apiError("service_unavailable", { cause: problem }) : null;
}
