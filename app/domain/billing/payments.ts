import type { Db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { nanoUsdOfCents } from "./checkout/fee";
import { readOwnFunding } from "./checkout/funding";
import type { PaymentView } from "./shared";
import { findPaymentById, listPaymentRows, type PaymentRow } from "./store";

const MAX_PAGE = 100;

export type PaymentPage = { payments: PaymentView[]; nextCursor: string | null };

/**
 * Returns an actor's payments, and all of the wallet that they may fund, newest first. `cursor`: the `nextCursor` of
 * the previous page; a cursor that is not one of their payments gives an empty page.
 */
export async function listPayments(
  db: Db,
  actor: Actor,
  page: { cursor?: string; limit: number },
): Promise<PaymentPage> {
  const { walletId, mayFund } = await readOwnFunding(db, actor);
  const limit = Math.min(page.limit, MAX_PAGE);
  const before = page.cursor ?? null;
  const scope = { userId: actor.userId, walletId: mayFund ? walletId : null };
  const rows = await listPaymentRows(db, scope, { before, limit: limit + 1 });
  const payments = rows.slice(0, limit).map(viewOf);
  return { payments, nextCursor: rows.length > limit ? (payments.at(-1)?.id ?? null) : null };
}

/** Returns the payment that a ledger entry names; a reader of the entry may see it. Null: there is none. */
export async function readPayment(db: Db, id: string): Promise<PaymentView | null> {
  const row = await findPaymentById(db, id);
  return row && viewOf(row);
}

function viewOf(row: PaymentRow): PaymentView {
  const { id, state, amount, fee, chargedCents, reversed, createdAt, paidAt, card, receiptUrl } = row;
  return {
    id,
    state,
    creditNanoUsd: amount,
    feeNanoUsd: fee,
    chargedNanoUsd: chargedCents === null ? null : nanoUsdOfCents(chargedCents),
    reversedNanoUsd: reversed,
    createdAt,
    paidAt,
    card,
    receiptUrl,
  };
}
