import { inTransaction } from "~/bus.server";
import type { Db } from "~/db.server";
import { payerOf } from "~/domain/keys/index.server";
import { log } from "~/log.server";
import { expireIn, findDueWallets, findNewPeople, give, markDecided, type NewPerson } from "./store";

const BATCH = 500;

/**
 * Gives promotions to people who have joined, counts spending against promotional credit, and takes back what has expired. A
 * job; may be cut off anywhere and repeated. Returns how many credits it gave and wallets it took something back from.
 */
export async function applyPromotions(db: Db, signal: AbortSignal): Promise<number> {
  let handled = 0;
  for (const newPerson of await findNewPeople(db, BATCH)) {
    if (signal.aborted) return handled;
    handled += (await attempted("a promotion could not be given", () => giveToNewPerson(db, newPerson))) ? 1 : 0;
  }
  for (const walletId of await findDueWallets(db, BATCH)) {
    if (signal.aborted) return handled;
    const taken = await attempted("promotional credit could not be counted", () =>
      inTransaction(db, (tx) => expireIn(tx, walletId)),
    );
    handled += taken ? 1 : 0;
  }
  return handled;
}

function giveToNewPerson(db: Db, { promotionId, userId, organisationId }: NewPerson): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    if (!(await markDecided(tx, promotionId, userId))) return false;
    const { walletId } = await payerOf(tx, { organisationId, userId, projectId: null });
    const cause = `promotion:${promotionId}:new:${userId}`;
    return (await give(tx, { promotionId, walletId, userId, cause, actor: "promotions" })) === "given";
  });
}

/** One that fails keeps no other waiting; the next run tries it again. */
async function attempted<T>(problem: string, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (err) {
    log.warn({ err }, problem);
    return null;
  }
}
