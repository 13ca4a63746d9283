import { inTransaction } from "~/bus.server";
import type { Db } from "~/db.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import { rateLimitPromotionCode, refundPromotionCodeRateLimit } from "~/domain/identity/index.server";
import { type Actor, authorOf } from "~/domain/identity/shared";
import { payerOf } from "~/domain/keys/index.server";
import { apiError } from "~/errors/app-error";
import { codeOf } from "./code";
import type { PromotionCreditView } from "./shared";
import { findByCode, findLeft, give } from "./store";

/**
 * Redeems a code for whoever pays for the actor: the credit is in their wallet when this returns. Amounts are nano-USD. The
 * same request redeems once. What is typed is limited for each person and network.
 * @throws AppError rate_limit_exceeded; invalid_request, the same for a code that there is not and one that is not given any
 *   more; conflict when the payer has had its share, or is not charged.
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

/** What a wallet has left of promotions, what is spent first first; up to the last run of the job. */
export const readPromotionsLeft = (db: Db, walletId: number): Promise<PromotionCreditView[]> => findLeft(db, walletId);

const notValid = () => apiError("invalid_request", { key: "rejections:promotionCode", param: "code" });
