import { performance } from "node:perf_hooks";
import { arrayText, count } from "./link/composite-text";
import type { SqlLink } from "./link/sql-link";
import { Registry } from "./registry";
import type { HoldRequest } from "./shared";
import { TOUCH } from "./store";

type Lease = {
  amountNanoUsd: bigint;
  isSpare: boolean;
  sinceMs: number;
  inputTokens: number | null;
  outputTokens: number | null;
  priceVersion: number | null;
};

/** Progress of a call. `priceVersion`: of the route that serves it, where it is known. */
export type Progress = { inputTokens: number; outputTokens: number; priceVersion?: number };

/** Age at which a call in flight is forgotten: its lease expires, and its hold goes into review. */
const MAX_CALL_MS = 6 * 3600_000;
const TOUCH_BATCH = 1_000;
const TOUCH_WITHIN_MS = 5_000;

/**
 * The calls of this process between admission and settlement. Short calls need no statement. For long ones, `touch` extends the
 * lease and stores the progress.
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

  /** Begins the lease of a call with a spare hold. `amountNanoUsd` is the call's own maximum; the hold may be larger. */
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

  /** Amount held by a call of this process; null for other calls. */
  heldBy(callId: string): bigint | null {
    return this.#calls.get(callId)?.amountNanoUsd ?? null;
  }

  /** Maximum charge of a call with a spare hold, which may be larger; null for other calls. */
  maxChargeOfSpare(callId: string): bigint | null {
    const lease = this.#calls.get(callId);
    return lease?.isSpare === true ? lease.amountNanoUsd : null;
  }

  /** Records a call's progress in memory; the next touch stores it. */
  checkpoint(callId: string, { inputTokens, outputTokens, priceVersion }: Progress): void {
    const lease = this.#calls.get(callId);
    if (lease === undefined) return;
    lease.inputTokens = count(inputTokens);
    lease.outputTokens = count(outputTokens);
    lease.priceVersion = priceVersion ?? lease.priceVersion;
  }

  /** Extends the leases of calls older than a third of a lease. Returns the number of holds that were still open. */
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
