import type { Reads } from "~/connection/db.server";
import type { RouteTraffic } from "../shared";

/** Returns the traffic of models at their suppliers since a time, over all customers; models without calls are absent. */
export const readRouteTraffic = (
  db: Reads,
  since: Date,
  routes: readonly { model: string; supplier: string }[],
): PromiseLike<RouteTraffic[]> => db.$queryRaw<RouteTraffic[]>`
  SELECT model, supplier, sum(requests - errors)::float8 AS requests, sum(input_tokens)::float8 AS "inputTokens",
         sum(cached_input_tokens)::float8 AS "cachedInputTokens", sum(cache_write_tokens)::float8 AS "cacheWriteTokens",
         sum(output_tokens)::float8 AS "outputTokens", sum(charged)::bigint AS "chargedNanoUsd"
    FROM usage_hour
   WHERE hour >= ${since}::timestamptz
     AND (model, supplier) IN (SELECT * FROM unnest(${routes.map(({ model }) => model)}::text[], ${routes.map(({ supplier }) => supplier)}::text[]))
   GROUP BY model, supplier`;
