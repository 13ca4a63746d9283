import type { Db } from "~/connection/db.server";
import { auditLedger, listReviewHolds, resolveReviewHold } from "~/domain/accounting/index.server";
import type { ReviewHold } from "~/domain/accounting/shared";
import { type Actor, atLeast, authorOf } from "~/domain/accounts/shared";
import { recordAuditEvent } from "~/domain/activity/index.server";
import { apiError } from "~/errors/app-error";
import { log } from "~/observe/log.server";
import { askProcessor, isProcessorConfigured } from "./processor";
import { findLatestOutcome, findLatestRun, insertRun, nameParties, sumClearing } from "./reconcile-store";
import type { AuditRunView, ReviewView } from "./shared";

const RUNS_KEPT = 200;

/**
 * Audits the ledger and records the defects, with the sums that came through the payment processor and, if it responds,
 * its balance. A job; returns the number of defects.
 */
export async function recordAudit(db: Db): Promise<number> {
  const startedAt = new Date();
  const { defects } = await auditLedger();
  const sums = await sumClearing(db);
  const balance = await processorBalance();
  await insertRun(db, { startedAt, defects, ...sums, ...balance }, RUNS_KEPT);
  if (defects.length > 0) log.error({ defects: defects.slice(0, 20), count: defects.length }, "the ledger has defects");
  return defects.length;
}

/** Returns the last audit; null before the first run. */
export const readLatestAudit = (db: Db): Promise<AuditRunView | null> => findLatestRun(db);

/**
 * Returns when the auditor last compared all usage with the ledger, and whether they were equal everywhere, to the
 * nano-dollar; null before its first run. Public: it reveals no data of any customer.
 */
export const readLastComparison = (db: Db): Promise<{ at: Date; isEqual: boolean } | null> => findLatestOutcome(db);

/** Returns calls with unknown outcome, oldest first, with their organisation and key. */
export async function readReviews(db: Db): Promise<ReviewView[]> {
  const holds = await listReviewHolds();
  const names = await nameParties(db, holds);
  return holds.map((hold) => viewOf(hold, names));
}

/** Returns one of them. @throws AppError not_found for a call that is not in review */
export async function readReview(db: Db, callId: string): Promise<ReviewView> {
  const review = (await readReviews(db)).find((each) => each.callId === callId);
  if (review === undefined) throw apiError("not_found", { key: "rejections:noReview" });
  return review;
}

/** A decision on a review: charge the last known cost, charge an amount (at most the hold), or charge nothing. */
export type ReviewDecision = { kind: "checkpoint" } | { kind: "charge"; costNanoUsd: bigint } | { kind: "release" };

/**
 * Resolves a review as `npm run reviews` does, with the reason and an audit event. Returns the charged amount in
 * nano-USD. Of several concurrent decisions, here or by the command, one counts.
 * @throws AppError forbidden below platform admins; not_found; conflict when it was resolved meanwhile, or no cost was
 *   known.
 */
export async function resolveReview(
  db: Db,
  actor: Actor,
  review: { callId: string; decision: ReviewDecision; reason: string },
): Promise<bigint> {
  if (!atLeast(actor.role, "platform_admin")) throw apiError("forbidden");
  const { callId, decision, reason } = review;
  const hold = await readReview(db, callId);
  const resolution = resolutionOf(decision, hold);
  const { chargedNanoUsd, repeated } = await resolveReviewHold({
    callId,
    resolution,
    reason,
    actor: `user:${actor.userId}`,
  });
  if (repeated) throw apiError("conflict", { key: "rejections:reviewResolved" });
  await recordAuditEvent(db, {
    by: authorOf(actor),
    action: resolution.kind === "release" ? "hold.release" : "hold.charge",
    target: { kind: "hold", id: callId, label: callId },
    organisationId: hold.organisationId,
    subjectUserId: hold.userId,
    before: { heldNanoUsd: hold.amountNanoUsd },
    after: { chargedNanoUsd, reason },
  });
  return chargedNanoUsd;
}

function resolutionOf(decision: ReviewDecision, { checkpointCostNanoUsd }: ReviewHold) {
  if (decision.kind === "release") return { kind: "release" as const };
  if (decision.kind === "charge") return { kind: "settle" as const, costNanoUsd: decision.costNanoUsd };
  if (checkpointCostNanoUsd === null)
    throw apiError("conflict", { key: "rejections:noCheckpoint", param: "resolution" });
  return { kind: "settle" as const, costNanoUsd: checkpointCostNanoUsd };
}

async function processorBalance(): Promise<Pick<AuditRunView, "processor" | "balanceCents">> {
  if (!isProcessorConfigured()) return { processor: "none", balanceCents: null };
  try {
    const { available, pending } = await askProcessor((stripe) => stripe.balance.retrieve());
    const usd = [...available, ...pending].filter(({ currency }) => currency === "usd");
    return { processor: "asked", balanceCents: BigInt(usd.reduce((sum, { amount }) => sum + amount, 0)) };
  } catch (err) {
    log.warn({ err }, "the payment processor's balance could not be read");
    return { processor: "away", balanceCents: null };
  }
}

const viewOf = (hold: ReviewHold, names: Awaited<ReturnType<typeof nameParties>>): ReviewView => ({
  ...hold,
  organisation: names.organisations.get(hold.organisationId) ?? "",
  key: names.keys.get(hold.keyId) ?? "",
});
