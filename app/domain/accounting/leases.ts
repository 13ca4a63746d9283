import { performance } from "node:perf_hooks";
import { arrayText, count } from "./batch-text";
import { Registry } from "./registry";
import type { HoldRequest } from "./shared";
import type { SqlLink } from "./sql-link";
import { TOUCH } from "./store";

type Lease = {
  amountNanoUsd: bigint;
  isSpare: boolean;
  sinceMs: number;
  inputTokens: number | null;
  outputTokens: number | null;
  priceVersion: number | null;
};

/** How far a call has come. `priceVersion`: of the route that serves it, where it is known. */
export type Progress = { inputTokens: number; outputTokens: number; priceVersion?: number };

/** A call that is in flight for so long is forgotten: its hold goes to review like that of a dead process. */
const MAX_CALL_MS = 6 * 3600_000;
const TOUCH_BATCH = 1_000;
const TOUCH_WITHIN_MS = 5_000;

/**
 * The calls of this process between admission and settlement. Short ones come and go without a statement; the leases of
 * those that last are extended, together with how far they have come.
 */
export class Leases {
  readonly #calls = new Registry<Lease>();
  readonly #link: SqlLink;
  readonly #owner: string;
  readonly leaseMs: number;

  constructor(link: SqlLink, owner: string, leaseMs: number) {
    this.#link = link;
    this.#owner = owner;
    this.leaseMs = leaseMs;
  }

  get count(): number {
    return this.#calls.size;
  }

  begin(call: HoldRequest): void {
    this.#begin(call.callId, call.amountNanoUsd, false);
  }

  /** Of a call that has taken a spare hold. Its own amount counts: what it holds may be a little more. */
  beginSpare(callId: string, amountNanoUsd: bigint): void {
    this.#begin(callId, amountNanoUsd, true);
  }

  #begin(callId: string, amountNanoUsd: bigint, isSpare: boolean): void {
    this.#calls.set(callId, {
      amountNanoUsd,
      isSpare,
      sinceMs: performance.now(),
      inputTokens: null,
      outputTokens: null,
      priceVersion: null,
    });
  }

  end(callId: string): void {
    this.#calls.delete(callId);
  }

  /** What a call of this process holds; null for other calls. */
  heldBy(callId: string): bigint | null {
    return this.#calls.get(callId)?.amountNanoUsd ?? null;
  }

  /** What a call may be charged that has taken a spare hold, which may be larger; null for other calls. */
  mostOfSpare(callId: string): bigint | null {
    const lease = this.#calls.get(callId);
    return lease?.isSpare === true ? lease.amountNanoUsd : null;
  }

  /** Notes how far a call has come, in memory; the next touch writes it. */
  checkpoint(callId: string, { inputTokens, outputTokens, priceVersion }: Progress): void {
    const lease = this.#calls.get(callId);
    if (lease === undefined) return;
    lease.inputTokens = count(inputTokens);
    lease.outputTokens = count(outputTokens);
    lease.priceVersion = priceVersion ?? lease.priceVersion;
  }

  /** Extends the leases of all calls that are older than a third of one. Returns how many holds were still open. */
  async touch(): Promise<number> {
    const now = performance.now();
    const due: [string, Lease][] = [];
    for (const [callId, lease] of this.#calls.all()) {
      if (now - lease.sinceMs > MAX_CALL_MS) this.#calls.delete(callId);
      else if (now - lease.sinceMs > this.leaseMs / 3) due.push([callId, lease]);
    }
    let touched = 0;
    for (let from = 0; from < due.length; from += TOUCH_BATCH) {
      const batch = due.slice(from, from + TOUCH_BATCH);
      const answer = await this.#link.ask(
        TOUCH,
        [
          arrayText(batch.map(([callId]) => callId)),
          arrayText(batch.map(([, lease]) => lease.inputTokens)),
          arrayText(batch.map(([, lease]) => lease.outputTokens)),
          arrayText(batch.map(([, lease]) => lease.priceVersion)),
          this.#owner,
          `${this.leaseMs} ms`,
        ],
        TOUCH_WITHIN_MS,
      );
      touched += Number(answer);
    }
    return touched;
  }
}
