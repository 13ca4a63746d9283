import { z } from "zod";
import type { Db } from "~/db.server";
import { GUARDRAIL_ACTIONS } from "~/domain/guardrails/shared";
import { readPreferences } from "~/domain/identity/index.server";
import type { Actor } from "~/domain/identity/shared";
import { narrowed, usageScopeOf, windowFor } from "~/domain/metering/index.server";
import type { RejectionFilter, RequestFilter, UsageScope, UsageWindow } from "~/domain/metering/shared";
import { issue } from "~/errors/message";
import { orNothing, Usd } from "~/http/fields";
import { timeZoneNamed } from "~/time-range";
import { SPAN, usageFields } from "../usage/query.server";
import { LOG_OUTCOMES } from "./outcomes";

export const PAGE_SIZE = 50;

const { group: _group, metric: _metric, ...fields } = usageFields;

/** The query of the request log: the filters of usage, and those that only single requests have. `after` is where a page begins. */
export const RequestLogQuery = z
  .object({
    ...fields,
    outcome: orNothing(z.enum(LOG_OUTCOMES)),
    code: orNothing(z.string().regex(/^[a-z][a-z0-9_]{0,80}$/)),
    session: orNothing(z.string().max(256)),
    request: orNothing(z.string().trim().pipe(z.uuid())),
    least_cost: orNothing(Usd),
    least_ms: orNothing(z.coerce.number().int().min(0).max(86_400_000)),
    guardrail: orNothing(z.enum(GUARDRAIL_ACTIONS)),
    after: orNothing(
      z
        .string()
        .regex(/^\d{1,18}$/, issue("problems:listPlace"))
        .transform(BigInt),
    ),
  })
  .refine(...SPAN);
export type RequestLogValues = z.output<typeof RequestLogQuery>;

/** The portal's number of a request. There are more of them than fit into the ids of people and keys. */
export const RequestParams = z.object({
  requestId: z
    .string()
    .regex(/^[1-9]\d{0,17}$/, issue("problems:wholeNumber"))
    .transform(BigInt),
});

/** What a reader looks for, within what they may see. Without a period, the log has no end; the chart above it shows 30 days. */
export async function logQuestion(
  db: Db,
  actor: Actor,
  query: RequestLogValues,
): Promise<{
  scope: UsageScope;
  filter: RequestFilter;
  /** The filter of those that no supplier got; null: finished ones are wanted. */
  rejected: RejectionFilter | null;
  window: UsageWindow;
  zone: string | null;
}> {
  const { timeZone } = await readPreferences(db, actor);
  const zone = timeZone === null ? null : timeZoneNamed(timeZone);
  const window = windowFor(query, query.tz === "local" && zone !== null ? zone : "UTC", new Date());
  const isBounded = (query.since ?? query.until ?? query.range) !== undefined;
  // What was sent to no supplier has no session, cost or duration, and no guardrail's note.
  const isFinished = [query.session, query.least_cost, query.least_ms, query.guardrail].some(
    (value) => value !== undefined,
  );
  const span = isBounded ? { since: window.from, until: window.to } : {};
  return {
    scope: narrowed(usageScopeOf(actor), query),
    window,
    zone,
    rejected:
      query.outcome === "rejected" ? { none: isFinished, code: query.code, requestId: query.request, ...span } : null,
    filter: {
      outcome: query.outcome === "rejected" ? undefined : query.outcome,
      code: query.code,
      session: query.session,
      requestId: query.request,
      leastNanoUsd: query.least_cost,
      leastMs: query.least_ms,
      guardrail: query.guardrail,
      ...span,
    },
  };
}
