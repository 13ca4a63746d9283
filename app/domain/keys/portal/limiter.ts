import type { Db } from "~/connection/db.server";
import { readRateWindow } from "~/domain/accounting/index.server";
import type { Actor } from "~/domain/accounts/shared";
import { visibleKey } from "./read";
import type { LimiterState } from "./shared";

const SECONDS = 60;

/**
 * Returns the current state of a key's rate limiter, from the rows that admission uses.
 * @throws AppError not_found
 */
export async function readLimiter(db: Db, actor: Actor, id: number): Promise<LimiterState> {
  const key = await visibleKey(db, actor, id);
  const window = await readRateWindow(db, key.id, key.rateLimitRpm);
  const last = Math.floor(window.at.getTime() / 1000);
  const bySecond = new Map(window.seconds.map(({ second, requests }) => [second.getTime() / 1000, requests]));
  const { limit, usedInLast60s: used, nextFreeAt } = window;
  return {
    keyId: key.id,
    at: window.at,
    limit,
    used,
    free: limit === null ? null : Math.max(0, limit - used),
    nextFreeAt,
    seconds: Array.from({ length: SECONDS }, (_, index) => bySecond.get(last - SECONDS + 1 + index) ?? 0),
  };
}
