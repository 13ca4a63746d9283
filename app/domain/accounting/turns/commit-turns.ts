import { performance } from "node:perf_hooks";
import { countTurn } from "~/observe/metrics.server";
import type { SqlValue } from "../link/one-text-query";
import type { SqlLink } from "../link/sql-link";
import { LinkLost, type SqlProblem } from "../link/sql-problem";
import type { LeanHalf } from "./lean-turn";

/** The items of one statement, ready to be sent. */
export type Batch = {
  statement: string;
  /** The batch in the form of a lean turn; null: it needs a full turn. */
  lean?: () => LeanHalf | null;
  values: () => SqlValue[];
  answered: (answer: string) => void;
  failed: (problem: SqlProblem) => void;
  /** Number of items. */
  size: number;
};

/** A queue that supplies batches. */
export type BatchSource = {
  /** The next batch; null when there is nothing to send. */
  next: () => Batch | null;
  readonly waiting: number;
  /** Whether a caller waits for an item; the turn is then sent at once. */
  readonly isAwaited: boolean;
};

export type CommitTurnsOptions = {
  link: SqlLink;
  /** Statement for both batches: values of the first source, then of the second; the answer is `first|second`. */
  together: string;
  /** Lean turns, which leave the ledger for later. Absent: every turn is full. */
  lean?: {
    /** Statement for the result of `values`; its answer is that of the first source's batch. */
    statement: string;
    values: (halves: readonly LeanHalf[]) => SqlValue[];
    /** Moving average of items per turn from which turns are lean; 0: all are. */
    fromItems: number;
    /** Whether work may be left for later now. */
    allowed: () => boolean;
    /** Called when a lean turn has left work for later. */
    committed: () => void;
  };
  timeoutMs: number;
};

/** `halves`: the batches of a lean turn; null: the turn is full. */
type Turn = { batches: readonly Batch[]; halves: readonly LeanHalf[] | null; repeats: number };

/** Minimum gap between turns when no caller waits, so that each carries more items. */
const GAP_MS = 10;
const MAX_REPEATS = 5;
/** Moving average of items per turn from which the load counts as high. */
export const MANY_ITEMS = 4;

/** Consecutive lean turns that had to be repeated as full ones, after which the next 62 turns are full at once. */
const MAX_UNUSUAL = 6;

/**
 * Sends the batches of one link in turns. While one statement is in flight, the batches of the next turn fill. They are sent
 * when it returns, or at the end of the event-loop tick in which their first item arrived. When both sources have items, their
 * batches share one statement and one transaction: one flush to disk instead of two, and the two kinds of statements do not
 * wait for each other's locks.
 */
export class CommitTurns {
  readonly #options: CommitTurnsOptions;
  readonly #sources: BatchSource[] = [];
  /** Batches that failed together and are now sent one by one. */
  #apart: Batch[] = [];
  #busy = false;
  #scheduled = false;
  #timer: NodeJS.Timeout | null = null;
  #leftMs = 0;
  /** Consecutive lean turns that had to be repeated as full ones, and the number of full turns still to come because of it. */
  #unusual = 0;
  #fullTurns = 0;
  /** Moving average of items per turn. */
  #itemsPerTurn = 0;

  constructor(options: CommitTurnsOptions) {
    this.#options = options;
    options.link.onUp(() => this.wake());
    options.link.onDown(() => this.#returnApart());
  }

  /** Whether the load is high enough for lean turns, and the last ones succeeded. */
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

  /** Adds a source. At most two; their order is that of the joint statement. */
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

  /** Returns unsent batches to their queues, where they can time out or go to the journal. */
  #returnApart(): void {
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

  /** Null: the turn must be full. */
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
      // One of the two batches has an invalid item. Sent alone, each finds its own.
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
