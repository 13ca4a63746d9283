import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { databaseAnsweredMs, isEmbedded, newSqlClient } from "~/connection/db.server";
import { Accounting } from "./accounting";
import type { JournalSizes } from "./ahead/journal";
import type { ReviewToResolve } from "./books/review";
import { answerReviewCommand, type ReviewAnswer } from "./books/review-command";
import type { Progress } from "./leases";
import { SqlLink } from "./link/sql-link";
import type { HoldRequest, HoldVerdict, Receipt, ReviewHold, Settlement, SpareRequest, TakenHold } from "./shared";
import type { Waiting } from "./turns/admission-queue";

export { parseSettlement as readSettlementLine, writeSettlement as writeSettlementLine } from "./ahead/settlement-line";
export { auditLedger, describeAudit } from "./books/audit";
export { readBalances, readCreditGiven, reassignPayer } from "./books/balances";
export { hasBudgetLimit, readBudget, readBudgets, setBudget } from "./books/budgets";
export { readDebt, readFirstPosting, readLedger, readSpending } from "./books/ledger-store";
export { mergeBudgets, mergeWallets } from "./books/merge-wallets";
export { listHolds } from "./books/open-holds";
export { countRequest, readRateWindow } from "./books/rate-view";
export { findHeldCalls, sumUnderWay } from "./books/view-store";
export {
  grantFunds,
  listWallets,
  markExempt,
  openWallet,
  postAdjustment,
  readBalance,
  setCreditLimit,
  walletOf,
} from "./books/wallets";

let current: Accounting | null = null;

/**
 * Starts this process's accounting: opens its connections and replays the journals of stopped processes. The jobs that extend
 * leases and recover settlements must run as well. The database must be open and migrated. `instance` names the process in
 * leases and journal files.
 */
export async function startAccounting(options: {
  dataDir: string;
  instance?: string;
  leaseMs?: number;
  patienceMs?: number;
}): Promise<void> {
  if (current !== null) throw new Error("accounting has been started already");
  const starting = new Accounting({
    ...options,
    connect: newSqlClient,
    embedded: isEmbedded(),
    heardMs: databaseAnsweredMs,
    instance: options.instance ?? `${hostname()}-${process.pid}-${randomBytes(3).toString("hex")}`,
  });
  current = starting;
  await starting.start();
}

/** Books the pending settlements, or writes them to the journal, and disconnects. Admits no further calls. Safe to repeat. */
export async function stopAccounting(): Promise<void> {
  const stopping = current;
  current = null;
  await stopping?.stop();
}

/**
 * Holds a call's maximum cost in every scope and counts the call in the rate window, all or nothing. The hold is committed
 * when this resolves as held, so the call may be dispatched. A call that would fit once other calls release their holds
 * waits for them, up to ten seconds. Amounts are nano-USD. Every held call must be settled, even if it was never dispatched.
 * When `signal` aborts before the hold is placed, rejects with its reason; a hold in flight may still be granted.
 * @throws AppError billing_unavailable when the database has been silent for two seconds, or when the settlement journal is
 *   not usable; capacity_exceeded when the database is too slow to answer within ten seconds, or too many calls wait.
 */
export function admit(request: HoldRequest, signal?: Waiting): Promise<HoldVerdict> {
  return running().admit(request, signal);
}

/**
 * Takes a spare hold: one that was placed ahead of time because the key calls often. The call owns it as if `admit` had placed
 * it under the returned id, so it must be settled. Null: no spare hold fits, use `admit`.
 * `written` rejects with AppError billing_unavailable when the call may not be dispatched; then it holds nothing.
 */
export const takeSpareHold = (request: SpareRequest): TakenHold | null => current?.takeSpareHold(request) ?? null;

/** Why admission is closed although the database may work; null when it is open. */
export const admissionClosedBecause = (): string | null => current?.closedBecause ?? null;

/**
 * Waits until every call that this process has settled is in the ledger and in the usage table. Under load they arrive about
 * fifty milliseconds after the settlement. For readers of those tables. Never rejects.
 */
export const settledCallsPosted = async (): Promise<void> => current?.settledCallsPosted();

/** Age in milliseconds of the oldest settled call without its ledger transaction and usage row; 0: there is none. */
export const postingLagMs = (): number => current?.postingLagMs ?? 0;

/** Bytes of settlements in this process's folder: those that wait to be booked, and those that cannot be booked. */
export const journalSizes = async (): Promise<JournalSizes> =>
  (await current?.journalSizes()) ?? { waiting: 0, refused: 0, unreadable: 0 };

/** Number of calls of this process between admission and settlement; each has a hold. */
export const openHolds = (): number => current?.callsInFlight ?? 0;

/**
 * Settles a finished call: posts its cost, releases its hold, moves its budgets from held to spent, writes its usage row.
 * The customer never pays more than the hold. Outcome `not_executed` releases the whole hold. While the database is
 * unreachable, the settlement goes to the local journal and is booked later. Safe to repeat: the first charge counts.
 * @throws AppError supplier_settlement_failed when neither database nor journal accepts it, or when the call has no hold;
 *   the hold stays.
 */
export function settle(settlement: Settlement): Promise<Receipt> {
  return running().settle(settlement);
}

/**
 * As `settle`, for a call whose client waits for its answer. Under load it resolves as soon as the settlement is in this
 * process's write-ahead log; the call is booked within milliseconds. The log survives a crash of the process, not of the
 * machine. The booked charge always equals the receipt. A settlement that cannot be booked goes into review and is logged.
 */
export function settleAhead(settlement: Settlement): Promise<Receipt> {
  return running().settleAhead(settlement);
}

/**
 * Puts the hold of a dispatched call into review at once, because the supplier's outcome is unknown. No timer releases it. A
 * later settlement still counts. Never rejects; while the database is unreachable, the lease expires instead.
 */
export function markForReview(callId: string, reason: string): Promise<void> {
  return running().markForReview(callId, reason);
}

/**
 * Extends the holds of calls to `seconds` from now, also if this process stops: their supplier takes hours. Returns the number
 * that are still held and not in review; fewer than `callIds` means that some were released. Safe to repeat.
 */
export function keepHolds(callIds: readonly string[], seconds: number): Promise<number> {
  return running().keepHolds(callIds, seconds);
}

/** Releases the holds of calls that were certainly not executed, without usage rows. Returns the number; safe to repeat. */
export function freeHolds(callIds: readonly string[], reason: string): Promise<number> {
  return running().freeHolds(callIds, reason);
}

/** Records a call's progress in memory; the next lease extension stores it. `priceVersion`: of the route that serves the call. */
export function checkpoint(callId: string, progress: Progress): void {
  running().checkpoint(callId, progress);
}

/** Extends the leases of this process's calls once a third of the lease has passed. A job; returns the number. */
export function touchHolds(): Promise<number> {
  return running().touchHolds();
}

/**
 * A job of every process: checks that its journal is writable, looks up calls whose admission got no answer, and books the
 * journal's settlements. Safe to repeat. Returns the number of settlements booked.
 */
export function recoverSettlements(): Promise<number> {
  return running().recoverSettlements();
}

/** Ends holds with an expired lease: releases those never dispatched, puts the others into review. A job; returns the number. */
export function releaseExpiredHolds(): Promise<number> {
  return running().releaseExpiredHolds();
}

/** Moves the money that holds left in merged wallets to the wallets that replaced them. A job; returns the number. */
export function carryToSuccessors(): Promise<number> {
  return running().carryToSuccessors();
}

/** Settles holds that have been in review for 15 minutes and have a checkpoint. A job; returns the number. */
export function settleReviewedHolds(): Promise<number> {
  return running().settleReviewedHolds();
}

/** Calls with an unknown outcome, oldest first, at most 500. */
export function listReviewHolds(): Promise<ReviewHold[]> {
  return running().listReviews();
}

/**
 * Ends a review with a person's decision. The customer pays at most the held amount. Of several parallel decisions the first
 * counts; the others return its charge (`repeated`).
 * @throws AppError not_found; conflict when the call is not in review any more.
 */
export function resolveReviewHold(review: ReviewToResolve): Promise<Receipt> {
  return running().resolveReview(review);
}

/** Answers `npm run reviews` on its own connection; accounting need not run in this process. The database must be open. */
export async function runReviewCommand(words: readonly string[], actor: string): Promise<ReviewAnswer> {
  const link = new SqlLink({ label: "reviews", connect: newSqlClient });
  void link.open();
  try {
    return await answerReviewCommand(link, words, actor);
  } finally {
    await link.close();
  }
}

function running(): Accounting {
  if (current === null) throw new Error("accounting has not been started");
  return current;
}
