import type { Db } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { AutorouterReport, RoutedRequest, RoutedSum, UsageScope } from "./shared";
import { inside } from "./usage-store";

type Span = { from: Date; to: Date };

/** A scope in which the index by organisation is used, also by those who see all organisations. */
const scoped = (scope: UsageScope): Prisma.Sql =>
  scope.organisationId === null
    ? Prisma.sql`organisation_id IN (SELECT id FROM organisation) AND ${inside(scope)}`
    : inside(scope);

const routed = (scope: UsageScope, { from, to }: Span): Prisma.Sql =>
  Prisma.sql`counterfactual IS NOT NULL AND started_at >= ${from} AND started_at < ${to} AND ${scoped(scope)}`;

/**
 * Sums over what the autorouter chose, by the model that served, the algorithm and the model it is compared with; and, of the same
 * calls, by the day of UTC. Read once for both.
 */
export async function sumRouted(
  db: Db,
  scope: UsageScope,
  span: Span,
): Promise<{ sums: RoutedSum[]; days: RoutedDay[] }> {
  const rows = await db.$queryRaw<(RoutedSum & { day: Date | null })[]>`
    SELECT date_trunc('day', started_at, 'UTC') AS day, model, coalesce(routing->'auto'->>'algorithm', '') AS algorithm,
           coalesce(routing->'auto'->'default'->>'model', '') AS "defaultModel",
           count(*)::integer AS requests, sum(charged)::bigint AS "chargedNanoUsd", sum(counterfactual)::bigint AS "defaultNanoUsd"
      FROM usage_event WHERE ${routed(scope, span)}
     GROUP BY GROUPING SETS ((1), (2, 3, 4)) ORDER BY 1, requests DESC, 2, 3, 4`;
  const days = rows.flatMap(({ day, requests, chargedNanoUsd, defaultNanoUsd }) =>
    day === null ? [] : [{ day, requests, savedNanoUsd: defaultNanoUsd - chargedNanoUsd }],
  );
  return { sums: rows.flatMap(({ day, ...sum }) => (day === null ? [sum] : [])), days };
}

type RoutedDay = AutorouterReport["days"][number];

/** What the autorouter chose, request by request, the latest first; those before `beforeId` only. */
export function listRouted(
  db: Db,
  scope: UsageScope,
  ask: Span & { beforeId: bigint | null; limit: number },
): Promise<RoutedRequest[]> {
  const before = ask.beforeId === null ? Prisma.sql`true` : Prisma.sql`id < ${ask.beforeId}`;
  return db.$queryRaw<RoutedRequest[]>`
    SELECT u.id, u.request_id::text AS "requestId", u.started_at AS "startedAt", u.key_id AS "keyId", coalesce(k.name, '') AS "keyName",
           u.model, coalesce(u.routing->'auto'->>'algorithm', '') AS algorithm, u.charged AS "chargedNanoUsd",
           coalesce(u.routing->'auto'->'default'->>'model', '') AS "defaultModel", u.counterfactual AS "defaultNanoUsd"
      FROM (SELECT * FROM usage_event WHERE ${routed(scope, ask)} AND ${before} ORDER BY id DESC LIMIT ${ask.limit}) u
      LEFT JOIN api_key k ON k.id = u.key_id
     ORDER BY u.id DESC`;
}
