import { performance } from "node:perf_hooks";
import { apiError } from "~/errors/app-error";
import { log } from "~/observe/log.server";
import type { Journal } from "../ahead/journal";
import { chargeOf, isAmount, notAnAmount } from "../amount";
import { finishedText, settleValues } from "../call-text";
import type { Leases } from "../leases";
import type { SqlLink } from "../link/sql-link";
import { LinkLost, type SqlProblem } from "../link/sql-problem";
import { Registry } from "../registry";
import type { Parties, Receipt, Settlement } from "../shared";
import { SETTLE } from "../store";
import type { CommitTurns } from "./commit-turns";
import { GroupCommit } from "./group-commit";
import { type Finished, mayWait } from "./lean-turn";
import { readSettleExceptions } from "./verdict";

/**
 * Callbacks of a settlement's caller. `kept`: neither database nor journal accepts it now; `resolve` or `reject` follows once it
 * is booked or abandoned.
 */
type Listener = {
  resolve: (receipt: Receipt) => void;
  reject: (error: unknown) => void;
  kept: (error: unknown) => void;
};

/** `databaseOnly`: replayed from the journal, so not written to it again. `isAwaited` is false when no caller waits for the booking. */
type Handling = { databaseOnly?: boolean; isAwaited?: boolean };

type Pending = Finished & {
  queuedMs: number;
  /** Replayed from the journal, so not written to it again. */
  databaseOnly: boolean;
  /** Neither database nor journal has accepted it, and its caller knows. */
  isKept: boolean;
  listener: Listener;
  /** Further callers that settled the same call meanwhile. */
  repeats: Listener[] | null;
};

const BATCH_SIZE = 256;
/** Time that a settlement waits for the database before it goes to the journal. */
const JOURNAL_AFTER_MS = 1_000;
const TICK_MS = 100;
/** Maximum settlements in memory. No call is admitted while the journal is unwritable, so these are calls that were in flight. */
const MAX_KEPT = 10_000;

/**
 * Sends finished calls to the ledger, or to the journal while the database is unreachable. A settlement is
 * - queued: it waits for a turn; after a second without a database, it goes to the journal;
 * - in a turn: after a lost answer it is queued again, because booking is idempotent;
 * - being journalled: written to disk; if that fails, it is kept;
 * - kept (`isKept`): only in memory, its caller knows, and it is queued again;
 * - over: booked, in the journal, or abandoned; its lease has ended.
 */
export class SettlementQueue {
  readonly #link: SqlLink;
  readonly #leases: Leases;
  readonly #journal: Journal;
  readonly #freed: (parties: readonly Parties[]) => void;
  readonly #journalFailed: () => void;
  readonly #batches: GroupCommit<Pending>;
  /** Calls being booked. A call is never in a batch twice. */
  readonly #inFlight = new Registry<Pending>();
  #journaling = 0;
  #kept = 0;
  #isEnding = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: {
    link: SqlLink;
    turns: CommitTurns;
    leases: Leases;
    journal: Journal;
    freed: (parties: readonly Parties[]) => void;
    /** Called when the journal rejects a settlement. */
    journalFailed: () => void;
  }) {
    this.#link = options.link;
    this.#leases = options.leases;
    this.#journal = options.journal;
    this.#freed = options.freed;
    this.#journalFailed = options.journalFailed;
    this.#batches = new GroupCommit<Pending>({
      turns: options.turns,
      statement: SETTLE,
      lean: (items) =>
        items.every(({ settlement, databaseOnly }) => !databaseOnly && mayWait(settlement)) ? { settled: items } : null,
      batchSize: BATCH_SIZE,
      choose: (items) => items,
      encode: (items) =>
        settleValues(
          items.map(({ text }) => text),
          "gateway",
        ),
      answered: (items, answer) => this.#answered(items, answer),
      failed: (items, problem) => this.#failed(items, problem),
    });
    options.link.onDown(() => this.#startTicking());
  }

  get isIdle(): boolean {
    return this.#batches.isIdle && this.#journaling === 0;
  }

  settle(settlement: Settlement, databaseOnly = false): Promise<Receipt> {
    if (!isAmount(settlement.costNanoUsd))
      return Promise.reject(failed(settlement, notAnAmount(settlement.costNanoUsd)));
    return new Promise((resolve, reject) => {
      const again = () => this.settle(settlement, databaseOnly).then(resolve, reject);
      if (this.#repeats(settlement.callId, { resolve, reject: again, kept: reject })) return;
      const listener = { resolve, reject, kept: reject };
      this.add({ settlement, text: finishedText(settlement) }, listener, { databaseOnly });
    });
  }

  /** As `settle`, for a call that is not being booked and has a valid amount. */
  add({ settlement, text }: Finished, listener: Listener, how: Handling = {}): void {
    const databaseOnly = how.databaseOnly === true;
    const item = {
      settlement,
      text,
      queuedMs: performance.now(),
      databaseOnly,
      isKept: false,
      listener,
      repeats: null,
    };
    this.#inFlight.set(settlement.callId, item);
    this.#batches.add(item, how.isAwaited !== false);
    if (!this.#link.isUp) this.#startTicking();
  }

  isInFlight(callId: string): boolean {
    return this.#inFlight.get(callId) !== undefined;
  }

  /** Whether the settlement is only in this process's memory: neither database nor journal has accepted it. */
  isKept(callId: string): boolean {
    return this.#inFlight.get(callId)?.isKept === true;
  }

  /** Waits until every settlement pending now is booked, in the journal, kept in memory, or abandoned. */
  async caughtUp(): Promise<void> {
    const isOver = ([callId]: [string, Pending]) =>
      new Promise<unknown>((over) => this.#repeats(callId, { resolve: over, reject: over, kept: over }));
    await Promise.all(this.#inFlight.all().map(isOver));
  }

  /** Writes pending settlements to the journal. `isEnd`: the process ends, so none is kept in memory. */
  flush(isEnd = false): void {
    this.#isEnding = isEnd;
    this.#toJournal(this.#batches.take(() => true));
  }

  /** Adds a listener to a settlement that is being booked; false: there is none. */
  #repeats(callId: string, listener: Listener): boolean {
    const first = this.#inFlight.get(callId);
    if (first === undefined) return false;
    if (first.isKept) {
      listener.kept(failed(first.settlement, new Error("neither the database nor the journal takes it now")));
    } else {
      first.repeats ??= [];
      first.repeats.push(listener);
    }
    return true;
  }

  #resolve(item: Pending, receipt: Receipt): void {
    const { settlement, listener, repeats } = item;
    this.#end(item);
    this.#leases.end(settlement.callId);
    listener.resolve(receipt);
    for (const repeat of repeats ?? []) repeat.resolve({ ...receipt, repeated: true });
  }

  #answered(items: readonly Pending[], answer: string): void {
    const exceptions = readSettleExceptions(answer);
    items.forEach((item, index) => {
      const exception = exceptions.get(index);
      if (exception?.kind === "refused") {
        this.#giveUp(item, new Error(PROBLEMS[exception.problem] ?? exception.problem));
        return;
      }
      this.#resolve(item, {
        chargedNanoUsd: exception?.chargedNanoUsd ?? chargeOf(item.settlement),
        repeated: exception?.kind === "repeated",
        durable: "database",
      });
    });
    this.#freed(items.map(({ settlement }) => settlement));
  }

  #failed(items: readonly Pending[], problem: SqlProblem): void {
    if (problem.kind === "data") {
      for (const item of items) this.#giveUp(item, problem.cause);
      return;
    }
    if (problem.kind === "away") {
      log.error({ err: problem.cause }, "the database does not take settlements");
      this.#batches.pause(TICK_MS);
    }
    this.#batches.addFirst(items);
    this.#startTicking();
  }

  #startTicking(): void {
    this.#timer ??= setTimeout(() => this.#tick(), TICK_MS);
  }

  #tick(): void {
    this.#timer = null;
    const now = performance.now();
    this.#toJournal(this.#batches.take(({ queuedMs }) => now - queuedMs > JOURNAL_AFTER_MS));
    if (this.#batches.waiting > 0) this.#startTicking();
  }

  #toJournal(items: readonly Pending[]): void {
    for (const item of items) {
      if (item.databaseOnly) this.#giveUp(item, new LinkLost("the database is not reachable"));
      else void this.#journalOne(item);
    }
  }

  /** Abandons a settlement that cannot be booked. Its lease expires, so its hold goes into review within a minute. */
  #giveUp(item: Pending, cause: unknown): void {
    const { settlement, listener, repeats } = item;
    this.#end(item);
    this.#leases.end(settlement.callId);
    const error = failed(settlement, cause);
    for (const { reject } of [listener, ...(repeats ?? [])]) reject(error);
  }

  #end(item: Pending): void {
    this.#inFlight.delete(item.settlement.callId);
    if (item.isKept) this.#kept -= 1;
  }

  /** Tells the caller that the settlement cannot be booked now, and retries for as long as this process lives. */
  #keep(item: Pending, cause: unknown): void {
    if (this.#isEnding || (!item.isKept && this.#kept >= MAX_KEPT)) {
      this.#giveUp(item, cause);
      return;
    }
    if (!item.isKept) {
      if (this.#kept === 0) log.error({ err: cause }, "settlements are kept in memory: nothing takes them");
      this.#kept += 1;
      item.isKept = true;
      const error = failed(item.settlement, cause);
      for (const { kept } of [item.listener, ...(item.repeats ?? [])]) kept(error);
      item.repeats = null;
    }
    item.queuedMs = performance.now();
    this.#batches.add(item, false);
    this.#startTicking();
  }

  async #journalOne(item: Pending): Promise<void> {
    const { settlement } = item;
    this.#journaling += 1;
    try {
      await this.#journal.append(settlement);
      const held = this.#leases.heldBy(settlement.callId);
      this.#resolve(item, {
        chargedNanoUsd: chargeOf(settlement, held),
        repeated: false,
        durable: "journal",
      });
    } catch (error) {
      this.#keep(item, error);
      this.#journalFailed();
    } finally {
      this.#journaling -= 1;
    }
  }
}

/** Messages for the refusals of `accounting_settle`. */
const PROBLEMS: Record<string, string> = {
  unknown: "no hold was placed for this call",
  unheld: "a call with a cost and without a hold can be booked for exempt payers only",
  wallet: "there is no such wallet",
  not_dispatched: "the hold of this call was never dispatched",
};

function failed(settlement: Settlement, cause: unknown) {
  return apiError("supplier_settlement_failed", { cause, about: { callId: settlement.callId } });
}
