import { join } from "node:path";
import type pg from "pg";
import { log } from "~/observe/log.server";
import { Journal, type JournalSizes } from "./ahead/journal";
import { SpareFile, type SpareHold } from "./ahead/spare-file";
import { SpareHolds } from "./ahead/spare-holds";
import { WriteAheadLog } from "./ahead/write-ahead-log";
import { chargeOf, isAmount, notAnAmount } from "./amount";
import { MOVE_TO_SUCCESSORS } from "./books/merge-wallets-store";
import { listReviews, type ReviewToResolve, resolveReview, settleAtCheckpoints } from "./books/review";
import { finishedText } from "./call-text";
import { Leases, type Progress } from "./leases";
import { arrayText } from "./link/composite-text";
import { SqlLink } from "./link/sql-link";
import type { HoldRequest, HoldVerdict, Receipt, ReviewHold, Settlement, SpareRequest, TakenHold } from "./shared";
import { KEEP, MARK_FOR_REVIEW, RELEASE, RELEASE_SPARES, SETTLE_AND_ADMIT, SWEEP, TURN } from "./store";
import { AdmissionQueue, type Waiting } from "./turns/admission-queue";
import { CommitTurns, MANY_ITEMS } from "./turns/commit-turns";
import { LaterPosting } from "./turns/later-posting";
import { leanValues, mayWait } from "./turns/lean-turn";
import { SettlementQueue } from "./turns/settlement-queue";

export type AccountingOptions = {
  /** Opens a connection for exclusive use; called again whenever one breaks. */
  connect: () => Promise<pg.Client>;
  /** All connections share one session, so session settings must not be changed. */
  embedded: boolean;
  /** When other connections last got an answer (performance.now()). Embedded database only, whose connections share one thread. */
  heardMs?: () => number;
  /** Parent of the folder `journal`, which has the settlement journal. */
  dataDir: string;
  /** Names this process in leases and journal files. */
  instance: string;
  leaseMs?: number;
  /** Maximum wait of a call for money that other calls hold, and for a slow database. */
  patienceMs?: number;
  /** Time in review after which a hold is settled at its checkpoint. */
  reviewMs?: number;
  /**
   * Average number of items per turn from which turns are lean (the ledger is posted later), and number of calls in flight from
   * which answers do not wait for their booking; 0: always.
   */
  leanFromItems?: number;
};

/** PostgreSQL cancels a statement before this process stops waiting, so that no hold is placed after the client was refused. */
const MONEY_STATEMENT_MS = 1_300;
const MONEY_WITHIN_MS = 1_500;
/** The embedded database cancels no statement. It runs on this machine, so a new connection would not be answered sooner. */
const EMBEDDED_WITHIN_MS = 4_000;
const SWEEP_AT_ONCE = 1_000;
const MAINTENANCE_WITHIN_MS = 4_000;
const STOP_WITHIN_MS = 10_000;

/** Accounting of one process. Several can work on one database, and in one process. */
export class Accounting {
  readonly #links: { money: SqlLink; maintenance: SqlLink };
  readonly #leases: Leases;
  readonly #journal: Journal;
  readonly #ahead: WriteAheadLog;
  readonly #posting: LaterPosting;
  readonly #admission: AdmissionQueue;
  readonly #spareFile: SpareFile;
  readonly #spares: SpareHolds;
  readonly #settlement: SettlementQueue;
  readonly #answerFirstFrom: number;
  readonly #reviewMs: number;
  #checking: Promise<void> | null = null;
  #stopped = true;

  constructor(options: AccountingOptions) {
    const { connect, embedded, instance } = options;
    const timed = (ms: number) => (embedded ? [] : [`SET statement_timeout = ${ms}`]);
    const connectWithinMs = embedded ? EMBEDDED_WITHIN_MS : undefined;
    this.#links = {
      money: new SqlLink({ label: "money", connect, connectWithinMs, setup: timed(MONEY_STATEMENT_MS) }),
      maintenance: new SqlLink({ label: "maintenance", connect, connectWithinMs, setup: timed(MAINTENANCE_WITHIN_MS) }),
    };
    this.#answerFirstFrom = options.leanFromItems ?? MANY_ITEMS;
    this.#reviewMs = options.reviewMs ?? 15 * 60_000;
    this.#journal = new Journal(join(options.dataDir, "journal"), instance);
    this.#ahead = new WriteAheadLog(join(options.dataDir, "journal"), instance);
    this.#leases = new Leases(this.#links.maintenance, instance, options.leaseMs ?? 60_000);
    const link = this.#links.money;
    this.#posting = new LaterPosting(this.#links.maintenance);
    const turns = new CommitTurns({
      link,
      together: SETTLE_AND_ADMIT,
      lean: {
        statement: TURN,
        values: (halves) => leanValues(halves, instance, this.#leases.leaseMs),
        fromItems: options.leanFromItems ?? MANY_ITEMS,
        allowed: () => this.#posting.keepsUp,
        committed: () => this.#posting.add(),
      },
      timeoutMs: embedded ? EMBEDDED_WITHIN_MS : MONEY_WITHIN_MS,
    });
    // In the order of the joint statement: money that a settlement releases can be held in the same turn.
    this.#settlement = new SettlementQueue({
      link,
      turns,
      leases: this.#leases,
      journal: this.#journal,
      freed: (parties) => this.#admission.freed(parties),
      journalFailed: () => void this.#checkJournal(),
    });
    this.#admission = new AdmissionQueue({
      link,
      turns,
      maintenance: this.#links.maintenance,
      leases: this.#leases,
      owner: instance,
      patienceMs: options.patienceMs ?? 10_000,
      heardMs: embedded ? () => Math.max(this.#links.maintenance.answeredMs, options.heardMs?.() ?? 0) : undefined,
      makeRoomFor: (request) => this.#spares.makeRoomFor(request),
    });
    this.#spareFile = new SpareFile(join(options.dataDir, "journal"), instance);
    this.#spares = new SpareHolds({
      isWorthIt: () => turns.areLean && link.isUp && this.#spareFile.isUsable && !this.#stopped,
      place: (request, onVerdict) => this.#admission.place(request, onVerdict),
      release: (spares) => this.#releaseSpares(spares),
      freed: (parties) => this.#admission.freed(parties),
      leases: this.#leases,
      file: this.#spareFile,
    });
    this.#links.money.onUp(() => void this.#logFailures("journal", () => this.#replay()));
  }

  /** Connects, and replays the journal. Leases and recovery are jobs: see `touchHolds` and the methods after it. */
  async start(): Promise<void> {
    this.#stopped = false;
    await this.#checkJournal();
    await Promise.all(Object.values(this.#links).map((link) => link.open()));
  }

  /** Books the pending settlements, or writes them to the journal, and disconnects. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const until = Date.now() + STOP_WITHIN_MS;
    await this.#spares.close();
    this.#admission.close();
    while (!(this.#settlement.isIdle && this.#admission.isIdle) && Date.now() < until) {
      if (!this.#links.money.isUp) this.#settlement.flush();
      await pause(5);
    }
    this.#settlement.flush(true);
    while (!this.#settlement.isIdle && Date.now() < until + STOP_WITHIN_MS) await pause(5);
    await this.#spares.close();
    await this.#posting.close();
    await Promise.all(Object.values(this.#links).map((link) => link.close()));
    await this.#journal.close();
    this.#ahead.tidy();
  }

  admit(request: HoldRequest, signal?: Waiting): Promise<HoldVerdict> {
    if (!isAmount(request.amountNanoUsd)) return Promise.reject(notAnAmount(request.amountNanoUsd));
    return this.#admission.admit(request, signal);
  }

  /** See `takeSpareHold` of the face. */
  takeSpareHold(request: SpareRequest): TakenHold | null {
    return this.closedBecause === null && isAmount(request.amountNanoUsd) ? this.#spares.take(request) : null;
  }

  async #releaseSpares(spares: readonly SpareHold[]): Promise<void> {
    const ids = arrayText(spares.map(({ callId }) => callId));
    const rated = arrayText(spares.filter(({ isRated }) => isRated).map(({ callId }) => callId));
    await this.#links.maintenance.ask(RELEASE_SPARES, [ids, rated], MAINTENANCE_WITHIN_MS);
  }

  settle(settlement: Settlement): Promise<Receipt> {
    return this.#settlement.settle(this.#capToOwnMaximum(settlement));
  }

  /**
   * Caps the charge at the call's own maximum; a spare hold may be up to 1.5 times larger. Metering rejects usage beyond the
   * request's bounds, so the cap should never apply.
   */
  #capToOwnMaximum(settlement: Settlement): Settlement {
    const max = this.#leases.maxChargeOfSpare(settlement.callId);
    if (max === null || !isAmount(settlement.costNanoUsd) || settlement.costNanoUsd <= max) return settlement;
    const { callId, costNanoUsd } = settlement;
    log.error({ call: callId, costNanoUsd: String(costNanoUsd), most: String(max) }, "a call costs more than it can");
    return { ...settlement, costNanoUsd: max };
  }

  /** See `settleAhead` of the face. */
  settleAhead(uncapped: Settlement): Promise<Receipt> {
    const settlement = this.#capToOwnMaximum(uncapped);
    const held = this.#leases.heldBy(settlement.callId);
    if (held === null || !this.#mayAnswerFirst(settlement)) return this.#settlement.settle(settlement);
    const text = finishedText(settlement);
    return new Promise((resolve, reject) => {
      let isAnswered = false;
      const part = this.#ahead.note(text, () => {
        isAnswered = true;
        resolve({ chargedNanoUsd: chargeOf(settlement, held), repeated: false, durable: "write_ahead" });
      });
      const listener = {
        resolve: (receipt: Receipt) => {
          this.#ahead.booked(part);
          resolve(receipt);
        },
        reject: (error: unknown) => {
          this.#ahead.booked(part);
          if (isAnswered) this.#bookingFailedAfterAnswer(settlement, error);
          else reject(error);
        },
        // The line stays in the write-ahead log until the settlement is booked.
        kept: (error: unknown) => {
          if (!isAnswered) reject(error);
        },
      };
      const isAwaited = part === null || this.#admission.hasWaiting;
      this.#settlement.add({ settlement, text }, listener, { isAwaited });
    });
  }

  /** Under load, an ordinary call may be answered before it is booked: one of the next turns books it within milliseconds. */
  #mayAnswerFirst(settlement: Settlement): boolean {
    return (
      this.#leases.count >= this.#answerFirstFrom &&
      this.#links.money.isUp &&
      mayWait(settlement) &&
      isAmount(settlement.costNanoUsd) &&
      !this.#settlement.isInFlight(settlement.callId)
    );
  }

  #bookingFailedAfterAnswer({ callId }: Settlement, error: unknown): void {
    log.error({ err: error, call: callId }, "a call was answered and cannot be booked: its hold goes into review");
    void this.markForReview(callId, "settlement_failed");
  }

  checkpoint(callId: string, progress: Progress): void {
    this.#leases.checkpoint(callId, progress);
  }

  touchHolds(): Promise<number> {
    return this.#leases.touch();
  }

  async keepHolds(callIds: readonly string[], seconds: number): Promise<number> {
    // This process no longer extends their leases. The statement never shortens a lease.
    return this.#inBatches(callIds, KEEP, [`${Math.ceil(seconds)} s`]);
  }

  async freeHolds(callIds: readonly string[], reason: string): Promise<number> {
    return this.#inBatches(callIds, RELEASE, ["{reserved,dispatched,review}", reason]);
  }

  /** Ends this process's leases of the calls and applies a statement to their holds, in batches; returns the number of holds. */
  async #inBatches(callIds: readonly string[], statement: string, values: readonly string[]): Promise<number> {
    for (const callId of callIds) this.#leases.end(callId);
    let count = 0;
    for (let at = 0; at < callIds.length; at += SWEEP_AT_ONCE) {
      const batch = [arrayText(callIds.slice(at, at + SWEEP_AT_ONCE)), ...values];
      count += Number(await this.#links.maintenance.ask(statement, batch, MAINTENANCE_WITHIN_MS));
    }
    return count;
  }

  async markForReview(callId: string, reason: string): Promise<void> {
    // The cost is known, and the queue retries until the database or the journal accepts it.
    if (this.#settlement.isKept(callId)) return;
    // The lease is no longer extended, so the hold goes into review even if this statement is lost.
    this.#leases.end(callId);
    await this.#logFailures("review", () =>
      this.#links.maintenance.ask(MARK_FOR_REVIEW, [callId, reason.slice(0, 300)], MAINTENANCE_WITHIN_MS),
    );
  }

  listReviews(): Promise<ReviewHold[]> {
    return listReviews(this.#links.maintenance);
  }

  resolveReview(review: ReviewToResolve): Promise<Receipt> {
    return resolveReview(this.#links.maintenance, review);
  }

  /** Calls of this process between admission and settlement. */
  get callsInFlight(): number {
    return this.#leases.count;
  }

  get closedBecause(): string | null {
    return this.#admission.closedBecause;
  }

  async settledCallsPosted(): Promise<void> {
    await this.#settlement.caughtUp();
    await this.#posting.caughtUp();
  }

  /** Age in milliseconds of the oldest settled call that is not posted to the ledger. */
  get postingLagMs(): number {
    return this.#posting.lagMs;
  }

  journalSizes(): Promise<JournalSizes> {
    return this.#journal.sizes();
  }

  /** A job of every process. See `recoverSettlements` of the face. */
  async recoverSettlements(): Promise<number> {
    await this.#checkJournal();
    await this.#admission.clearDoubts();
    await this.#posting.post();
    this.#ahead.tidy();
    await this.#ahead.takeOver(this.#leases.leaseMs / 6);
    await this.#spareFile.takeOver(this.#leases.leaseMs / 6, (spares) => this.#releaseSpares(spares));
    return this.#replay();
  }

  /** A job that one process runs for all. See `releaseExpiredHolds` of the face. */
  async releaseExpiredHolds(): Promise<number> {
    const swept = await this.#links.maintenance.ask(SWEEP, [SWEEP_AT_ONCE], MAINTENANCE_WITHIN_MS);
    const [released = 0, reviewed = 0] = swept.split(",").map(Number);
    if (released + reviewed > 0) log.warn({ released, reviewed }, "leases ran out: holds released, holds in review");
    return released + reviewed;
  }

  async carryToSuccessors(): Promise<number> {
    return Number(await this.#links.maintenance.ask(MOVE_TO_SUCCESSORS, [], MAINTENANCE_WITHIN_MS));
  }

  settleReviewedHolds(): Promise<number> {
    return settleAtCheckpoints(this.#links.maintenance, this.#reviewMs);
  }

  #checkJournal(): Promise<void> {
    this.#checking ??= this.#updateClosedBecause().finally(() => {
      this.#checking = null;
    });
    return this.#checking;
  }

  async #updateClosedBecause(): Promise<void> {
    const before = this.#admission.closedBecause;
    const reason = await this.#journal.check();
    this.#admission.closedBecause = reason;
    if (reason === before) return;
    if (reason === null) log.info("calls are admitted again");
    else log.error({ reason }, "no call is admitted that needs a hold");
  }

  async #replay(): Promise<number> {
    if (!this.#links.money.isUp) return 0;
    const booked = await this.#journal.replay((settlement) => this.#settlement.settle(settlement, true));
    if (booked > 0) log.info({ booked }, "settlements of the journal were booked");
    return booked;
  }

  async #logFailures(task: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!this.#stopped)
        log.warn({ err: error, what: task }, "accounting failed behind a call; it will be tried again");
    }
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
