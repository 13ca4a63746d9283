import type { Reads } from "~/connection/db.server";
import { scopeKeys } from "~/domain/usage/index.server";
import type { UsageScope } from "~/domain/usage/shared";
import { Prisma } from "~/generated/prisma/client";
import type { RejectedRequests, RejectionFilter } from "./shared";

/** Maximum time from the creation of a request's id to its rejection, unless its body arrived slowly. */
const ID_LEAD_SECONDS = 10;

/** `moment`: only bursts that were going on at this time. `laterId`: only those that store this id besides their first one. */
export type StoredFilter = RejectionFilter & { moment?: Date; laterId?: string };

/** Returns bursts of a scope that match a filter and have an id below `beforeId`, newest first. */
export function listRejectedRequests(
  db: Reads,
  scope: UsageScope,
  query: { filter: StoredFilter; beforeId: bigint | null; limit: number },
): PromiseLike<RejectedRequests[]> {
  const conditions = matching(scope, query.filter);
  if (query.beforeId !== null) conditions.push(Prisma.sql`id < ${query.beforeId}`);
  const newest = Prisma.sql`SELECT * FROM gateway_refusal WHERE ${Prisma.join(conditions, " AND ")}`;
  return db.$queryRaw<RejectedRequests[]>`
    SELECT r.id, r.at AS "firstAt", r.last_at AS at, r.times, r.key_id AS "keyId", coalesce(k.name, '') AS "keyName", k.user_id AS "userId",
           coalesce(nullif(p.name, ''), p.email) AS "userName", r.request_id::text AS "requestId", r.endpoint, r.model, r.code, r.status, r.param,
           r.human_message AS "humanMessage", r.retry_after_seconds AS "retryAfterSeconds", r.details
      FROM (SELECT e.* FROM (${scopeKeys(scope)}) s CROSS JOIN LATERAL (
              ${newest} AND key_id = s.key_id ORDER BY id DESC LIMIT ${query.limit}) e ORDER BY id DESC LIMIT ${query.limit}) r
      LEFT JOIN api_key k ON k.id = r.key_id LEFT JOIN app_user p ON p.id = k.user_id ORDER BY r.id DESC`;
}

function matching(scope: UsageScope, filter: StoredFilter): Prisma.Sql[] {
  const { code, requestId, moment, laterId, since, until } = filter;
  const conditions = [Prisma.sql`true`];
  // A rejected request was not sent, so it has no supplier and no region.
  if (filter.none === true || scope.suppliers !== undefined || scope.regions !== undefined)
    conditions.push(Prisma.sql`false`);
  if (scope.models !== undefined) conditions.push(Prisma.sql`model = ANY (${[...scope.models]}::text[])`);
  if (code !== undefined) conditions.push(Prisma.sql`code = ${code}`);
  if (requestId !== undefined) conditions.push(Prisma.sql`request_id = ${requestId}::uuid`);
  if (moment !== undefined)
    conditions.push(
      Prisma.sql`times > 1 AND last_at >= ${moment}::timestamptz AND at <= ${moment}::timestamptz + ${ID_LEAD_SECONDS}::integer * interval '1 second'`,
    );
  if (laterId !== undefined) conditions.push(Prisma.sql`${laterId}::uuid = ANY (later_ids)`);
  if (since !== undefined) conditions.push(Prisma.sql`last_at >= ${since}`);
  if (until !== undefined) conditions.push(Prisma.sql`at < ${until}`);
  return conditions;
}
