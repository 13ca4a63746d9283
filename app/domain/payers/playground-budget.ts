import type { Db } from "~/connection/db.server";
import { apiError } from "~/errors/app-error";
import { readPlaygroundDay, releasePlaygroundSpend, reservePlaygroundSpend } from "./playground-store";

/** The amount that a call has reserved of a person's playground budget for a day (`YYYY-MM-DD`, UTC). */
export type PlaygroundReservation = { userId: number; day: string; amountNanoUsd: bigint };

/**
 * Returns the remaining playground budget of a person for today, in nano-USD, less the maximum cost of calls in flight.
 */
export async function readPlaygroundBudget(
  db: Db,
  userId: number,
  dailyNanoUsd: bigint,
): Promise<{ dailyNanoUsd: bigint; leftNanoUsd: bigint }> {
  const spent = await readPlaygroundDay(db, userId);
  return { dailyNanoUsd, leftNanoUsd: spent < dailyNanoUsd ? dailyNanoUsd - spent : 0n };
}

/**
 * Reserves the maximum cost of a call from the person's budget for today, in nano-USD. Concurrent calls cannot exceed
 * the budget together. @throws AppError budget_exceeded
 */
export async function reservePlayground(
  db: Db,
  budget: { userId: number; amountNanoUsd: bigint; dailyNanoUsd: bigint },
): Promise<PlaygroundReservation> {
  const { userId, amountNanoUsd, dailyNanoUsd } = budget;
  const day = dailyNanoUsd === 0n ? null : await reservePlaygroundSpend(db, budget);
  if (day !== null) return { userId, day, amountNanoUsd };
  const { leftNanoUsd } = await readPlaygroundBudget(db, userId, dailyNanoUsd);
  throw apiError("budget_exceeded", {
    key: "rejections:playgroundBudget",
    values: { needed: Number(amountNanoUsd), left: Number(leftNanoUsd), daily: Number(dailyNanoUsd) },
  });
}

/** Releases the part of a reservation that the call did not cost. Call it once per reservation. */
export async function settlePlayground(
  db: Db,
  { userId, day, amountNanoUsd }: PlaygroundReservation,
  costNanoUsd: bigint,
): Promise<void> {
  if (costNanoUsd < amountNanoUsd)
    await releasePlaygroundSpend(db, { userId, day, amountNanoUsd: amountNanoUsd - costNanoUsd });
}
