import { db } from "~/db.server";
import { logAuditHead } from "~/domain/activity/index.server";
import { bookAnswered, forgetOldAnswers } from "~/domain/idempotency/index.server";
import { forgetEnded } from "~/domain/identity/index.server";
import { forgetOldRefusals } from "~/domain/metering/index.server";
import { log } from "~/log.server";
import { flushRejections } from "./log/rejection-log";

const BOOK_EVERY_MS = 20_000;
const FORGET_EVERY_MS = 600_000;
const HEAD_EVERY_MS = 3_600_000;
/** So many rows in one statement: what else the database does waits no longer for it than a moment. */
const ROWS_AT_ONCE = 5_000;

const timers: NodeJS.Timeout[] = [];

/** Begins the upkeep: answers that a dead process did not book are booked; old notes and answers, ended sessions and links go. */
export function startUpkeep(): void {
  const every = (ms: number, what: string, work: () => Promise<number>) =>
    timers.push(setInterval(() => void quietly(what, work), ms).unref());
  every(BOOK_EVERY_MS, "calls were booked from their stored answers", () => bookAnswered(db()));
  every(FORGET_EVERY_MS, "old answers were forgotten", () => forgetAll((most) => forgetOldAnswers(db(), most)));
  every(FORGET_EVERY_MS, "old refusals were forgotten", () => forgetAll((most) => forgetOldRefusals(db(), most)));
  // Into the log, which is often kept elsewhere: whoever cuts the end off the audit log cannot cut it off there.
  const logHead = async () => {
    await logAuditHead(db());
    return 0;
  };
  void quietly("the head of the audit log", logHead);
  every(HEAD_EVERY_MS, "the head of the audit log", logHead);
  every(FORGET_EVERY_MS, "ended sessions and links were forgotten", () => forgetEnded(db()));
}

/** Ends it; what waits to be written is written. */
export async function stopUpkeep(): Promise<void> {
  for (const timer of timers.splice(0)) clearInterval(timer);
  await flushRejections();
}

/** Repeats `forget` until nothing old is left: however much comes in, no more than what is kept stays. */
export async function forgetAll(forget: (most: number) => Promise<number>, most = ROWS_AT_ONCE): Promise<number> {
  for (let total = 0; ; ) {
    const count = await forget(most);
    total += count;
    if (count < most) return total;
  }
}

async function quietly(what: string, work: () => Promise<number>): Promise<void> {
  try {
    const count = await work();
    if (count > 0) log.info({ count }, what);
  } catch (problem) {
    log.warn({ err: problem, what }, "upkeep of the gateway failed; it will be tried again");
  }
}
