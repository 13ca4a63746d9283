import type { Db } from "~/connection/db.server";
import { scopeCondition } from "./scope-store";
import type { AutorouterReport, RoutedSum, UsageScope } from "./shared";

const DAY_MS = 86_400_000;

type Span = { from: Date; to: Date };

/**
 * Returns sums of routed calls by serving model, algorithm and default model, and sums of the same calls by UTC day. One query for both:
 * from the daily sums where days are complete, else from usage rows. Those are selected by time alone; with a condition on the autorouter
 * the planner would read the index of all calls it ever chose. The rows are grouped once by all four columns, then by each grouping.
 */
export async function sumRouted(
  db: Db,
  scope: UsageScope,
  { from, to, completeBefore }: Span & { completeBefore: Date | null },
): Promise<{ sums: RoutedSum[]; days: RoutedDay[] }> {
  const first = new Date(Math.ceil(from.getTime() / DAY_MS) * DAY_MS);
  const fullDaysEnd = Math.floor(Math.min(to.getTime(), completeBefore?.getTime() ?? 0) / DAY_MS) * DAY_MS;
  const last = new Date(Math.max(fullDaysEnd, first.getTime()));
  const where = scopeCondition(scope);
  const rows = await db.$queryRaw<(RoutedSum & { day: Date | null })[]>`
    WITH late AS MATERIALIZED (
      SELECT DISTINCT organisation_id, day FROM usage_late WHERE day >= ${first} AND day < ${last}
    ), span AS MATERIALIZED (
      SELECT NULL::integer AS organisation_id, * FROM (VALUES (${from}::timestamptz, least(${first}::timestamptz, ${to})), (greatest(${last}::timestamptz, ${from}), ${to}::timestamptz)) v(low, high) WHERE low < high
      UNION ALL SELECT organisation_id, day, day + interval '24 hours' FROM late
    ), part AS (
      SELECT day, model, algorithm, default_model, requests, charged, counterfactual FROM usage_routed_day
       WHERE day >= ${first} AND day < ${last} AND ${where}
         AND (organisation_id, day) NOT IN (SELECT organisation_id, day FROM late)
      UNION ALL
      SELECT date_trunc('day', e.started_at, 'UTC'), e.model, coalesce(e.routing->'auto'->>'algorithm', ''), coalesce(e.routing->'auto'->'default'->>'model', ''),
             1, e.charged, e.counterfactual
        FROM span s CROSS JOIN LATERAL (
          SELECT * FROM usage_event WHERE started_at >= s.low AND started_at < s.high AND ${where}
             AND (s.organisation_id IS NULL OR organisation_id = s.organisation_id) OFFSET 0) e
       WHERE e.counterfactual IS NOT NULL
    )
    SELECT day, model, algorithm, default_model AS "defaultModel",
           sum(requests)::integer AS requests, sum(charged)::bigint AS "chargedNanoUsd", sum(counterfactual)::bigint AS "defaultNanoUsd"
      FROM (SELECT day, model, algorithm, default_model, sum(requests) AS requests, sum(charged) AS charged, sum(counterfactual) AS counterfactual
              FROM part GROUP BY 1, 2, 3, 4) each_once GROUP BY GROUPING SETS ((1), (2, 3, 4)) ORDER BY 1, requests DESC, 2, 3, 4`;
  const days = rows.flatMap(({ day, requests, chargedNanoUsd, defaultNanoUsd }) =>
    day === null ? [] : [{ day, requests, savedNanoUsd: defaultNanoUsd - chargedNanoUsd }],
  );
  return { sums: rows.flatMap(({ day, ...sum }) => (day === null ? [sum] : [])), days };
}

type RoutedDay = AutorouterReport["days"][number];
