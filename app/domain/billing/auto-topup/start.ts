import { randomUUID } from "node:crypto";
import { config } from "~/config.server";
import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { centsOf, priceOfCredit } from "../checkout/fee";
import { recordTopupLimit } from "../notices/store";
import { insertPayment } from "../store";
import { decide, type TopupFacts } from "./decide";
import { insertOperation } from "./operation-store";
import { checkLater, findPolicy, lockAutoTopup, readTopupFacts, type TopupFactsRow } from "./settings-store";

/**
 * Starts a charge for a wallet that is due and returns its id; null when it is not due. Of any number of concurrent
 * callers one starts it: they decide one after the other, each after the previous commit.
 */
export function startTopup(db: Db, walletId: number): Promise<string | null> {
  return inTransaction(db, async (tx) => {
    await lockAutoTopup(tx, walletId);
    const row = await readTopupFacts(tx, walletId);
    if (row === null) return null;
    const verdict = decide(topupFacts(row), { policy: await findPolicy(tx), isReady: isReady(), now: new Date() });
    const { customerId, methodId } = row;
    if (verdict !== "due" || customerId === null || methodId === null) {
      if (verdict !== "open" && verdict !== "idle") await checkLater(tx, walletId);
      await recordLimit(tx, row, verdict);
      return null;
    }
    const id = randomUUID();
    const { settingId, userId, organisationId, amountNanoUsd, availableNanoUsd } = row;
    const { feeNanoUsd, totalNanoUsd } = priceOfCredit(amountNanoUsd, config().funding);
    await insertPayment(tx, {
      id,
      walletId,
      organisationId,
      userId,
      idempotencyKey: null,
      livemode: config().stripe?.livemode ?? false,
      amount: amountNanoUsd,
      fee: feeNanoUsd,
      subtotalCents: centsOf(totalNanoUsd) as number,
    });
    await insertOperation(tx, { id, walletId, settingId, userId, customerId, methodId, availableNanoUsd });
    return id;
  });
}

/** Records a notice when a limit prevents a charge that would be due. */
async function recordLimit(tx: Db, row: TopupFactsRow, verdict: ReturnType<typeof decide>): Promise<void> {
  const limit = verdict === "day_limit" ? "day" : verdict === "month_limit" ? "month" : null;
  if (limit === null || row.availableNanoUsd >= row.thresholdNanoUsd) return;
  const { walletId, userId, amountNanoUsd } = row;
  await recordTopupLimit(tx, { walletId, userId, limit, amountNanoUsd });
}

/**
 * Whether cards can be charged automatically. With tax by the processor they cannot, because it requires an address
 * from its page.
 */
export const isReady = (): boolean => config().stripe?.tax === false;

/** Converts a row to the facts for the decision. */
export function topupFacts(row: TopupFactsRow): TopupFacts {
  const { methodId, cardExpired, cardRefused } = row;
  const { totalNanoUsd: chargeNanoUsd } = priceOfCredit(row.amountNanoUsd, config().funding);
  return {
    ...row,
    chargeNanoUsd,
    card: methodId === null ? null : { id: methodId, expired: cardExpired ?? false, refused: cardRefused },
  };
}
