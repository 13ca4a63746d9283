import type { Reads } from "~/connection/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { BatchRequest } from "./shared";

// The expression of the partial index on calls of batches.
const OF = Prisma.sql`routing ->> 'batchId'`;

/** Returns the charges of an organisation's batches; a batch without calls is absent. */
export const sumOfBatches = (
  db: Reads,
  organisationId: number,
  ids: readonly string[],
): PromiseLike<{ id: string; chargedNanoUsd: bigint }[]> =>
  db.$queryRaw<{ id: string; chargedNanoUsd: bigint }[]>`
    SELECT ${OF} AS id, sum(charged)::bigint AS "chargedNanoUsd" FROM usage_event
     WHERE ${OF} IS NOT NULL AND ${OF} = ANY (${[...ids]}::text[]) AND organisation_id = ${organisationId}::integer GROUP BY 1`;

/** Returns the newest calls of a batch. */
export const newestOfBatch = (
  db: Reads,
  { organisationId, id, limit }: { organisationId: number; id: string; limit: number },
): PromiseLike<BatchRequest[]> =>
  db.$queryRaw<BatchRequest[]>`
    SELECT request_id::text AS "requestId", started_at AS "startedAt", model, outcome, status, error_code AS "errorCode",
           input_tokens AS "inputTokens", output_tokens AS "outputTokens", charged AS "chargedNanoUsd"
      FROM usage_event
     WHERE ${OF} IS NOT NULL AND ${OF} = ${id} AND organisation_id = ${organisationId}::integer
     ORDER BY usage_event.id DESC LIMIT ${limit}::integer`;
