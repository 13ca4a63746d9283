import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import type { BillingNotice } from "../shared";
import { deleteOldNotices, listWaitingNotices, recordExpiringCards, recordPaidFor, takeNotice } from "./store";

const BATCH = 100;
const CARD_DAYS = 30;

/**
 * Notifies people about their money: a limit prevents auto top-up, a saved card expires, or their wallet has paid for a
 * colleague this month. Each once; the email is written to the outbox in the transaction that marks the notice as sent.
 * A job; any number of processes may run it and crash at any point. Returns the number of notices sent.
 */
export async function sendBillingNotices(
  db: Db,
  mail: (tx: Db, notice: BillingNotice) => Promise<void>,
  signal?: AbortSignal,
): Promise<number> {
  await recordExpiringCards(db, CARD_DAYS);
  await recordPaidFor(db);
  await deleteOldNotices(db);
  let sent = 0;
  for (const id of await listWaitingNotices(db, BATCH)) {
    if (signal?.aborted) break;
    const isTold = await inTransaction(db, async (tx) => {
      const notice = await takeNotice(tx, id);
      if (notice !== null) await mail(tx, notice);
      return notice !== null;
    });
    if (isTold) sent += 1;
  }
  return sent;
}
