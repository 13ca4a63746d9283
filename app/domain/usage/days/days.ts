import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "~/connection/db.server";
import { addUpNextDay, closeDays, findPostings } from "./days-store";

const ASK_EVERY_MS = 50;

/**
 * Sums usage by UTC day, for days that ended an hour ago or earlier and have no sums yet, and for days that received calls since. Returns
 * the number of days. Safe to repeat, to abort between two days, and to run in parallel.
 */
export async function addUpUsage(db: Db, signal: AbortSignal): Promise<number> {
  await closeDays(db);
  // Postings that may have read the old closing time must end before any day is summed.
  let before = await findPostings(db);
  while (before.length > 0) {
    await sleep(ASK_EVERY_MS, undefined, { signal });
    const still = new Set(await findPostings(db));
    before = before.filter((posting) => still.has(posting));
  }
  let days = 0;
  for (; !signal.aborted && (await addUpNextDay(db)); ) days += 1;
  return days;
}
