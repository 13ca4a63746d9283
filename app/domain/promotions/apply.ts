import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { payerOf } from "~/domain/keys/index.server";
import { log } from "~/observe/log.server";
import { expireIn, findDueWallets, findNewPeople, give, markDecided, type NewPerson } from "./store";

const BATCH = 500;

/**
 * Grants promotions to new people, counts spending against promotional credit, and removes expired credit. A job; may be interrupted and
 * repeated. Returns the number of credits granted plus the number of wallets with expired credit.
 */
export async function applyPromotions(db: Db, signal: AbortSignal): Promise<number> {
  let handled = 0;
  for (const newPerson of await findNewPeople(db, BATCH)) {
    if (signal.aborted) return handled;
    handled += (await attempted("a promotion could not be given", () => grantToNewPerson(db, newPerson))) ? 1 : 0;
  }
  for (const walletId of await findDueWallets(db, BATCH)) {
    if (signal.aborted) return handled;
    const applied = await attempted("promotional credit could not be counted", () =>
      inTransaction(db, (tx) => expireIn(tx, walletId)),
    );
    handled += applied ? 1 : 0;
  }
  return handled;
}

function grantToNewPerson(db: Db, { promotionId, userId, organisationId }: NewPerson): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    if (!(await markDecided(tx, promotionId, userId))) return false;
    const { walletId } = await payerOf(tx, { organisationId, userId, projectId: null });
    const cause = `promotion:${promotionId}:new:${userId}`;
    return (await give(tx, { promotionId, walletId, userId, cause, actor: "promotions" })) === "given";
  });
}

/** Logs a failure and continues with the others; the next run retries. */
async function attempted<T>(problem: string, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (err) {
    log.warn({ err }, problem);
    return null;
  }
}
