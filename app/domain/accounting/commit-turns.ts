import { performance } from "node:perf_hooks";
import type { SqlLink } from "./sql-link";
import { LinkLost, type SqlProblem } from "./sql-problem";

/** One statement's worth of items, ready to go. */
export type Batch = {
  statement: string;
  values: () => unknown[];
  answered: (answer: string) => void;
  failed: (problem: SqlProblem) => void;
  /** How many items it carries. */
  size: number;
};

/** Where batches come from. */
export type BatchSource = {
  /** The next batch; null when there is nothing to send. */
  next: () => Batch | null;
  readonly waiting: number;
};

const MAX_REPEATS = 5;
/** The least time between two departures where calls come in numbers. A turn costs the same for one call as for ten. */
const GAP_MS = 2;
/** How many items a turn carries, on the average of the last few, where calls come in numbers. */
const MANY_ITEMS = 4;

/**
 * The turns of one link: a statement is in flight, and meanwhile the batches of the next turn fill; they leave when it
 * returns, or at the end of the turn of the event loop in which their first item came. When both sources have something,
 * their batches go together in one statement and one transaction: that is one flush to disk instead of two, and the two
 * kinds of statements do not wait for each other's locks.
 */
export class CommitTurns {
  readonly #link: SqlLink;
  readonly #together: string;
  readonly #timeoutMs: number;
  readonly #sources: BatchSource[] = [];
  /** Batches that failed together and now go one by one. */
  #apart: Batch[] = [];
  #busy = false;
  #scheduled = false;
  #leftMs = 0;
  /** Items of a turn, on the average of the last few. */
  #itemsPerTurn = 0;

  /** `together` takes the values of the first source's batch, then those of the second's, and answers `first|second`. */
  constructor(options: { link: SqlLink; together: string; timeoutMs: number }) {
    this.#link = options.link;
    this.#together = options.together;
    this.#timeoutMs = options.timeoutMs;
    options.link.onUp(() => this.wake());
    options.link.onDown(() => this.#giveBack());
  }

  get isIdle(): boolean {
    return !this.#busy && this.#apart.length === 0 && this.#sources.every(({ waiting }) => waiting === 0);
  }

  /** At most two sources; their order is that of the joint statement. */
  join(source: BatchSource): void {
    this.#sources.push(source);
  }

  wake(): void {
    if (this.#busy || this.#scheduled) return;
    if (this.#apart.length === 0 && this.#sources.every(({ waiting }) => waiting === 0)) return;
    this.#scheduled = true;
    const restMs = this.#itemsPerTurn < MANY_ITEMS ? 0 : this.#leftMs + GAP_MS - performance.now();
    if (restMs < 0.5) setImmediate(this.#leave);
    else setTimeout(this.#leave, restMs);
  }

  /** What has not been sent waits with the others, where it can be refused or written into the journal in time. */
  #giveBack(): void {
    const problem: SqlProblem = { kind: "away", cause: new LinkLost("not connected") };
    for (const batch of this.#apart.splice(0)) batch.failed(problem);
  }

  #leave = (): void => {
    this.#scheduled = false;
    if (this.#busy || !this.#link.isUp) return;
    const alone = this.#apart.shift();
    const batches = alone ? [alone] : this.#sources.map((source) => source.next()).filter((batch) => batch !== null);
    const [first, second] = batches;
    if (first === undefined) return;
    this.#busy = true;
    this.#leftMs = performance.now();
    this.#itemsPerTurn += (first.size + (second?.size ?? 0) - this.#itemsPerTurn) / 8;
    if (second === undefined) this.#sendOne(first, 0);
    else this.#sendBoth(first, second, 0);
  };

  #sendOne(batch: Batch, repeats: number): void {
    this.#link.send(batch.statement, batch.values(), this.#timeoutMs, (problem, answer) => {
      if (problem?.kind === "again" && repeats < MAX_REPEATS) return this.#sendOne(batch, repeats + 1);
      this.#busy = false;
      if (problem === null) batch.answered(answer);
      else batch.failed(problem);
      this.wake();
    });
  }

  #sendBoth(first: Batch, second: Batch, repeats: number): void {
    const values = [...first.values(), ...second.values()];
    this.#link.send(this.#together, values, this.#timeoutMs, (problem, answer) => {
      if (problem?.kind === "again" && repeats < MAX_REPEATS) return this.#sendBoth(first, second, repeats + 1);
      this.#busy = false;
      if (problem === null) {
        const middle = answer.indexOf("|");
        first.answered(answer.slice(0, middle));
        second.answered(answer.slice(middle + 1));
      } else if (problem.kind === "data") {
        // One of the two has an impossible item: alone, each finds its own.
        this.#apart.push(first, second);
      } else {
        first.failed(problem);
        second.failed(problem);
      }
      this.wake();
    });
  }
}
