import type { Db } from "~/db.server";
import { auditLedger, listReviewHolds, resolveReviewHold } from "~/domain/accounting/index.server";
import type { ReviewHold } from "~/domain/accounting/shared";
import { recordAuditEvent } from "~/domain/activity/index.server";
import { type Actor, atLeast, authorOf } from "~/domain/identity/shared";
import { apiError } from "~/errors/app-error";
import { log } from "~/log.server";
import { askProcessor, isProcessorConfigured } from "./processor";
import { findLatestOutcome, findLatestRun, insertRun, nameParties, sumClearing } from "./reconcile-store";
import type { AuditRunView, ReviewView } from "./shared";

const RUNS_KEPT = 200;

/**
 * Audits the ledger and writes down what was found, with the sums of what came through the payment processor and, where it can
 * be asked, its balance. A job; returns how many defects there are.
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

/** What the auditor found last; null before its first run. */
export const readLatestAudit = (db: Db): Promise<AuditRunView | null> => findLatestRun(db);

/**
 * When the auditor last compared all usage with the ledger, and whether both said the same everywhere, to the nano-dollar; null
 * before its first run. For everybody: it tells nothing of anybody.
 */
export const readLastComparison = (db: Db): Promise<{ at: Date; isEqual: boolean } | null> => findLatestOutcome(db);

/** Calls whose outcome nobody knows, oldest first, with whose they are. */
export async function readReviews(db: Db): Promise<ReviewView[]> {
  const holds = await listReviewHolds();
  const names = await nameParties(db, holds);
  return holds.map((hold) => viewOf(hold, names));
}

/** One of them. @throws AppError not_found for a call that is not in review */
export async function readReview(db: Db, callId: string): Promise<ReviewView> {
  const review = (await readReviews(db)).find((each) => each.callId === callId);
  if (review === undefined) throw apiError("not_found", { key: "rejections:noReview" });
  return review;
}

/** What somebody decides: charge what was known last, charge an amount (at most what is held), or charge nothing. */
export type ReviewDecision = { kind: "checkpoint" } | { kind: "charge"; costNanoUsd: bigint } | { kind: "release" };

/**
 * Ends a review as `npm run reviews` does, with the reason, and records who did it. Answers what was charged, in nano-USD. Of
 * several at once, here or by the command, one counts.
 * @throws AppError forbidden below platform admins; not_found; conflict when it was resolved meanwhile, or nothing was known.
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
