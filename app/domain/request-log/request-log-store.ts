import type { Db, Reads } from "~/connection/db.server";
import type { PayerKind } from "~/domain/billing/shared";
import { scopeCondition, type UsageSpan } from "~/domain/usage/index.server";
import type { UsageScope } from "~/domain/usage/shared";
import { Prisma } from "~/generated/prisma/client";
import { NOT_CHARGED } from "./audit-log-store";
import { examinedRequests, newestRequests } from "./request-source-store";
import type { LoggedRequest, RequestCount, RequestDetail, RequestFilter, RoutedRequest } from "./shared";

export const ROW = Prisma.sql`u.id, u.request_id::text AS "requestId", u.started_at AS "startedAt", u.key_id AS "keyId", coalesce(k.name, '') AS "keyName",
  u.user_id AS "userId", coalesce(nullif(p.name, ''), p.email) AS "userName", u.endpoint, u.requested_model AS "requestedModel", u.model,
  u.supplier, u.region, u.stream, u.session_id AS "sessionId", u.input_tokens AS "inputTokens", u.cached_input_tokens AS "cachedInputTokens",
  u.cache_write_tokens AS "cacheWriteTokens", u.output_tokens AS "outputTokens", u.reasoning_tokens AS "reasoningTokens",
  u.charged AS "chargedNanoUsd", u.outcome, u.status, u.error_code AS "errorCode",
  jsonb_array_length(u.attempts) AS attempts, u.first_byte_ms AS "firstByteMs", u.latency_ms AS "latencyMs", u.settled_at AS "settledAt",
  d.name AS "departmentName",
  (SELECT string_agg(locked.region, ', ') FROM jsonb_array_elements_text(u.routing->'lockedTo') locked(region)) AS "lockedTo",
  ${NOT_CHARGED}`;

export const NAMED = Prisma.sql`LEFT JOIN api_key k ON k.id = u.key_id LEFT JOIN app_user p ON p.id = u.user_id LEFT JOIN department d ON d.id = u.department_id`;

/** Returns finished calls of a scope that match a filter and have an id below `beforeId`, newest first. */
export async function listRequests(
  db: Reads,
  scope: UsageScope,
  query: { filter: RequestFilter; beforeId: bigint | null; limit: number },
): Promise<LoggedRequest[]> {
  const source = await newestRequests(db, scope, query);
  return db.$queryRaw<LoggedRequest[]>`
    SELECT ${ROW} FROM (SELECT * FROM (${source}) found ORDER BY id DESC LIMIT ${query.limit}) u ${NAMED} ORDER BY u.id DESC`;
}

/** Returns routed requests since a time with an id below `beforeId`, latest first. */
export async function listRouted(
  db: Db,
  scope: UsageScope,
  ask: { from: Date; beforeId: bigint | null; limit: number },
): Promise<RoutedRequest[]> {
  const filter = { since: ask.from, routed: true } as const;
  const source = await newestRequests(db, scope, { ...ask, filter });
  return db.$queryRaw<RoutedRequest[]>`
    SELECT u.id, u.request_id::text AS "requestId", u.started_at AS "startedAt", u.key_id AS "keyId", coalesce(k.name, '') AS "keyName",
           u.model, coalesce(u.routing->'auto'->>'algorithm', '') AS algorithm, u.charged AS "chargedNanoUsd",
           coalesce(u.routing->'auto'->'default'->>'model', '') AS "defaultModel", u.counterfactual AS "defaultNanoUsd"
      FROM (SELECT * FROM (${source}) found ORDER BY id DESC LIMIT ${ask.limit}) u
      LEFT JOIN api_key k ON k.id = u.key_id
     ORDER BY u.id DESC`;
}

/**
 * Returns the number of finished calls of a scope that match a filter, by bucket, and the number of errors among them; empty buckets are
 * absent. Null: more than `limit` rows would have to be examined. `isAny`: all calls of the span may be examined.
 */
export async function countRequestsByBucket(
  db: Reads,
  scope: UsageScope,
  { filter, span, limit, isAny }: { filter: RequestFilter; span: UsageSpan; limit: number; isAny: boolean },
): Promise<RequestCount[] | null> {
  const { from: since, to: until, bucket, timeZone } = span;
  const examined = await examinedRequests(db, scope, {
    filter: { ...filter, since, until },
    limit: limit + 1,
    isAny,
  });
  if (examined === null) return null;
  const start =
    bucket === "day"
      ? Prisma.sql`date_trunc('day', started_at, ${timeZone})`
      : Prisma.sql`date_trunc('hour', started_at, 'UTC')`;
  const rows = await db.$queryRaw<(RequestCount & { examined: number })[]>`
    WITH examined AS MATERIALIZED (${examined})
    SELECT ${start} AS bucket, count(*) FILTER (WHERE matches)::integer AS requests,
           count(*) FILTER (WHERE matches AND outcome IN ('error', 'upstream_abort', 'not_executed'))::integer AS errors,
           (SELECT count(*) FROM examined)::integer AS examined
      FROM examined GROUP BY 1 ORDER BY 1`;
  if ((rows[0]?.examined ?? 0) > limit) return null;
  return rows
    .filter(({ requests }) => requests > 0)
    .map(({ bucket: at, requests, errors }) => ({ bucket: at, requests, errors }));
}

/** A finished call with all its stored fields. */
type Found = Omit<RequestDetail, "payer"> & {
  payerKind: PayerKind;
  payerId: number;
  payerName: string | null;
  delegated: boolean;
};

export async function findRequest(db: Db, scope: UsageScope, id: bigint | string): Promise<Found | null> {
  const organisation =
    scope.organisationId === null
      ? Prisma.sql`organisation_id IN (SELECT id FROM organisation)`
      : Prisma.sql`organisation_id = ${scope.organisationId}`;
  const which = typeof id === "bigint" ? Prisma.sql`id = ${id}` : Prisma.sql`request_id = ${id}::uuid`;
  const [row] = await db.$queryRaw<Found[]>`
    SELECT ${ROW}, u.attempts AS "attemptList", u.routing, u.token_source::text AS "tokenSource",
           u.txn_id::text AS "ledgerId", u.wallet_id::int AS "walletId", e.account_seq AS "entrySeq", u.cost AS "costNanoUsd", u.exempt, u.counterfactual AS "counterfactualNanoUsd",
           u.cache_write_long_tokens AS "cacheWriteLongTokens", u.audio_input_tokens AS "audioInputTokens",
           u.audio_output_tokens AS "audioOutputTokens", u.milliseconds, u.characters, u.supplier_requests AS "supplierRequests",
           u.tool_uses AS "toolUses", o.name AS "organisationName", j.name AS "projectName",
           h.amount AS "heldNanoUsd", h.created_at AS "heldAt", u.price_version AS "priceVersion", w.payer_kind AS "payerKind", w.payer_id AS "payerId",
           CASE w.payer_kind WHEN 'organisation' THEN (SELECT name FROM organisation WHERE id = w.payer_id)
                             WHEN 'project' THEN (SELECT name FROM project WHERE id = w.payer_id)
                             ELSE (SELECT coalesce(nullif(name, ''), email) FROM app_user WHERE id = w.payer_id) END AS "payerName",
           -- Other processes hear of an end within seconds; until then they admit as before.
           w.payer_kind = 'user' AND EXISTS (
             SELECT FROM payer_delegation y
              WHERE y.user_id = u.user_id AND y.payer_id = w.payer_id AND y.accepted_at <= coalesce(h.created_at, u.settled_at)
                AND (y.ended_at IS NULL OR y.ended_at + interval '1 minute' > coalesce(h.created_at, u.settled_at))) AS delegated
      FROM (SELECT * FROM usage_event WHERE ${organisation} AND ${which} AND ${scopeCondition(scope)}) u ${NAMED}
      LEFT JOIN organisation o ON o.id = u.organisation_id
      LEFT JOIN project j ON j.id = u.project_id
      LEFT JOIN hold h ON h.id = u.request_id
      LEFT JOIN ledger_entry e ON e.txn_id = u.txn_id AND e.account_id = u.wallet_id
      JOIN ledger_account w ON w.id = u.wallet_id`;
  return row ?? null;
}
