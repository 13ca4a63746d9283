import { inTransaction } from "~/bus.server";
import type { Db } from "~/db.server";
import { log } from "~/log.server";
import {
  type Addressee,
  deleteOldAlerts,
  endDelivery,
  listDue,
  postponeDelivery,
  takeDelivery,
} from "./delivery-store";
import type { AlertView } from "./shared";

const BATCH = 100;
const MAX_ERROR_LENGTH = 300;
/** Longer than any period, so that nothing is told twice. */
const KEPT_DAYS = 400;

/** Puts the email of an alert into the outbox for mail, in the transaction that says so. */
type MailAlert = (tx: Db, to: Addressee, alert: AlertView) => Promise<void>;

/**
 * Tells what is due. A job; any number of processes may do it. The email goes into the mail outbox in the same transaction that
 * marks the delivery, so that one which dies on its way has done neither. Returns how many deliveries ended.
 */
export async function deliverAlerts(db: Db, mail: MailAlert, signal?: AbortSignal): Promise<number> {
  let ended = 0;
  for (const id of await listDue(db, BATCH)) {
    if (signal?.aborted) break;
    if (await deliverOne(db, id, mail)) ended += 1;
  }
  return ended;
}

async function deliverOne(db: Db, id: bigint, mail: MailAlert): Promise<boolean> {
  try {
    return await inTransaction(db, async (tx) => {
      const delivery = await takeDelivery(tx, id);
      if (delivery === null) return false;
      if (delivery.to.wanted) await mail(tx, delivery.to, delivery);
      await endDelivery(tx, id, delivery.to.wanted ? "sent" : "cancelled");
      return true;
    });
  } catch (problem) {
    log.warn({ err: problem, delivery: String(id) }, "an alert could not be delivered");
    const error = (problem instanceof Error ? problem.message : String(problem)).slice(0, MAX_ERROR_LENGTH);
    await postponeDelivery(db, id, error);
    return false;
  }
}

/** Forgets alerts that are older than any period. A job; at most `maximum` at once. Returns how many it were. */
export const purgeAlerts = (db: Db, maximum: number): Promise<number> => deleteOldAlerts(db, KEPT_DAYS, maximum);
