import type { AttemptRecord } from "~/domain/accounting/shared";
import type { Route } from "~/domain/catalogue/shared";

/**
 * Builds the request log's record of an attempt. Times are whole milliseconds from the start of the call. The attempt
 * of a stream ends with the stream, so that the supplier's time counts as the supplier's.
 */
export const attemptRecord = (
  { supplier, upstreamModel }: Pick<Route, "supplier" | "upstreamModel">,
  { startedMs, endedMs }: Pick<AttemptRecord, "startedMs" | "endedMs">,
  { outcome, status, code }: Pick<AttemptRecord, "outcome" | "status" | "code">,
): AttemptRecord => ({
  supplier: supplier.name,
  region: supplier.region,
  upstreamModel,
  startedMs,
  endedMs,
  outcome,
  status,
  code,
});
