import type { Db } from "~/connection/db.server";
import type { RateWindowView } from "../shared";
import { findStamps, takeRate } from "./view-store";

const WINDOW_MS = 60_000;

/**
 * Returns the current state of a key's rate limiter from the rows that admission uses: the requests of the last 60 seconds, the time
 * of the next free one (null: at once), and the requests of each second. `rpm` is the key's limit; null: it has none, and requests
 * are not counted.
 */
export async function readRateWindow(db: Db, keyId: number, rpm: number | null): Promise<RateWindowView> {
  const { now, stamps } = await findStamps(db, keyId);
  const used = stamps.reduce((sum, { n }) => sum + n, 0);
  const perSecond = new Map<number, number>();
  for (const { at, n } of stamps) {
    // A slot is stamped with its end, which may be in the future; its requests have already arrived.
    const second = Math.floor(Math.min(at.getTime(), now.getTime()) / 1000) * 1000;
    perSecond.set(second, (perSecond.get(second) ?? 0) + n);
  }
  return {
    at: now,
    limit: rpm,
    usedInLast60s: used,
    nextFreeAt: rpm === null ? null : nextFreeAt(stamps, used, rpm),
    seconds: [...perSecond].map(([second, requests]) => ({ second: new Date(second), requests })),
  };
}

/** When enough of the oldest requests have left the window for one more to fit. */
function nextFreeAt(stamps: readonly { at: Date; n: number }[], used: number, rpm: number): Date | null {
  let left = used;
  let at: Date | null = null;
  for (const stamp of stamps) {
    if (left < rpm) break;
    left -= stamp.n;
    at = new Date(stamp.at.getTime() + WINDOW_MS);
  }
  return at;
}

/**
 * Counts a request without a hold in its key's rate window. Returns 0; or, if the request does not fit and was not counted, the
 * whole seconds until one fits.
 */
export const countRequest = (db: Db, keyId: number, rpm: number): Promise<number> => takeRate(db, keyId, rpm);
