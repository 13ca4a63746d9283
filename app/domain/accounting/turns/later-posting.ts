import { performance } from "node:perf_hooks";
import { log } from "~/observe/log.server";
import type { SqlLink } from "../link/sql-link";
import { NEXT_UNPOSTED, POST_LATER } from "../store";

const EVERY_MS = 100;
const AFTER_A_FAILURE_MS = 1_000;
const TURNS_AT_ONCE = 64;
/** Fewer turns wait for the next round: a transaction for each handful of turns was a tenth of the database's work. */
const WORTH_A_ROUND = 32;
const POST_WITHIN_MS = 4_000;
/** Lag from which turns post their own calls, so that admission slows down instead of the backlog growing. */
const MAX_LAG_MS = 2_000;

/**
 * Posts the work that lean turns of any process have left: ledger transactions, usage rows and their sums. One process posts at a
 * time; the others get an empty answer.
 */
export class LaterPosting {
  readonly #link: SqlLink;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;
  #closed = false;
  /** Since when this process knows of unposted turns (performance.now()); null: there are none. */
  #waitingSinceMs: number | null = null;

  constructor(link: SqlLink) {
    this.#link = link;
  }

  /** Age of the oldest unposted turn that this process knows of. */
  get lagMs(): number {
    return this.#waitingSinceMs === null ? 0 : performance.now() - this.#waitingSinceMs;
  }

  /** Whether more may be left for later. */
  get keepsUp(): boolean {
    return !this.#closed && this.lagMs < MAX_LAG_MS;
  }

  /** Reports that a turn has left work for later. */
  add(): void {
    this.#waitingSinceMs ??= performance.now();
    this.#schedule(EVERY_MS);
  }

  /** Posts all unposted turns, those of other processes included. Rejects when the database refuses them. */
  async post(): Promise<void> {
    while ((await this.#postSome(TURNS_AT_ONCE, "0")) > 0);
  }

  /** Waits until this process's turns are posted. Never rejects; turns that cannot be posted are retried later. */
  async caughtUp(): Promise<void> {
    if (this.#waitingSinceMs !== null && this.keepsUp) await this.post().catch(() => undefined);
  }

  /** Posts the remaining turns if possible, and stops. Other processes post the rest. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#running;
    if (this.#waitingSinceMs !== null && this.#link.isUp) await this.post().catch(() => undefined);
  }

  #schedule(ms: number): void {
    if (this.#closed || this.#running !== null) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#running = this.#run().finally(() => {
        this.#running = null;
        if (this.#waitingSinceMs !== null) this.#schedule(EVERY_MS);
      });
    }, ms);
  }

  async #run(): Promise<void> {
    try {
      while ((await this.#postSome(TURNS_AT_ONCE, "0")) >= WORTH_A_ROUND);
    } catch (error) {
      log.error(
        { err: error, lagMs: Math.round(this.lagMs) },
        "settled calls are not posted to the ledger; it will be tried again",
      );
      await this.#postOneByOne();
      await new Promise((resolve) => setTimeout(resolve, AFTER_A_FAILURE_MS));
    }
  }

  /** Posts turn by turn, so that a refused turn does not block the others. It stays unposted and shows in the lag. */
  async #postOneByOne(): Promise<void> {
    for (let after = "0"; ; ) {
      const next = await this.#link.ask(NEXT_UNPOSTED, [after], POST_WITHIN_MS).catch(() => "");
      if (next === "") return;
      await this.#postSome(1, after).catch(() => undefined);
      after = next;
    }
  }

  /** Returns the number of turns left that this process can post. */
  async #postSome(turns: number, after: string): Promise<number> {
    const answer = await this.#link.ask(POST_LATER, [turns, after], POST_WITHIN_MS);
    const [posted, left, ageMs] = answer.split(",").map(Number) as [number, number, number];
    this.#waitingSinceMs = left === 0 ? null : performance.now() - ageMs;
    return posted > 0 ? left : 0;
  }
}
