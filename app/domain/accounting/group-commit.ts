import type { SqlLink } from "./sql-link";
import type { SqlProblem } from "./sql-problem";

export type GroupCommitOptions<Item> = {
  link: SqlLink;
  statement: string;
  /** The most items of one batch. */
  batchSize: number;
  /** A batch that has not been answered by then is lost. */
  timeoutMs: number;
  /** Called for every batch; may leave items out by answering them itself. */
  choose: (items: Item[]) => Item[];
  encode: (items: readonly Item[]) => unknown[];
  answered: (items: readonly Item[], answer: string) => void;
  /** `data` comes for single items only: a batch with one bad item is repeated item by item. */
  failed: (items: readonly Item[], problem: SqlProblem) => void;
};

const MOST_REPEATS = 5;

/**
 * Commits items in groups: while one batch is in flight the next fills, and it leaves when the first returns. Nothing
 * waits when the link is idle; a batch leaves at the end of the turn of the event loop in which its first item came.
 */
export class GroupCommit<Item> {
  readonly #options: GroupCommitOptions<Item>;
  #queue: Item[] = [];
  /** Items of a batch that failed for one of them: each goes alone. */
  #alone: Item[] = [];
  #busy = false;
  #scheduled = false;
  #pausedUntilMs = 0;

  constructor(options: GroupCommitOptions<Item>) {
    this.#options = options;
    options.link.onUp(() => this.wake());
  }

  get waiting(): number {
    return this.#queue.length + this.#alone.length;
  }

  get isIdle(): boolean {
    return !this.#busy && this.waiting === 0;
  }

  add(item: Item): void {
    this.#queue.push(item);
    this.wake();
  }

  /** Puts items before all others. */
  addFirst(items: readonly Item[]): void {
    this.#queue = [...items, ...this.#queue];
    this.wake();
  }

  /** Takes away everything that is not in flight. */
  takeAll(): Item[] {
    const taken = [...this.#alone, ...this.#queue];
    this.#alone = [];
    this.#queue = [];
    return taken;
  }

  /** Sends nothing for a while: the server has said that it cannot work. */
  pause(ms: number): void {
    this.#pausedUntilMs = Date.now() + ms;
    setTimeout(() => this.wake(), ms + 1).unref();
  }

  wake(): void {
    if (this.#busy || this.#scheduled || this.waiting === 0) return;
    this.#scheduled = true;
    setImmediate(this.#leave);
  }

  #leave = (): void => {
    this.#scheduled = false;
    if (this.#busy || !this.#options.link.isUp || Date.now() < this.#pausedUntilMs) return;
    const items = this.#next();
    if (items.length > 0) this.#send(items, 0);
  };

  #next(): Item[] {
    const { batchSize, choose } = this.#options;
    while (this.#alone.length > 0) {
      const chosen = choose([this.#alone.shift()!]);
      if (chosen.length > 0) return chosen;
    }
    while (this.#queue.length > 0) {
      const taken = this.#queue.length <= batchSize ? this.#queue : this.#queue.slice(0, batchSize);
      this.#queue = taken === this.#queue ? [] : this.#queue.slice(batchSize);
      const chosen = choose(taken);
      if (chosen.length > 0) return chosen;
    }
    return [];
  }

  #send(items: Item[], repeats: number): void {
    const { link, statement, timeoutMs, encode, answered, failed } = this.#options;
    this.#busy = true;
    link.send(statement, encode(items), timeoutMs, (problem, answer) => {
      if (problem === null) {
        this.#busy = false;
        answered(items, answer);
        return this.wake();
      }
      if (problem.kind === "again" && repeats < MOST_REPEATS) return this.#send(items, repeats + 1);
      this.#busy = false;
      if (problem.kind === "data" && items.length > 1) this.#alone.push(...items);
      else failed(items, problem);
      this.wake();
    });
  }
}
