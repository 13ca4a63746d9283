import { performance } from "node:perf_hooks";
import { countTurn } from "~/metrics.server";
import type { LeanHalf } from "./lean-turn";
import type { SqlValue } from "./one-text-query";
import type { SqlLink } from "./sql-link";
import { LinkLost, type SqlProblem } from "./sql-problem";

/** One statement's worth of items, ready to go. */
export type Batch = {
  statement: string;
  /** What a lean turn takes of it; null: it is not for a lean turn. */
  lean?: () => LeanHalf | null;
  values: () => SqlValue[];
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
  /** Whether somebody waits for what it has: its turn leaves at once. */
  readonly isAwaited: boolean;
};

export type CommitTurnsOptions = {
  link: SqlLink;
  /** Takes the values of the first source's batch, then those of the second's, and answers `first|second`. */
  together: string;
  /** Turns with less in them and the rest left for later. Left out: every turn does everything. */
  lean?: {
    /** Takes what `values` makes of one batch or two, and answers what the first source's batch would be answered. */
    statement: string;
    values: (halves: readonly LeanHalf[]) => SqlValue[];
    /** How many items a turn carries, on the average of the last few, before turns are lean; 0: all are. */
    fromItems: number;
    /** Whether leaving work for later is wise at this moment. */
    allowed: () => boolean;
    /** A lean turn has left something for later. */
    committed: () => void;
  };
  timeoutMs: number;
};

/** `halves`: what a lean turn takes; null: the turn does everything. */
type Turn = { batches: readonly Batch[]; halves: readonly LeanHalf[] | null; repeats: number };

/** How long after the one before a turn leaves for which nobody waits: it carries more then. */
const GAP_MS = 10;
const MAX_REPEATS = 5;
/** How many items a turn carries, on the average of the last few, where calls come in numbers. */
export const MANY_ITEMS = 4;

/** After so many lean turns in a row that had to be done again in full, the next 62 turns are full at once. */
const MAX_UNUSUAL = 6;

/**
 * The turns of one link: a statement is in flight, and meanwhile the batches of the next turn fill; they leave when it
 * returns, or at the end of the turn of the event loop in which their first item came. When both sources have something,
 * their batches go together in one statement and one transaction: that is one flush to disk instead of two, and the two
 * kinds of statements do not wait for each other's locks.
 */
export class CommitTurns {
  readonly #options: CommitTurnsOptions;
  readonly #sources: BatchSource[] = [];
  /** Batches that failed together and now go one by one. */
  #apart: Batch[] = [];
  #busy = false;
  #scheduled = false;
  #timer: NodeJS.Timeout | null = null;
  #leftMs = 0;
  /** How many lean turns in a row had to be done again in full, and how many turns are full because of it. */
  #unusual = 0;
  #fullTurns = 0;
  /** Items of a turn, on the average of the last few. */
  #itemsPerTurn = 0;

  constructor(options: CommitTurnsOptions) {
    this.#options = options;
    options.link.onUp(() => this.wake());
    options.link.onDown(() => this.#giveBack());
  }

  /** Whether calls come in numbers, by what the last few turns carried. */
  get areLean(): boolean {
    return this.#fullTurns === 0 && this.#mayBeLean;
  }

  get #mayBeLean(): boolean {
    const { lean } = this.#options;
    return lean !== undefined && this.#itemsPerTurn >= lean.fromItems && lean.allowed();
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
    const isAwaited = this.#apart.length > 0 || this.#sources.some((source) => source.isAwaited);
    if (!isAwaited) {
      if (this.#timer !== null || this.#sources.every(({ waiting }) => waiting === 0)) return;
      const restMs = this.#leftMs + GAP_MS - performance.now();
      if (restMs > 0) {
        this.#timer = setTimeout(this.#leave, restMs);
        return;
      }
    }
    this.#scheduled = true;
    setImmediate(this.#leave);
  }

  /** What has not been sent waits with the others, where it can be refused or written into the journal in time. */
  #giveBack(): void {
    const problem: SqlProblem = { kind: "away", cause: new LinkLost("not connected") };
    for (const batch of this.#apart.splice(0)) batch.failed(problem);
  }

  #leave = (): void => {
    this.#scheduled = false;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#busy || !this.#options.link.isUp) return;
    const alone = this.#apart.shift();
    const batches = alone ? [alone] : this.#sources.map((source) => source.next()).filter((batch) => batch !== null);
    if (batches.length === 0) return;
    this.#busy = true;
    this.#leftMs = performance.now();
    const items = batches.reduce((sum, { size }) => sum + size, 0);
    this.#itemsPerTurn += (items - this.#itemsPerTurn) / 8;
    this.#send({ batches, halves: alone === undefined ? this.#leanHalves(batches) : null, repeats: 0 });
  };

  /** Null: this turn does everything. */
  #leanHalves(batches: readonly Batch[]): LeanHalf[] | null {
    if (!this.#mayBeLean) return null;
    if (this.#fullTurns > 0) {
      this.#fullTurns -= 1;
      return null;
    }
    const halves: LeanHalf[] = [];
    for (const batch of batches) {
      const half = batch.lean?.() ?? null;
      if (half === null) return null;
      halves.push(half);
    }
    return halves;
  }

  #send(turn: Turn): void {
    const { halves } = turn;
    if (halves === null) this.#sendFull(turn);
    else this.#sendLean(turn, halves);
  }

  #sendLean(turn: Turn, halves: readonly LeanHalf[]): void {
    const { link, timeoutMs, lean } = this.#options;
    link.send(lean!.statement, lean!.values(halves), timeoutMs, (problem, answer) => {
      if (problem?.kind === "again" && turn.repeats < MAX_REPEATS) {
        return this.#sendLean({ ...turn, repeats: turn.repeats + 1 }, halves);
      }
      if (problem?.kind === "unusual" || problem?.kind === "data") {
        this.#unusual = Math.min(this.#unusual + 1, MAX_UNUSUAL);
        this.#fullTurns = 2 ** this.#unusual - 2;
        return this.#sendFull({ ...turn, repeats: 0 });
      }
      this.#busy = false;
      this.#count("lean", turn.batches, problem === null);
      if (problem === null) this.#answeredLean(turn.batches, halves, answer);
      else for (const batch of turn.batches) batch.failed(problem);
      this.wake();
    });
  }

  #answeredLean(batches: readonly Batch[], halves: readonly LeanHalf[], answer: string): void {
    this.#unusual = 0;
    if (halves.some((half) => "settled" in half)) this.#options.lean!.committed();
    for (const [index, batch] of batches.entries()) batch.answered("settled" in halves[index]! ? answer : "");
  }

  #sendFull(turn: Turn): void {
    const { link, timeoutMs, together } = this.#options;
    const { batches, repeats } = turn;
    const values = batches.flatMap((batch) => batch.values());
    link.send(batches.length > 1 ? together : batches[0]!.statement, values, timeoutMs, (problem, answer) => {
      if (problem?.kind === "again" && repeats < MAX_REPEATS) return this.#sendFull({ ...turn, repeats: repeats + 1 });
      this.#busy = false;
      this.#count("full", batches, problem === null);
      this.#answered(batches, problem, answer);
      this.wake();
    });
  }

  #count(kind: "lean" | "full", batches: readonly Batch[], isDone: boolean): void {
    const items = batches.reduce((sum, { size }) => sum + size, 0);
    countTurn({ kind, isDone, items, ms: performance.now() - this.#leftMs });
  }

  #answered(batches: readonly Batch[], problem: SqlProblem | null, answer: string): void {
    const [first, second] = batches;
    if (problem?.kind === "data" && second !== undefined) {
      // One of the two has an impossible item: alone, each finds its own.
      this.#apart.push(...batches);
    } else if (problem !== null) {
      for (const batch of batches) batch.failed(problem);
    } else if (second === undefined) {
      first!.answered(answer);
    } else {
      const middle = answer.indexOf("|");
      first!.answered(answer.slice(0, middle));
      second.answered(answer.slice(middle + 1));
    }
  }
}
