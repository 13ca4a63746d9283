import type { Db } from "~/connection/db.server";

/**
 * Adds to the person's playground spend of today, unless it would exceed the daily budget. Returns the day; null: it
 * would.
 */
export async function reservePlaygroundSpend(
  db: Db,
  { userId, amountNanoUsd, dailyNanoUsd }: { userId: number; amountNanoUsd: bigint; dailyNanoUsd: bigint },
): Promise<string | null> {
  const rows = await db.$queryRaw<{ day: string }[]>`
    UPDATE app_user SET
      playground_nano_usd = CASE WHEN playground_day = (now() AT TIME ZONE 'UTC')::date THEN playground_nano_usd ELSE 0 END
                            + ${amountNanoUsd}::bigint,
      playground_day = (now() AT TIME ZONE 'UTC')::date
    WHERE id = ${userId}
      AND CASE WHEN playground_day = (now() AT TIME ZONE 'UTC')::date THEN playground_nano_usd ELSE 0 END
          + ${amountNanoUsd}::bigint <= ${dailyNanoUsd}::bigint
    RETURNING playground_day::text AS day`;
  return rows[0]?.day ?? null;
}

/** Leaves the amount of another day unchanged. */
export async function releasePlaygroundSpend(
  db: Db,
  { userId, day, amountNanoUsd }: { userId: number; day: string; amountNanoUsd: bigint },
): Promise<void> {
  await db.$executeRaw`
    UPDATE app_user SET playground_nano_usd = greatest(0, playground_nano_usd - ${amountNanoUsd}::bigint)
    WHERE id = ${userId} AND playground_day = ${day}::date`;
}

/** Returns the person's playground spend of today, in nano-USD. */
export async function readPlaygroundDay(db: Db, userId: number): Promise<bigint> {
  const rows = await db.$queryRaw<{ spent: bigint }[]>`
    SELECT playground_nano_usd AS spent FROM app_user
    WHERE id = ${userId} AND playground_day = (now() AT TIME ZONE 'UTC')::date`;
  return rows[0]?.spent ?? 0n;
}
