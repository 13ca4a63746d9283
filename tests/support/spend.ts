import { randomUUID } from "node:crypto";
import { db } from "~/connection/db.server";
import { postAdjustment } from "~/domain/accounting/index.server";

/** Charges a wallet as calls would. */
export const spendFrom = (walletId: number, amountNanoUsd: bigint): Promise<bigint> =>
  postAdjustment(db(), {
    walletId,
    amountNanoUsd: -amountNanoUsd,
    idempotencyKey: `spent-${randomUUID()}`,
    actor: "test",
    memo: "spent",
  });
