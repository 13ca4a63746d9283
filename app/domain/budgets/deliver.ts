import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { log } from "~/observe/log.server";
import { formatUsd } from "~/values/money";
import {
  type Addressee,
  deleteOldAlerts,
  endDelivery,
  leaseDelivery,
  listDue,
  postponeDelivery,
  type TakenDelivery,
  takeDelivery,
} from "./delivery-store";
import type { AlertDelivery, AlertView } from "./shared";
import { sendToWebhook } from "./webhook";

const BATCH = 100;
const MAX_ERROR_LENGTH = 300;
/** Longer than any budget period, so that no alert is sent twice. */
const KEPT_DAYS = 400;

/** Emails about alerts; each is added to the mail outbox in the transaction `tx`. */
type AlertMail = {
  alert: (tx: Db, to: Addressee, alert: AlertView) => Promise<void>;
  webhookDisabled: (tx: Db, to: Addressee) => Promise<void>;
};

/**
 * Sends due alerts. A job; several processes may run it. An email is added to the outbox in the transaction that marks the delivery, so a
 * crash does neither. A webhook is sent at least once, with the same `webhook-id` on each repeat. Returns the number of deliveries ended.
 */
export async function deliverAlerts(db: Db, mail: AlertMail, signal?: AbortSignal): Promise<number> {
  let ended = 0;
  for (const { id, channel } of await listDue(db, BATCH)) {
    if (signal?.aborted) break;
    const deliverOne = channel === "mail" ? deliverByMail : deliverByWebhook;
    try {
      if (await deliverOne(db, id, mail)) ended += 1;
    } catch (error) {
      log.warn({ err: error, delivery: String(id) }, "an alert could not be delivered");
      await postponeDelivery(db, id, error instanceof Error ? error.message.slice(0, MAX_ERROR_LENGTH) : "?");
    }
  }
  return ended;
}

function deliverByMail(db: Db, id: bigint, mail: AlertMail): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const delivery = await takeDelivery(tx, id);
    if (delivery === null) return false;
    if (delivery.to.wanted) await mail.alert(tx, delivery.to, delivery);
    await endDelivery(tx, id, delivery.to.wanted ? "sent" : "cancelled");
    return true;
  });
}

/** Commits the lease before sending, so that no transaction is open while a receiver answers slowly. */
async function deliverByWebhook(db: Db, id: bigint, mail: AlertMail): Promise<boolean> {
  const delivery = await inTransaction(db, async (tx) => {
    const taken = await takeDelivery(tx, id);
    if (taken !== null) await leaseDelivery(tx, id);
    return taken;
  });
  if (delivery === null) return false;
  const message = { id: `alert_${id}`, body: bodyOf(delivery) };
  const outcome = delivery.to.wanted ? await sendToWebhook(db, delivery.to.userId, message) : null;
  if (outcome?.disabled) await inTransaction(db, (tx) => mail.webhookDisabled(tx, delivery.to));
  if (outcome !== null && outcome.error !== null) {
    await postponeDelivery(db, id, outcome.error);
    return false;
  }
  await endDelivery(db, id, outcome === null ? "cancelled" : "sent");
  return true;
}

/** Builds the body. Amounts are decimal strings of US dollars, exact to the nano-dollar. */
function bodyOf(delivery: TakenDelivery): string {
  const { kind, threshold, scope, scopeId, scopeName, period, resetsAt, runsOutAt, createdAt } = delivery;
  return JSON.stringify({
    type: `budget.${kind}`,
    timestamp: createdAt.toISOString(),
    data: {
      alert_id: Number(delivery.alertId),
      threshold_percent: kind === "threshold" ? Number(threshold) : null,
      threshold_balance: kind === "low_balance" ? formatUsd(threshold) : null,
      scope: { kind: scope, id: scopeId, name: scopeName },
      period,
      ...amountsOf(delivery),
      resets_at: resetsAt?.toISOString() ?? null,
      runs_out_at: runsOutAt?.toISOString() ?? null,
    },
  });
}

const amountsOf = ({ limitNanoUsd, spentNanoUsd, heldNanoUsd, availableNanoUsd }: AlertDelivery) => ({
  limit: formatUsd(limitNanoUsd),
  spent: formatUsd(spentNanoUsd),
  held: formatUsd(heldNanoUsd),
  available: formatUsd(availableNanoUsd),
});

/** Deletes alerts older than any budget period, at most `maximum`. A job. Returns the number. */
export const purgeAlerts = (db: Db, maximum: number): Promise<number> => deleteOldAlerts(db, KEPT_DAYS, maximum);
