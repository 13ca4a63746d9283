import { randomUUID } from "node:crypto";
import type { RouterContextProvider } from "react-router";
import { refusedFormOf } from "~/access/flash.server";
import { db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { readOwnFunding } from "~/domain/billing/index.server";
import { readPromotionsLeft } from "~/domain/promotions/index.server";

/**
 * Returns the data of the promotions card: credit for actors who may fund the wallet, the form for actors who are
 * charged.
 */
export async function readPromotionsCard(actor: Actor, context: Readonly<RouterContextProvider>) {
  const { walletId, mayFund, exempt } = await readOwnFunding(db(), actor);
  return {
    credits: mayFund ? await readPromotionsLeft(db(), walletId) : null,
    mayRedeem: !exempt,
    requestId: randomUUID(),
    refused: refusedFormOf(context, "/dashboard/billing/redeem"),
  };
}
