import { performance } from "node:perf_hooks";
import { apiError } from "~/errors/app-error";
import { log } from "~/log.server";
import { isAmount, notAnAmount } from "./amount";
import { settleValues } from "./batch-text";
import type { CommitTurns } from "./commit-turns";
import { GroupCommit } from "./group-commit";
import type { Journal } from "./journal";
import { mayWait } from "./lean-turn";
import type { Leases } from "./leases";
import { Registry } from "./registry";
import type { Parties, Receipt, Settlement } from "./shared";
import type { SqlLink } from "./sql-link";
import { LinkLost, type SqlProblem } from "./sql-problem";
import { SETTLE } from "./store";
import { readSettleExceptions } from "./verdict";

type Pending = {
  settlement: Settlement;
  queuedMs: number;
  /** Came from the journal, or from a person: stays out of the journal. */
  databaseOnly: boolean;
  resolve: (receipt: Receipt) => void;
  reject: (problem: unknown) => void;
};

const BATCH_SIZE = 256;
/** How long a settlement waits for the database before it goes to the journal. */
const JOURNAL_AFTER_MS = 1_000;
const TICK_MS = 100;

/** Settlement: finished calls on their way into the ledger, or into the journal while the database is away. */
export class SettlementQueue {
  readonly #link: SqlLink;
  readonly #leases: Leases;
  readonly #journal: Journal;
  readonly #freed: (parties: readonly Parties[]) => void;
  readonly #batches: GroupCommit<Pending>;
  /** Calls being booked: one is never in a batch twice. */
  readonly #underWay = new Registry<Promise<Receipt>>();
  #journaling = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: {
    link: SqlLink;
    turns: CommitTurns;
    leases: Leases;
    journal: Journal;
    freed: (parties: readonly Parties[]) => void;
  }) {
    this.#link = options.link;
    this.#leases = options.leases;
    this.#journal = options.journal;
    this.#freed = options.freed;
    this.#batches = new GroupCommit<Pending>({
      turns: options.turns,
      statement: SETTLE,
      lean: (items) =>
        items.every(({ settlement, databaseOnly }) => !databaseOnly && mayWait(settlement))
          ? { settled: items.map(({ settlement }) => settlement) }
          : null,
      batchSize: BATCH_SIZE,
      choose: (items) => items,
      encode: (items) =>
        settleValues(
          items.map(({ settlement }) => settlement),
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
    const first = this.#underWay.get(settlement.callId);
    if (first !== undefined) return this.#repeat(first, settlement, databaseOnly);
    const receipt = new Promise<Receipt>((resolve, reject) => {
      this.#batches.add({ settlement, queuedMs: performance.now(), databaseOnly, resolve, reject });
    });
    this.#underWay.set(settlement.callId, receipt);
    if (!this.#link.isUp) this.#startTicking();
    return receipt;
  }

  /** Journals what the database has not taken. For the end of the process. */
  flush(): void {
    this.#toJournal(this.#batches.take(() => true));
  }

  async #repeat(first: Promise<Receipt>, settlement: Settlement, databaseOnly: boolean): Promise<Receipt> {
    try {
      return { ...(await first), repeated: true };
    } catch {
      return this.settle(settlement, databaseOnly);
    }
  }

  #answered(items: readonly Pending[], answer: string): void {
    const exceptions = readSettleExceptions(answer);
    items.forEach((item, index) => {
      const { callId, costNanoUsd, outcome } = item.settlement;
      const exception = exceptions.get(index);
      if (exception?.kind === "refused") {
        this.#giveUp(item, new Error(PROBLEMS[exception.problem] ?? exception.problem));
        return;
      }
      this.#underWay.delete(callId);
      this.#leases.end(callId);
      const cost = outcome === "not_executed" ? 0n : costNanoUsd;
      item.resolve({
        chargedNanoUsd: exception?.chargedNanoUsd ?? cost,
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
  #giveUp({ settlement, reject }: Pending, cause: unknown): void {
    this.#underWay.delete(settlement.callId);
    this.#leases.end(settlement.callId);
    reject(failed(settlement, cause));
  }

  async #journalOne(item: Pending): Promise<void> {
    const { settlement, resolve } = item;
    this.#journaling += 1;
    try {
      await this.#journal.append(settlement);
      const held = this.#leases.heldBy(settlement.callId);
      const cost = settlement.outcome === "not_executed" ? 0n : settlement.costNanoUsd;
      this.#leases.end(settlement.callId);
      this.#underWay.delete(settlement.callId);
      resolve({ chargedNanoUsd: held !== null && held < cost ? held : cost, repeated: false, durable: "journal" });
    } catch (problem) {
      this.#giveUp(item, problem);
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
