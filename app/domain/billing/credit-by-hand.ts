import { inTransaction, publish } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { openWallet, postAdjustment } from "~/domain/accounting/index.server";
import { type Actor, atLeast } from "~/domain/accounts/shared";
import { recordAuditEvent } from "~/domain/activity/index.server";
import { apiError } from "~/errors/app-error";
import { findPayer, isPosted, lockWallet } from "./hand-store";
import type { PayerKind } from "./shared";

export type HandCredit = {
  /** A credit gives a project a wallet, which then pays for the project's keys. */
  payer: { kind: PayerKind; id: number };
  amountNanoUsd: bigint;
  /** The reason as free text, stored in the ledger and in the audit log. */
  reason: string;
  /** Idempotency key: repeating the request with the same fields changes nothing. */
  requestId: string;
};

/**
 * Credits a wallet without a payment, for installations that bill elsewhere: ledger kind `adjustment`, and an audit
 * event with the reason in the same transaction. Returns the ledger transaction.
 * @throws AppError forbidden below platform admins; not_found; idempotency_conflict for the same request with another
 *   amount.
 */
export async function creditByHand(db: Db, actor: Actor, credit: HandCredit): Promise<bigint> {
  if (!atLeast(actor.role, "platform_admin")) throw apiError("forbidden");
  const { payer, amountNanoUsd, reason, requestId } = credit;
  return inTransaction(db, async (tx) => {
    const match = await findPayer(tx, payer);
    if (match === null) throw apiError("not_found", { key: "rejections:noSuchPayer", param: "payer_id" });
    const { organisationId, name, exempt } = match;
    const walletId = await openWallet(tx, { ...payer, organisationId }, { exempt });
    // Of two concurrent requests, the second sees the posting of the first.
    await lockWallet(tx, walletId);
    const idempotencyKey = `by-hand:${actor.userId}:${requestId}`;
    const isRepeated = await isPosted(tx, `adjustment:${idempotencyKey}`);
    const label = `user:${actor.userId}`;
    const txn = await postAdjustment(tx, { walletId, amountNanoUsd, idempotencyKey, actor: label, memo: reason });
    if (isRepeated) return txn;
    if (payer.kind === "project") await publish(tx, "keys");
    await recordAuditEvent(tx, {
      by: { userId: actor.userId, label: actor.email, address: actor.address },
      action: `${payer.kind}.wallet_credit`,
      target: { kind: payer.kind, id: payer.id, label: name },
      organisationId,
      subjectUserId: payer.kind === "user" ? payer.id : null,
      after: { amountNanoUsd, reason, ledgerTransaction: txn },
    });
    return txn;
  });
}
