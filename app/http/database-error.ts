import { isDatabaseBusy } from "~/connection/database-patience";
import { isDatabaseAway } from "~/connection/database-problem";
import { type AppError, apiError } from "~/errors/app-error";
import { TimeoutError } from "~/network/with-timeout";

/** Maps a database error to the client's error: overloaded or unreachable; null for other errors. */
export function databaseError(error: unknown): AppError | null {
  if (isDatabaseBusy(error)) return apiError("capacity_exceeded", { cause: error });
  const isAway = isDatabaseAway(error) || error instanceof TimeoutError;
  return isAway ? apiError("service_unavailable", { cause: error }) : null;
}
