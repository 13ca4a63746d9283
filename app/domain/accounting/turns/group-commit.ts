// Own code by decision: settling and admitting batches in one transaction is the core of the product. See docs/decisions/011.

import type { SqlValue } from "../link/one-text-query";
import { CUT_OFF, type SqlProblem } from "../link/sql-problem";
import type { Batch, BatchSource, CommitTurns } from "./commit-turns";
import type { LeanHalf } from "./lean-turn";

export type GroupCommitOptions<Item> = {
  turns: CommitTurns;
  statement: string;
  /** The batch in the form of a lean turn; null: it needs a full turn. */
  lean?: (items: readonly Item[]) => LeanHalf | null;
  /** Maximum items of one batch. */
  batchSize: number;
  /** Called for every batch; may drop items that it answers itself. */
  choose: (items: Item[]) => Item[];
  encode: (items: readonly Item[]) => SqlValue[];
  answered: (items: readonly Item[], answer: string) => void;
  /** `data` is reported for single items only: a batch with an invalid item is repeated item by item. */
  failed: (items: readonly Item[], problem: SqlProblem) => void;
};

/** Sends items of one kind to the database in groups: while one statement is in flight, the next group fills. */
export class GroupCommit<Item> implements BatchSource {
  readonly #options: GroupCommitOptions<Item>;
  #queue: Item[] = [];
  /** Items of a batch with an invalid item; each is sent alone. */
  #alone: Item[] = [];
  #isAwaited = false;
  #inFlight = 0;
  #pausedUntilMs = 0;
  /** Current maximum of a batch; below the batch size after the server cancelled one as too slow. */
  #maxItems: number;

  constructor(options: GroupCommitOptions<Item>) {
    this.#options = options;
    this.#maxItems = options.batchSize;
    options.turns.join(this);
  }

  get waiting(): number {
    return this.#queue.length + this.#alone.length;
  }

  get isIdle(): boolean {
    return this.#inFlight === 0 && this.waiting === 0;
  }

  get isAwaited(): boolean {
    return this.#isAwaited || this.#alone.length > 0;
  }

  /** `isAwaited` is false when no caller waits for the item. */
  add(item: Item, isAwaited = true): void {
    this.#queue.push(item);
    this.#isAwaited ||= isAwaited;
    this.#options.turns.wake();
  }

  /** Puts items before all others. */
  addFirst(items: readonly Item[]): void {
    this.#queue = [...items, ...this.#queue];
    this.#isAwaited ||= items.length > 0;
    this.#options.turns.wake();
  }

  /** Removes and returns the queued items that match; items in flight stay. */
  take(matches: (item: Item) => boolean): Item[] {
    const taken = [...this.#alone, ...this.#queue].filter(matches);
    if (taken.length === 0) return taken;
    this.#alone = this.#alone.filter((item) => !matches(item));
    this.#queue = this.#queue.filter((item) => !matches(item));
    return taken;
  }

  /** Sends nothing for a while, because the server reported that it cannot work. */
  pause(ms: number): void {
    this.#pausedUntilMs = performance.now() + ms;
    setTimeout(() => this.#options.turns.wake(), ms + 1).unref();
  }

  next(): Batch | null {
    if (performance.now() < this.#pausedUntilMs) return null;
    const items = this.#nextItems();
    if (items.length === 0) return null;
    const { statement, lean, encode, answered, failed } = this.#options;
    this.#inFlight += items.length;
    return {
      statement,
      lean: () => lean?.(items) ?? null,
      size: items.length,
      values: () => encode(items),
      answered: (answer) => {
        this.#inFlight -= items.length;
        this.#maxItems = Math.min(this.#maxItems * 2, this.#options.batchSize);
        answered(items, answer);
      },
      failed: (problem) => {
        this.#inFlight -= items.length;
        if (problem.sqlState === CUT_OFF) this.#maxItems = Math.max(1, Math.floor(items.length / 2));
        if (problem.kind === "data" && items.length > 1) this.#alone.push(...items);
        else failed(items, problem);
      },
    };
  }

  #nextItems(): Item[] {
    const { choose } = this.#options;
    const max = this.#maxItems;
    while (this.#alone.length > 0) {
      const chosen = choose([this.#alone.shift()!]);
      if (chosen.length > 0) return chosen;
    }
    while (this.#queue.length > 0) {
      const taken = this.#queue.length <= max ? this.#queue : this.#queue.slice(0, max);
      this.#queue = taken === this.#queue ? [] : this.#queue.slice(max);
      if (this.#queue.length === 0) this.#isAwaited = false;
      const chosen = choose(taken);
      if (chosen.length > 0) return chosen;
    }
    return [];
  }
}
