import { performance } from "node:perf_hooks";
import { apiError } from "~/errors/app-error";
import { log } from "~/log.server";
import { chargeOf, isAmount, notAnAmount } from "./amount";
import { finishedText, settleValues } from "./batch-text";
import type { CommitTurns } from "./commit-turns";
import { GroupCommit } from "./group-commit";
import type { Journal } from "./journal";
import { type Finished, mayWait } from "./lean-turn";
import type { Leases } from "./leases";
import { Registry } from "./registry";
import type { Parties, Receipt, Settlement } from "./shared";
import type { SqlLink } from "./sql-link";
import { LinkLost, type SqlProblem } from "./sql-problem";
import { SETTLE } from "./store";
import { readSettleExceptions } from "./verdict";

/**
 * Who hears what became of a settlement. `kept`: for the time being it can be written nowhere; one of the others follows when it is
 * booked after all, or given up.
 */
type Listener = {
  resolve: (receipt: Receipt) => void;
  reject: (problem: unknown) => void;
  kept: (problem: unknown) => void;
};

/** `databaseOnly`: it comes from the journal, and stays out of it. `isAwaited`, unless false: somebody waits until it is booked. */
type Handling = { databaseOnly?: boolean; isAwaited?: boolean };

type Pending = Finished & {
  queuedMs: number;
  /** Came from the journal: stays out of it. */
  databaseOnly: boolean;
  /** Neither the database nor the journal has taken it, and its client knows. */
  isKept: boolean;
  listener: Listener;
  /** Those who have settled the same call meanwhile. */
  repeats: Listener[] | null;
};

const BATCH_SIZE = 256;
/** How long a settlement waits for the database before it goes to the journal. */
const JOURNAL_AFTER_MS = 1_000;
const TICK_MS = 100;
/** While nothing can be written no call is admitted, so these are the calls that were under way then. */
const MAX_KEPT = 10_000;

/** Settlement: finished calls on their way into the ledger, or into the journal while the database is away. */
export class SettlementQueue {
  readonly #link: SqlLink;
  readonly #leases: Leases;
  readonly #journal: Journal;
  readonly #freed: (parties: readonly Parties[]) => void;
  readonly #journalFailed: () => void;
  readonly #batches: GroupCommit<Pending>;
  /** Calls being booked: one is never in a batch twice. */
  readonly #underWay = new Registry<Pending>();
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
    /** Called when the journal has not taken a settlement. */
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

  /** As `settle`, of a call that is not under way and costs an amount. */
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
    this.#underWay.set(settlement.callId, item);
    this.#batches.add(item, how.isAwaited !== false);
    if (!this.#link.isUp) this.#startTicking();
  }

  isUnderWay(callId: string): boolean {
    return this.#underWay.get(callId) !== undefined;
  }

  /** Whether its cost is known here, and nothing that outlives the process has taken it yet. */
  isKept(callId: string): boolean {
    return this.#underWay.get(callId)?.isKept === true;
  }

  /** Everything that is on its way now is settled, in the journal, kept for better times, or given up. */
  async caughtUp(): Promise<void> {
    const heard = ([callId]: [string, Pending]) =>
      new Promise<unknown>((over) => this.#repeats(callId, { resolve: over, reject: over, kept: over }));
    await Promise.all(this.#underWay.all().map(heard));
  }

  /** Journals what the database has not taken. `isEnd`: the process ends, and keeps nothing any more. */
  flush(isEnd = false): void {
    this.#isEnding = isEnd;
    this.#toJournal(this.#batches.take(() => true));
  }

  /** Lets somebody else hear of a settlement that is under way; false: there is none. */
  #repeats(callId: string, listener: Listener): boolean {
    const first = this.#underWay.get(callId);
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

  /** The call is over and cannot be booked: its lease runs out, and its hold is shown to people instead of being kept for hours. */
  #giveUp(item: Pending, cause: unknown): void {
    const { settlement, listener, repeats } = item;
    this.#end(item);
    this.#leases.end(settlement.callId);
    const problem = failed(settlement, cause);
    for (const { reject } of [listener, ...(repeats ?? [])]) reject(problem);
  }

  #end(item: Pending): void {
    this.#underWay.delete(item.settlement.callId);
    if (item.isKept) this.#kept -= 1;
  }

  /** Its client is told that it cannot be booked now, and it is tried again for as long as this process lives. */
  #keep(item: Pending, cause: unknown): void {
    if (this.#isEnding || (!item.isKept && this.#kept >= MAX_KEPT)) {
      this.#giveUp(item, cause);
      return;
    }
    if (!item.isKept) {
      if (this.#kept === 0) log.error({ err: cause }, "settlements are kept in memory: nothing takes them");
      this.#kept += 1;
      item.isKept = true;
      const problem = failed(item.settlement, cause);
      for (const { kept } of [item.listener, ...(item.repeats ?? [])]) kept(problem);
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
    } catch (problem) {
      this.#keep(item, problem);
      this.#journalFailed();
    } finally {
      this.#journaling -= 1;
    }
  }
}

/** What `accounting_settle` may refuse, in words. */
const PROBLEMS: Record<string, string> = {
  unknown: "no hold was placed for this call",
  unheld: "a call with a cost and without a hold can be booked for exempt payers only",
  wallet: "there is no such wallet",
  not_dispatched: "the hold of this call was never dispatched",
};

function failed(settlement: Settlement, cause: unknown) {
  return apiError("supplier_settlement_failed", { cause, about: { callId: settlement.callId } });
}
