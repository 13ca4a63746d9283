import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "~/db.server";
import { addUpNextDay, closeDays, findPostings } from "./usage-days-store";

const ASK_EVERY_MS = 50;

/**
 * Adds up usage by the day (UTC), of all days that ended an hour ago and were not added up yet, and of those into which calls were posted
 * since: readers take whole days from there. Returns how many days it were. Safe to repeat, to cut off between two days, and to run twice at once.
 */
export async function addUpUsage(db: Db, signal: AbortSignal): Promise<number> {
  await closeDays(db);
  // Postings that may not know yet what is closed have to end before anything is added up.
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
