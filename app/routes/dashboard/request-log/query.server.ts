import { z } from "zod";
import type { Db } from "~/connection/db.server";
import { readPreferences } from "~/domain/accounts/index.server";
import type { Actor } from "~/domain/accounts/shared";
import { GUARDRAIL_ACTIONS } from "~/domain/guardrails/shared";
import { REQUEST_SORTS, type RejectionFilter, type RequestFilter } from "~/domain/request-log/shared";
import { narrowed, usageScopeOf, windowFor } from "~/domain/usage/index.server";
import type { UsageScope, UsageWindow } from "~/domain/usage/shared";
import { issue } from "~/errors/message";
import { orNothing, SearchText, Usd } from "~/http/body/fields";
import { timeZoneNamed } from "~/values/time-range";
import { SPAN, usageFields } from "../../usage-query.server";
import { idsOf, isUnclear, type MeantByName, meantByNames } from "./named.server";
import { LOG_OUTCOMES, LOGGED_OUTCOMES } from "./outcomes";

export const PAGE_SIZE = 50;

const HOUR_MS = 3_600_000;
const Milliseconds = z.coerce.number().int().min(0).max(86_400_000);

const { group: _group, metric: _metric, ...fields } = usageFields;

/** The query of the request log: filters of usage, and filters of single requests. `after` is the start of the page. */
const logFields = {
  ...fields,
  /** Start of an hour; takes precedence over days. */
  hour: orNothing(
    z.iso
      .datetime({ error: issue("problems:moment") })
      .refine((hour) => Date.parse(hour) % HOUR_MS === 0, issue("problems:moment")),
  ),
  outcome: orNothing(z.enum(LOGGED_OUTCOMES)),
  /** A name or address, or a part of one, or a number, as typed; takes precedence over `user`. */
  person: orNothing(SearchText),
  /** The same for keys, departments and projects. */
  key_name: orNothing(SearchText),
  department_name: orNothing(SearchText),
  project_name: orNothing(SearchText),
  organisation_name: orNothing(SearchText),
  code: orNothing(z.string().regex(/^[a-z][a-z0-9_]{0,80}$/)),
  session: orNothing(z.string().max(256)),
  request: orNothing(z.string().trim().pipe(z.uuid())),
  least_cost: orNothing(Usd),
  most_cost: orNothing(Usd),
  least_ms: orNothing(Milliseconds),
  most_ms: orNothing(Milliseconds),
  guardrail: orNothing(z.enum(GUARDRAIL_ACTIONS)),
  sort: orNothing(z.enum(REQUEST_SORTS.flatMap((by) => [by, `-${by}` as const]))),
  after: orNothing(z.string().regex(/^(?:\d{1,18}_)?\d{1,18}$/, issue("problems:listPlace"))),
};

/** The position of a page: an id, or the sort value and an id. */
export function placeOf(after: string | undefined): { value: bigint; id: bigint } | null {
  if (after === undefined) return null;
  const [value = "", id = value] = after.split("_");
  return { value: BigInt(value), id: BigInt(id) };
}

/** The query of a file of the log. */
export const RequestLogQuery = z.object(logFields).refine(...SPAN);
/** The query of the page, which also lists requests in flight. */
export const RequestLogPageQuery = z.object({ ...logFields, outcome: orNothing(z.enum(LOG_OUTCOMES)) }).refine(...SPAN);
export type RequestLogValues = z.output<typeof RequestLogPageQuery>;

const REQUEST = /^(?:[1-9]\d{0,17}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;

/** The id of a request: the client's, or the portal's number, which can exceed the range of other ids. */
export const RequestParams = z.object({
  requestId: z
    .string()
    .regex(REQUEST, issue("problems:requestId"))
    .transform((id) => (id.includes("-") ? id.toLowerCase() : BigInt(id))),
});

/**
 * Returns the filter of a query within the actor's scope. Without a period the list has no limit in time; its chart
 * shows 30 days.
 */
export async function logQuestion(
  db: Db,
  actor: Actor,
  query: RequestLogValues,
): Promise<{
  scope: UsageScope;
  filter: RequestFilter;
  /** The filter of rejected requests; null: the query is for finished ones. */
  rejected: RejectionFilter | null;
  window: UsageWindow;
  zone: string | null;
  /** Matches of the typed names, and the query with their ids. */
  meant: MeantByName;
  asked: RequestLogValues;
}> {
  const { timeZone } = await readPreferences(db, actor);
  const zone = timeZone === null ? null : timeZoneNamed(timeZone);
  const all = windowFor(query, query.tz === "local" && zone !== null ? zone : "UTC", new Date());
  const window = query.hour === undefined ? all : hourOf(query.hour, all);
  const isBounded = (query.hour ?? query.since ?? query.until ?? query.range) !== undefined;
  const meant = await meantByNames(db, actor, query);
  const resolved = idsOf(query, meant);
  // Rejected requests have no session, cost, duration or guardrail note.
  const { session, least_cost, most_cost, least_ms, most_ms, guardrail } = query;
  const isFinished = [session, least_cost, most_cost, least_ms, most_ms, guardrail].some(
    (value) => value !== undefined,
  );
  const span = isBounded ? { since: window.from, until: window.to } : {};
  return {
    scope: isUnclear(meant) ? { ...usageScopeOf(actor), keyIds: [] } : narrowed(usageScopeOf(actor), resolved),
    window,
    zone,
    meant,
    asked: resolved,
    rejected:
      query.outcome === "rejected" ? { none: isFinished, code: query.code, requestId: query.request, ...span } : null,
    filter: {
      outcome: query.outcome === "rejected" || query.outcome === "in_flight" ? undefined : query.outcome,
      code: query.code,
      session,
      requestId: query.request,
      minNanoUsd: least_cost,
      maxNanoUsd: most_cost,
      minMs: least_ms,
      maxMs: most_ms,
      guardrail,
      ...span,
    },
  };
}

/** Returns one hour as a window. */
function hourOf(hour: string, window: UsageWindow): UsageWindow {
  const from = new Date(hour);
  const to = new Date(from.getTime() + HOUR_MS);
  return {
    ...window,
    range: "custom",
    from,
    to,
    bucket: "hour",
    before: { from: new Date(from.getTime() - HOUR_MS), to: from },
  };
}
