import { performance } from "node:perf_hooks";
import { log } from "~/log.server";
import type { SqlLink } from "./sql-link";
import { NEXT_UNPOSTED, POST_LATER } from "./store";

const EVERY_MS = 100;
const AFTER_A_FAILURE_MS = 1_000;
const TURNS_AT_ONCE = 64;
/** Fewer than these wait for the next round: a transaction for each handful of turns was a tenth of all that the database did. */
const WORTH_A_ROUND = 32;
const POST_WITHIN_MS = 4_000;
/** From this lag on, turns post their own calls: admission slows down instead of the backlog growing. */
const MAX_LAG_MS = 2_000;

/**
 * Posts what lean turns of any process have left for later: ledger transactions, usage rows and their sums. One process does
 * it at a time, the others find nothing to do.
 */
export class LaterPosting {
  readonly #link: SqlLink;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;
  #closed = false;
  /** Since when something is known to wait (performance.now()); null: nothing. */
  #waitingSinceMs: number | null = null;

  constructor(link: SqlLink) {
    this.#link = link;
  }

  /** How long the oldest turn that is not posted has been waiting, as far as this process knows. */
  get lagMs(): number {
    return this.#waitingSinceMs === null ? 0 : performance.now() - this.#waitingSinceMs;
  }

  /** Whether more may be left for later. */
  get keepsUp(): boolean {
    return !this.#closed && this.lagMs < MAX_LAG_MS;
  }

  /** A turn has left something. */
  add(): void {
    this.#waitingSinceMs ??= performance.now();
    this.#schedule(EVERY_MS);
  }

  /** Posts everything that is there, also what another process has left. Rejects when the database does not take it. */
  async post(): Promise<void> {
    while ((await this.#postSome(TURNS_AT_ONCE, "0")) > 0);
  }

  /** Everything that this process has left for later is posted. Never rejects: what cannot be posted waits on. */
  async caughtUp(): Promise<void> {
    if (this.#waitingSinceMs !== null && this.keepsUp) await this.post().catch(() => undefined);
  }

  /** Posts what is left, if it can be done, and stops. Any other process goes on with the rest. */
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
    } catch (problem) {
      log.error(
        { err: problem, lagMs: Math.round(this.lagMs) },
        "settled calls are not posted to the ledger; it will be tried again",
      );
      await this.#postOneByOne();
      await new Promise((resolve) => setTimeout(resolve, AFTER_A_FAILURE_MS));
    }
  }

  /** A turn that the database refuses does not keep the others back. It stays, and is seen by its lag. */
  async #postOneByOne(): Promise<void> {
    for (let after = "0"; ; ) {
      const next = await this.#link.ask(NEXT_UNPOSTED, [after], POST_WITHIN_MS).catch(() => "");
      if (next === "") return;
      await this.#postSome(1, after).catch(() => undefined);
      after = next;
    }
  }

  /** How many turns are left that this process can post. */
  async #postSome(turns: number, after: string): Promise<number> {
    const answer = await this.#link.ask(POST_LATER, [turns, after], POST_WITHIN_MS);
    const [posted, left, ageMs] = answer.split(",").map(Number) as [number, number, number];
    this.#waitingSinceMs = left === 0 ? null : performance.now() - ageMs;
    return posted > 0 ? left : 0;
  }
}
