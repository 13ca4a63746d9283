import { db } from "~/db.server";
import { bookAnswered, forgetOldAnswers } from "~/domain/idempotency/index.server";
import { forgetOldRefusals } from "~/domain/metering/index.server";
import { log } from "~/log.server";
import { flushRefusals } from "./refusal-log";

const BOOK_EVERY_MS = 20_000;
const FORGET_EVERY_MS = 600_000;

const timers: NodeJS.Timeout[] = [];

/** Begins the gateway's own upkeep: answers that a dead process did not book are booked, old notes and answers go. */
export function startUpkeep(): void {
  const every = (ms: number, what: string, work: () => Promise<number>) =>
    timers.push(setInterval(() => void quietly(what, work), ms).unref());
  every(BOOK_EVERY_MS, "calls were booked from their stored answers", () => bookAnswered(db()));
  every(FORGET_EVERY_MS, "old answers were forgotten", () => forgetOldAnswers(db()));
  every(FORGET_EVERY_MS, "old refusals were forgotten", () => forgetOldRefusals(db()));
}

/** Ends it; what waits to be written is written. */
export async function stopUpkeep(): Promise<void> {
  for (const timer of timers.splice(0)) clearInterval(timer);
  await flushRefusals();
}

async function quietly(what: string, work: () => Promise<number>): Promise<void> {
  try {
    const count = await work();
    if (count > 0) log.info({ count }, what);
  } catch (problem) {
    log.warn({ err: problem, what }, "upkeep of the gateway failed; it will be tried again");
  }
}
