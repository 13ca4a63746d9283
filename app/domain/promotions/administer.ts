import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { openWallet } from "~/domain/accounting/index.server";
import { type Actor, atLeast, authorOf } from "~/domain/accounts/shared";
import { recordAuditEvent } from "~/domain/activity/index.server";
import { payerOf } from "~/domain/keys/index.server";
import { apiError } from "~/errors/app-error";
import { newCode, shownCode } from "./code";
import type { Audience, GivenCredit, PromotionView } from "./shared";
import {
  findByRequest,
  findGiven,
  findPromotions,
  give,
  insertPromotion,
  lockPromotion,
  type PromotionTerms,
  putTerms,
} from "./store";

const SHOWN_CREDITS = 50;

export type NewPromotion = PromotionTerms & {
  audience: Audience;
  /** Id of the organisation or person, for these audiences. */
  recipientId: number | null;
  /** Idempotency id: a repetition creates no second promotion. */
  requestId: string;
};

/**
 * Creates a promotion. One for an organisation or a person is credited in the same transaction; for the audience `code`, a code is
 * generated. Amounts are nano-USD. Safe to repeat with the same request id. Returns the id and the code, if it has one.
 * @throws AppError forbidden below platform admins; not_found for a recipient that does not exist; conflict where the recipient
 *   is not charged; invalid_request for an end in the past.
 */
export async function createPromotion(
  db: Db,
  actor: Actor,
  promotion: NewPromotion,
): Promise<{ id: number; code: string | null }> {
  requirePlatformAdmin(actor);
  requireFuture(promotion.expiresAt);
  const { audience, recipientId, requestId } = promotion;
  return inTransaction(db, async (tx) => {
    const walletId = await walletFor(tx, audience, recipientId);
    const code = audience === "code" ? newCode() : null;
    const id = await insertPromotion(tx, { ...promotion, code, createdBy: actor.userId });
    if (id === null) {
      const made = (await findByRequest(tx, requestId))!;
      return { id: made.id, code: made.code && shownCode(made.code) };
    }
    if (walletId !== null) {
      const userId = audience === "user" ? recipientId : null;
      const gift = {
        promotionId: id,
        walletId,
        userId,
        cause: `promotion:${id}:direct`,
        actor: `user:${actor.userId}`,
      };
      if ((await give(tx, gift)) !== "given") throw apiError("conflict", { key: "rejections:promotionExempt" });
    }
    await recordAuditEvent(tx, {
      by: authorOf(actor),
      action: "promotion.create",
      target: { kind: "promotion", id, label: promotion.name },
      organisationId: audience === "organisation" ? recipientId : null,
      subjectUserId: audience === "user" ? recipientId : null,
      after: termsOf(promotion),
    });
    return { id, code: code && shownCode(code) };
  });
}

/** Changes to a promotion; absent fields stay. */
export type PromotionChange = Partial<PromotionTerms> & { ended?: boolean };

/**
 * Changes the terms of a promotion for future credits, ends it, or reopens it. Credits already granted keep their amount and expiry. Safe
 * to repeat.
 * @throws AppError forbidden, not_found, invalid_request
 */
export async function updatePromotion(db: Db, actor: Actor, id: number, change: PromotionChange): Promise<void> {
  requirePlatformAdmin(actor);
  await inTransaction(db, async (tx) => {
    const { endedAt, ...terms } = (await lockPromotion(tx, id)) ?? missing();
    const before = { ...termsOf(terms), ended: endedAt !== null };
    const updated = { ...terms, ended: endedAt !== null, ...change };
    const after = { ...termsOf(updated), ended: updated.ended };
    if (updated.expiresAt?.getTime() !== terms.expiresAt?.getTime()) requireFuture(updated.expiresAt);
    if (JSON.stringify(plain(before)) === JSON.stringify(plain(after))) return;
    await putTerms(tx, id, updated);
    await recordAuditEvent(tx, {
      by: authorOf(actor),
      action: after.ended && !before.ended ? "promotion.end" : "promotion.update",
      target: { kind: "promotion", id, label: updated.name },
      organisationId: null,
      before,
      after,
    });
  });
}

/** Returns promotions with their totals, newest first. */
export async function listPromotions(
  db: Db,
  page: { beforeId: number | null; limit: number },
): Promise<{ promotions: PromotionView[]; nextBeforeId: number | null }> {
  const rows = await findPromotions(db, { ...page, limit: page.limit + 1 });
  const promotions = rows.slice(0, page.limit);
  return { promotions, nextBeforeId: rows.length > page.limit ? promotions.at(-1)!.id : null };
}

/** Returns a promotion with its latest credits. @throws AppError not_found */
export async function readPromotion(db: Db, id: number): Promise<{ promotion: PromotionView; credits: GivenCredit[] }> {
  const [promotion] = await findPromotions(db, { id, limit: 1 });
  if (promotion === undefined) return missing();
  return { promotion, credits: await findGiven(db, id, SHOWN_CREDITS) };
}

async function walletFor(tx: Db, audience: Audience, recipientId: number | null): Promise<number | null> {
  if (audience === "code" || audience === "new") return null;
  const none = () => apiError("not_found", { key: "rejections:noSuchPayer", param: "recipient_id" });
  if (recipientId === null) throw none();
  if (audience === "user") {
    const person = await tx.user.findFirst({
      where: { id: recipientId, status: { not: "deleted" } },
      select: { organisationId: true },
    });
    if (person === null) throw none();
    const { organisationId } = person;
    return (await payerOf(tx, { organisationId, userId: recipientId, projectId: null })).walletId;
  }
  const organisation = await tx.organisation.findFirst({
    where: { id: recipientId, closedAt: null },
    select: { billingExempt: true },
  });
  if (organisation === null) throw none();
  const payer = { kind: "organisation" as const, id: recipientId, organisationId: recipientId };
  return openWallet(tx, payer, { exempt: organisation.billingExempt });
}

function requirePlatformAdmin(actor: Actor): void {
  if (!atLeast(actor.role, "platform_admin")) throw apiError("forbidden");
}

function requireFuture(expiresAt: Date | null): void {
  if (expiresAt !== null && expiresAt.getTime() <= Date.now())
    throw apiError("invalid_request", { key: "rejections:promotionPast", param: "expires_at" });
}

function missing(): never {
  throw apiError("not_found", { key: "rejections:noPromotion" });
}

const termsOf = ({ name, amountNanoUsd, limitPerPayer, limitTotal, expiresAt }: PromotionTerms) => ({
  name,
  amountNanoUsd,
  limitPerPayer,
  limitTotal,
  expiresAt: expiresAt?.toISOString() ?? null,
});

const plain = (terms: object) => Object.values(terms).map(String);
