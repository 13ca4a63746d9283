import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { rateLimitPromotionCode, refundPromotionCodeRateLimit } from "~/domain/accounts/index.server";
import { type Actor, authorOf } from "~/domain/accounts/shared";
import { recordAuditEvent } from "~/domain/activity/index.server";
import { payerOf } from "~/domain/keys/index.server";
import { apiError } from "~/errors/app-error";
import { codeOf } from "./code";
import type { PromotionCreditView } from "./shared";
import { findByCode, findLeft, give } from "./store";

/**
 * Redeems a code for the actor's payer; the credit is in the wallet when this returns. Amounts are nano-USD. The same request id redeems
 * once. Attempts are rate-limited per person and network.
 * @throws AppError rate_limit_exceeded; invalid_request, the same for an unknown and for an ended code; conflict when the payer has
 *   reached its limit or is exempt.
 */
export async function redeemCode(
  db: Db,
  actor: Actor,
  { typed, requestId }: { typed: string; requestId: string },
): Promise<{ name: string; amountNanoUsd: bigint }> {
  const attempt = { userId: actor.userId, address: actor.address };
  await rateLimitPromotionCode(db, attempt);
  const code = codeOf(typed);
  const promotion = code === null ? null : await findByCode(db, code);
  if (promotion === null) throw notValid();
  await inTransaction(db, async (tx) => {
    const { userId, organisationId } = actor;
    const { walletId, payer } = await payerOf(tx, { organisationId, userId, projectId: null });
    const cause = `promotion:${promotion.id}:redeemed:${userId}:${requestId}`;
    const outcome = await give(tx, { promotionId: promotion.id, walletId, userId, cause, actor: `user:${userId}` });
    if (outcome === "repeated") return;
    if (outcome === "had") throw apiError("conflict", { key: "rejections:promotionHad", param: "code" });
    if (outcome === "exempt") throw apiError("conflict", { key: "rejections:promotionExempt", param: "code" });
    if (outcome !== "given") throw notValid();
    await recordAuditEvent(tx, {
      by: authorOf(actor),
      action: "promotion.redeem",
      target: { kind: "promotion", id: promotion.id, label: promotion.name },
      organisationId,
      subjectUserId: payer.kind === "user" ? payer.id : userId,
      after: { amountNanoUsd: promotion.amountNanoUsd },
    });
  });
  await refundPromotionCodeRateLimit(db, attempt);
  return promotion;
}

/** Returns a wallet's remaining promotional credit in the order of spending, as of the last run of the job. */
export const readPromotionsLeft = (db: Db, walletId: number): Promise<PromotionCreditView[]> => findLeft(db, walletId);

const notValid = () => apiError("invalid_request", { key: "rejections:promotionCode", param: "code" });
