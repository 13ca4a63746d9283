import { inTransaction } from "~/bus.server";
import type { Db } from "~/db.server";
import type { BillingNotice } from "../shared";
import { deleteOldNotices, listWaitingNotices, noteExpiringCards, notePaidFor, takeNotice } from "./store";

const BATCH = 100;
const CARD_DAYS = 30;

/**
 * Tells people what they should know about their money: that a limit holds auto top-up back, that a saved card expires, that their
 * wallet has paid for a colleague this month. Each once; the email goes into the outbox in the transaction that marks it as told. A
 * job; any number of processes may do it, and die anywhere. Returns how many were told.
 */
export async function tellBillingNotices(
  db: Db,
  mail: (tx: Db, notice: BillingNotice) => Promise<void>,
  signal?: AbortSignal,
): Promise<number> {
  await noteExpiringCards(db, CARD_DAYS);
  await notePaidFor(db);
  await deleteOldNotices(db);
  let told = 0;
  for (const id of await listWaitingNotices(db, BATCH)) {
    if (signal?.aborted) break;
    const isTold = await inTransaction(db, async (tx) => {
      const notice = await takeNotice(tx, id);
      if (notice !== null) await mail(tx, notice);
      return notice !== null;
    });
    if (isTold) told += 1;
  }
  return told;
}
