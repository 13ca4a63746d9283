import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { databaseAnsweredMs, isEmbedded, newSqlClient } from "~/db.server";
import { Accounting } from "./accounting";
import type { Waiting } from "./admission-queue";
import type { JournalSizes } from "./journal";
import type { Progress } from "./leases";
import type { ReviewToResolve } from "./review";
import { answerReviewCommand, type ReviewAnswer } from "./review-command";
import type { HoldRequest, HoldVerdict, Receipt, ReviewHold, Settlement, SpareRequest, TakenHold } from "./shared";
import { SqlLink } from "./sql-link";

export { auditLedger, describeAudit } from "./audit";
export { readBalances, readCreditGiven, reassignPayer } from "./balances";
export { hasBudgetLimit, readBudget, readBudgets, setBudget } from "./budgets";
export { parseSettlement as readSettlementLine, writeSettlement as writeSettlementLine } from "./journal-line";
export { readDebt, readFirstPosting, readLedger, readSpending } from "./ledger-store";
export { mergeBudgets, mergeWallets } from "./merge-wallets";
export { listHolds } from "./open-holds";
export { countRequest, readRateWindow } from "./rate-view";
export { findHeldCalls, sumUnderWay } from "./view-store";
export {
  grantFunds,
  listWallets,
  markExempt,
  openWallet,
  postAdjustment,
  readBalance,
  setCreditLimit,
  walletOf,
} from "./wallets";

let current: Accounting | null = null;

/**
 * Starts this process's accounting: its connections, and the replay of journals that were left behind. The jobs that extend
 * leases and recover what was left have to run besides. The database must be open and migrated. `instance` names the process in leases and journal files.
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

/** Books what is on its way, or writes it into the journal, and disconnects. Nothing is admitted any more. Safe to repeat. */
export async function stopAccounting(): Promise<void> {
  const stopping = current;
  current = null;
  await stopping?.stop();
}

/**
 * Holds the most that a call can cost in every scope at once, and counts it in the rate window; or in none of them. A held
 * call may be dispatched: its hold is committed. A call that fits only without what others hold at the moment waits for
 * them, ten seconds at most. Amounts are nano-USD. Every held call must be settled, also one that was never dispatched.
 * When `signal` aborts before anything is held, rejects with its reason; a call on its way may still come back as held.
 * @throws AppError billing_unavailable when the database has not answered anything for two seconds, or when the settlement
 *   journal is not usable; capacity_exceeded when it answers too slowly to serve the call in ten, or too many calls wait.
 */
export function admit(request: HoldRequest, signal?: Waiting): Promise<HoldVerdict> {
  return running().admit(request, signal);
}

/**
 * Where the calls of a key come in numbers: a hold that was placed for such a call before it came, and that this one has from now on, as
 * if `admit` had held it under that id; so it must be settled. Null: it has to be admitted.
 * `written` rejects with AppError billing_unavailable when the call may not be dispatched; then nothing is held.
 */
export const takeSpareHold = (request: SpareRequest): TakenHold | null => current?.takeSpareHold(request) ?? null;

/** Why no call is held at the moment although the database may work; null when all is well. */
export const admissionClosedBecause = (): string | null => current?.closedBecause ?? null;

/**
 * Waits until every call that this process has settled is in the ledger and among the usage rows: under load they follow their
 * settlement by some fifty milliseconds. For whoever reads them. Never rejects.
 */
export const settledCallsPosted = async (): Promise<void> => current?.settledCallsPosted();

/** How long the oldest settled call has been waiting for its ledger transaction and usage row, in milliseconds; 0: none waits. */
export const postingLagMs = (): number => current?.postingLagMs ?? 0;

/** Bytes of settlements in this process's folder that wait to be booked, and that nobody can book. */
export const journalSizes = async (): Promise<JournalSizes> =>
  (await current?.journalSizes()) ?? { waiting: 0, refused: 0, unreadable: 0 };

/** Calls of this process between admission and settlement: each has a hold. */
export const openHolds = (): number => current?.callsInFlight ?? 0;

/**
 * Turns a finished call into money: posts its cost, frees its hold, moves its budgets from held to spent, writes its
 * usage row. The customer never pays more than the hold. Outcome `not_executed` frees everything. While the database is
 * away, the settlement is written to the local journal instead and booked later. Safe to repeat: the first charge counts.
 * @throws AppError supplier_settlement_failed when neither can take it, or when there is nothing to settle; the hold stays.
 */
export function settle(settlement: Settlement): Promise<Receipt> {
  return running().settle(settlement);
}

/**
 * As `settle`, for a call whose client waits for its answer. Where calls come in numbers it resolves as soon as the settlement is
 * in this process's write-ahead log, which outlives the process and not the machine, and the call is booked within milliseconds; a
 * charge that is booked is never another than the receipt says. What cannot be booked then goes into review, and the log says so.
 */
export function settleAhead(settlement: Settlement): Promise<Receipt> {
  return running().settleAhead(settlement);
}

/**
 * Puts the hold of a dispatched call into review at once: nobody knows what the supplier did, and no timer frees it. A later
 * settlement still counts. Never rejects; when the database is away, the lease runs out instead.
 */
export function markForReview(callId: string, reason: string): Promise<void> {
  return running().markForReview(callId, reason);
}

/**
 * Lets the holds of calls last for so many seconds from now, whatever becomes of this process: their supplier takes hours. Returns
 * how many of them are held and not in review; for fewer than were named, some are held no more. Safe to repeat.
 */
export function keepHolds(callIds: readonly string[], seconds: number): Promise<number> {
  return running().keepHolds(callIds, seconds);
}

/** Frees the holds of calls that certainly were not executed, and writes no usage row for them. Returns how many; safe to repeat. */
export function freeHolds(callIds: readonly string[], reason: string): Promise<number> {
  return running().freeHolds(callIds, reason);
}

/** Notes in memory how far a call has come; the next extension of its lease writes it down. `priceVersion`: of the route that serves it. */
export function checkpoint(callId: string, progress: Progress): void {
  running().checkpoint(callId, progress);
}

/** Extends the leases of all calls of this process that have lasted for a third of one. A job; returns how many. */
export function touchHolds(): Promise<number> {
  return running().touchHolds();
}

/**
 * What every process does for itself, as a job: looks whether its journal can be written, asks about calls that the database
 * did not answer for, and books what the journal keeps. Safe to repeat. Returns how many settlements it booked.
 */
export function recoverSettlements(): Promise<number> {
  return running().recoverSettlements();
}

/** Ends holds whose lease has run out: those never dispatched are released, the others go into review. A job; returns how many. */
export function releaseExpiredHolds(): Promise<number> {
  return running().releaseExpiredHolds();
}

/** Carries what holds have left in wallets that were merged away on to those that took them over. A job; returns how many. */
export function carryToSuccessors(): Promise<number> {
  return running().carryToSuccessors();
}

/** Settles holds that have been in review for a quarter of an hour and are known up to a checkpoint. A job; returns how many. */
export function settleReviewedHolds(): Promise<number> {
  return running().settleReviewedHolds();
}

/** Calls whose outcome nobody knows, oldest first, at most 500. */
export function listReviewHolds(): Promise<ReviewHold[]> {
  return running().listReviews();
}

/**
 * Ends a review by what a person has found out; the customer pays at most what is held. Of several at once one counts, the others
 * are told its charge (`repeated`).
 * @throws AppError not_found; conflict when the call is not in review any more.
 */
export function resolveReviewHold(review: ReviewToResolve): Promise<Receipt> {
  return running().resolveReview(review);
}

/** Answers `npm run reviews`, on a connection of its own: no accounting need run in this process. The database must be open. */
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
