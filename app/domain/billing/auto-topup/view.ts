import type { Db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { apiError } from "~/errors/app-error";
import { listCards } from "../card-store";
import { readOwnFunding } from "../checkout/funding";
import type { AutoTopupOperationView, AutoTopupView, OpenAutoTopup, PausedAutoTopup } from "../shared";
import { decide, eligibleAt } from "./decide";
import { findLastOperation, findOwnOperation, listOpen } from "./operation-store";
import { listPaused } from "./pause-store";
import { findPolicy, readTopupFacts, type TopupFactsRow } from "./settings-store";
import { isReady, topupFacts } from "./start";

/**
 * Returns the state of auto top-up for the wallet that pays for an actor; null when they may not fund it. Changes
 * nothing.
 */
export async function readAutoTopup(db: Db, actor: Actor): Promise<AutoTopupView | null> {
  const { walletId, mayFund, exempt } = await readOwnFunding(db, actor);
  if (!mayFund || exempt) return null;
  const [row, policy, last] = await Promise.all([
    readTopupFacts(db, walletId),
    findPolicy(db),
    findLastOperation(db, walletId),
  ]);
  const lastOperation = last && {
    ...last,
    isOwn: last.userId === actor.userId,
    actionUrl: last.userId === actor.userId ? last.actionUrl : null,
  };
  if (row === null) {
    const card = (await listCards(db, actor.userId)).find(({ isDefault }) => isDefault);
    return {
      version: 0,
      wait: "off",
      policy,
      settings: null,
      consent: null,
      pause: null,
      lastOperation,
      usedTodayNanoUsd: 0n,
      usedThisMonthNanoUsd: 0n,
      nextAttemptAt: null,
      card: card ? `${card.brand} ${card.last4}` : null,
    };
  }
  const facts = topupFacts(row);
  const { thresholdNanoUsd, amountNanoUsd, dayLimitNanoUsd, monthLimitNanoUsd } = row;
  const { version, usedTodayNanoUsd, usedThisMonthNanoUsd, consentVersion, consentLanguage, consentedAt } = row;
  return {
    version,
    wait: decide(facts, { policy, isReady: isReady(), now: new Date() }),
    policy,
    settings: { thresholdNanoUsd, amountNanoUsd, dayLimitNanoUsd, monthLimitNanoUsd },
    consent:
      consentVersion === null || consentLanguage === null || consentedAt === null
        ? null
        : {
            version: consentVersion,
            language: consentLanguage,
            at: consentedAt,
            by: row.consentedBy,
            isOwn: row.userId === actor.userId,
          },
    pause: pauseOf(row),
    usedTodayNanoUsd,
    usedThisMonthNanoUsd,
    card: row.cardName,
    lastOperation,
    nextAttemptAt: eligibleAt(facts),
  };
}

function pauseOf({
  pauseReason: reason,
  pausedAt: at,
  pausedPaymentId: paymentId,
}: TopupFactsRow): AutoTopupView["pause"] {
  return reason === null || at === null || paymentId === null ? null : { reason, at, paymentId };
}

/**
 * Returns an actor's own charge. Changes nothing and repeats no charge.
 * @throws AppError not_found, also for another person's charge
 */
export async function readAutoTopupOperation(db: Db, actor: Actor, id: string): Promise<AutoTopupOperationView> {
  const operation = await findOwnOperation(db, actor.userId, id);
  if (operation === null) throw apiError("not_found");
  return operation;
}

/** Returns charges that have not ended, oldest first, for owners and platform admins. */
export const readOpenAutoTopups = (db: Db): Promise<OpenAutoTopup[]> => listOpen(db);

/** Returns auto top-ups that wait for a new consent, latest first, for owners and platform admins. */
export const readPausedAutoTopups = (db: Db): Promise<PausedAutoTopup[]> => listPaused(db);
