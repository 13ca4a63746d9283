import type { Db } from "~/connection/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { KeyUse } from "./shared";

const DAY_MS = 86_400_000;

/** Returns the usage of keys in the hours from `since` on; unused keys are absent. */
export async function sumKeyUse(db: Db, keyIds: readonly number[], since: Date): Promise<Map<number, KeyUse>> {
  const isMidnight = since.getTime() % DAY_MS === 0;
  const used = isMidnight
    ? Prisma.sql`usage_sum WHERE at >= ${since}::timestamptz`
    : Prisma.sql`usage_hour WHERE hour >= date_trunc('hour', ${since}::timestamptz, 'UTC')`;
  const rows = await db.$queryRaw<({ id: number } & KeyUse)[]>`
    SELECT key_id AS id, sum(requests)::int AS requests, sum(charged)::bigint AS "chargedNanoUsd"
      FROM ${used} AND key_id = ANY (${[...keyIds]}::int[])
     GROUP BY key_id`;
  return new Map(rows.map(({ id, requests, chargedNanoUsd }) => [id, { requests, chargedNanoUsd }]));
}
