import type { Db } from "~/db.server";
import { apiError } from "~/errors/app-error";
import { readPlaygroundDay, releasePlaygroundSpend, reservePlaygroundSpend } from "./playground-store";

/** What a call has taken of a person's playground budget of a day (`YYYY-MM-DD`, UTC). */
export type PlaygroundReservation = { userId: number; day: string; amountNanoUsd: bigint };

/** What a person has left for the playground today, in nano-USD; what calls in flight may still cost is taken off. */
export async function readPlaygroundBudget(
  db: Db,
  userId: number,
  dailyNanoUsd: bigint,
): Promise<{ dailyNanoUsd: bigint; leftNanoUsd: bigint }> {
  const spent = await readPlaygroundDay(db, userId);
  return { dailyNanoUsd, leftNanoUsd: spent < dailyNanoUsd ? dailyNanoUsd - spent : 0n };
}

/**
 * Takes the most that a call can cost off the person's budget of today, in nano-USD. Of calls at the same moment only so many
 * get it as fit. @throws AppError budget_exceeded
 */
export async function reservePlayground(
  db: Db,
  wanted: { userId: number; amountNanoUsd: bigint; dailyNanoUsd: bigint },
): Promise<PlaygroundReservation> {
  const { userId, amountNanoUsd, dailyNanoUsd } = wanted;
  const day = dailyNanoUsd === 0n ? null : await reservePlaygroundSpend(db, wanted);
  if (day !== null) return { userId, day, amountNanoUsd };
  const { leftNanoUsd } = await readPlaygroundBudget(db, userId, dailyNanoUsd);
  throw apiError("budget_exceeded", {
    key: "rejections:playgroundBudget",
    values: { needed: Number(amountNanoUsd), left: Number(leftNanoUsd), daily: Number(dailyNanoUsd) },
  });
}

/** Gives back what the call did not cost. Once per reservation. */
export async function settlePlayground(
  db: Db,
  { userId, day, amountNanoUsd }: PlaygroundReservation,
  costNanoUsd: bigint,
): Promise<void> {
  if (costNanoUsd < amountNanoUsd)
    await releasePlaygroundSpend(db, { userId, day, amountNanoUsd: amountNanoUsd - costNanoUsd });
}
