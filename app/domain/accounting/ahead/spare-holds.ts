import { apiError } from "~/errors/app-error";
import { withTimeout } from "~/network/with-timeout";
import { log } from "~/observe/log.server";
import { newCallId } from "~/values/call-id";
import type { Leases } from "../leases";
import { isSameParties } from "../parties";
import type { HoldRequest, HoldVerdict, Parties, SpareRequest, TakenHold } from "../shared";
import type { SpareFile, SpareHold } from "./spare-file";

export type SpareHoldsOptions = {
  /** Whether the load is high enough for spare holds, and they may be placed. */
  isWorthIt: () => boolean;
  /** Places a hold that no call waits for; calls `onVerdict` with the verdict, or with null when there is none. */
  place: (request: HoldRequest, onVerdict: (verdict: HoldVerdict | null) => void) => void;
  /** Releases holds that belong to no call; safe to repeat. */
  release: (spares: readonly SpareHold[]) => Promise<void>;
  /** Called when money of these parties was released. */
  freed: (parties: readonly Parties[]) => void;
  leases: Leases;
  file: SpareFile;
};

/**
 * The states of a spare hold. Only `#setState` changes them:
 *
 *   requested ──> ready ──> taken ──> its call settles it
 *    │      │       │         │
 *    │      │       v         │ the file cannot be written
 *    │      └───> unwanted <──┘
 *    v              │ ^
 *   refused         v │ its release failed
 *                 returning ──> released
 *
 * - requested: recorded in the file, and in the queue of a turn;
 * - ready: committed for the parties of the key's last call, and at most 100 ms old;
 * - taken: crossed out for a call, which may be dispatched once that is written;
 * - refused: no hold was placed; its pool pauses;
 * - unwanted: committed, to be released: it is too old, the key's parties or limit changed, the pool is paused because a call that
 *   shares a scope lacks money, or the process ends;
 * - returning: its release is in flight;
 * - released: crossed out.
 */
type SpareState = "requested" | "ready" | "taken" | "refused" | "unwanted" | "returning" | "released";

type Spare = HoldRequest &
  SpareHold & { state: SpareState; pool: Pool; requestedMs: number; hour: number; slot: number };

/** The spare holds of one key at one price. A pool is rarely called (no new spare holds), frequently called, or paused. */
type Pool = {
  like: SpareRequest;
  /** Spare holds that are ready; oldest first. */
  ready: Spare[];
  /** Number of spare holds that are requested. */
  requested: number;
  lastMs: number;
  /** Moving average of the time between two calls. */
  gapMs: number;
  /** Request no spare holds before this time: one was refused, or they competed with a call. */
  pausedUntilMs: number;
};

/** Work for the end of this event-loop tick: calls to request a spare hold for, holds taken, and the promise of the file write. */
type Round = {
  calls: { pool: Pool; request: SpareRequest }[];
  taken: Spare[];
  written: Promise<void>;
  resolve: () => void;
  reject: (error: unknown) => void;
};

/** Keep spare holds only for keys with at most this gap between calls, so that most are taken before they expire. */
const MAX_GAP_MS = 10;
/** Upper bound of one gap in the moving average. */
const GAP_CEILING_MS = 200;
/** Age at which an unused spare hold is released. Its stamp in the rate window is valid for calls that arrive until then. */
const MAX_AGE_MS = 100;
const TICK_MS = 50;
const PAUSE_MS = 1_000;
const MAX_PER_KEY = 128;
/** A key with a rate limit has at most limit ÷ this number of spare holds. */
const RATE_DIVISOR = 100;
/** Maximum size of a spare hold, as a multiple of the maximum cost of the call that takes it. */
const MAX_OVERSIZE = 1.5;
/** Above every real cost, and below 2^53, so that numbers are exact. */
const MAX_EXACT_NANO_USD = 1e15;
const IDLE_MS = 5_000;
/** Maximum wait of a call for the release of spare holds. */
const ROOM_WITHIN_MS = 500;

/**
 * Holds that are placed before their calls arrive, for keys that call often. A call that takes a spare hold can be dispatched at
 * once: an earlier turn has committed the hold, under all checks, as a dispatched call with its own id. Each call also requests one
 * new spare hold in the next turn. See docs/decisions/051.
 */
export class SpareHolds {
  readonly #options: SpareHoldsOptions;
  readonly #pools = new Map<number, Pool[]>();
  #round: Round | null = null;
  /** Spare holds that are unwanted. */
  #unwanted: Spare[] = [];
  /** The last release. One at a time. */
  #releasing: Promise<void> = Promise.resolve();
  #isReleasing = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: SpareHoldsOptions) {
    this.#options = options;
  }

  /** Takes a spare hold for a call; null: none fits, so the call must be admitted. */
  take(request: SpareRequest): TakenHold | null {
    if (!this.#options.isWorthIt()) return null;
    const now = performance.now();
    const pool = this.#poolOf(request, now);
    const amount = Number(request.amountNanoUsd);
    if (pool.gapMs > MAX_GAP_MS || amount > MAX_EXACT_NANO_USD) return null;
    const round = this.#roundNow();
    round.calls.push({ pool, request });
    const spare = takeFitting(pool, amount, now);
    if (spare === null) return null;
    round.taken.push(spare);
    this.#setState(spare, "taken");
    this.#options.leases.beginSpare(spare.callId, request.amountNanoUsd);
    return { callId: spare.callId, written: round.written };
  }

  /**
   * Releases the spare holds that share a scope with these parties, and requests no more for a second. Null: there are none.
   * Resolves when they are released, or when that fails or takes too long. Includes holds of the turn that was just answered.
   */
  makeRoomFor(parties: Parties): Promise<void> | null {
    let hasSpares = this.#isReleasing || this.#unwanted.length > 0;
    for (const pool of this.#all()) {
      if (!sharesScope(pool.like, parties)) continue;
      pool.pausedUntilMs = performance.now() + PAUSE_MS;
      hasSpares ||= pool.ready.length + pool.requested > 0;
      this.#empty(pool);
    }
    if (!hasSpares) return null;
    return new Promise<void>((resolve) => setImmediate(resolve))
      .then(() => withTimeout(this.#release(), ROOM_WITHIN_MS))
      .catch(() => undefined);
  }

  /** Releases all spare holds when the process ends: call it before and after the last turn. The file keeps those that fail. */
  async close(): Promise<void> {
    for (const pool of this.#all()) {
      pool.pausedUntilMs = Number.POSITIVE_INFINITY;
      this.#empty(pool);
    }
    await this.#release();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#isIdle()) this.#options.file.remove();
  }

  /** The only place that changes the state of a spare hold. */
  #setState(spare: Spare, state: SpareState): void {
    if (spare.state === "requested") spare.pool.requested -= 1;
    spare.state = state;
    if (state === "ready") spare.pool.ready.push(spare);
    else if (state === "unwanted") {
      this.#unwanted.push(spare);
      this.#startTicking();
    } else if (state !== "returning") this.#options.file.cross(spare.slot);
  }

  /** Whether no spare hold is requested, ready, unwanted or returning. */
  #isIdle(): boolean {
    if (this.#isReleasing || this.#unwanted.length > 0 || this.#round !== null) return false;
    for (const { ready, requested } of this.#all()) if (ready.length + requested > 0) return false;
    return true;
  }

  #poolOf(request: SpareRequest, now: number): Pool {
    let pools = this.#pools.get(request.keyId);
    if (pools === undefined) {
      pools = [];
      this.#pools.set(request.keyId, pools);
    }
    for (const pool of pools) {
      if (pool.like.priceVersion !== request.priceVersion) continue;
      pool.gapMs += (Math.min(now - pool.lastMs, GAP_CEILING_MS) - pool.gapMs) / 8;
      pool.lastMs = now;
      if (!isSame(pool.like, request)) this.#empty(pool);
      pool.like = request;
      return pool;
    }
    const pool = { like: request, ready: [], requested: 0, lastMs: now, gapMs: GAP_CEILING_MS, pausedUntilMs: 0 };
    pools.push(pool);
    this.#startTicking();
    return pool;
  }

  #roundNow(): Round {
    if (this.#round === null) {
      const { promise, resolve, reject } = withResolvers();
      this.#round = { calls: [], taken: [], written: promise, resolve, reject };
      setImmediate(this.#endRound);
    }
    return this.#round;
  }

  /** Requests one spare hold for every call of the tick: to replace the one it took, or because there was none. */
  #endRound = (): void => {
    const round = this.#round;
    if (round === null) return;
    this.#round = null;
    const now = performance.now();
    const requested: Spare[] = [];
    for (const { pool, request } of round.calls) {
      const spare = this.#next(pool, request, now);
      if (spare !== null) requested.push(spare);
    }
    if (!this.#options.file.write()) {
      // The calls were not dispatched, so their holds are released.
      for (const spare of round.taken) {
        this.#options.leases.end(spare.callId);
        this.#setState(spare, "unwanted");
      }
      for (const spare of requested) this.#placed(spare, null);
      round.reject(apiError("billing_unavailable", { about: { reason: "spare holds cannot be written down" } }));
      return;
    }
    round.resolve();
    for (const spare of requested) this.#options.place(spare, (verdict) => this.#placed(spare, verdict));
  };

  /** Builds a spare hold for a call like this one; null: the pool is paused or full. */
  #next(pool: Pool, request: SpareRequest, now: number): Spare | null {
    const { rateLimitRpm } = request;
    const max = rateLimitRpm === null ? MAX_PER_KEY : Math.min(MAX_PER_KEY, Math.floor(rateLimitRpm / RATE_DIVISOR));
    if (now < pool.pausedUntilMs || pool.ready.length + pool.requested >= max) return null;
    const callId = newCallId();
    const isRated = rateLimitRpm !== null;
    const slot = this.#options.file.add({ callId, isRated });
    if (slot === null) return null;
    pool.requested += 1;
    return {
      callId,
      keyId: request.keyId,
      userId: request.userId,
      departmentId: request.departmentId,
      projectId: request.projectId,
      organisationId: request.organisationId,
      walletId: request.walletId,
      exempt: request.exempt,
      amountNanoUsd: roundedUp(request.amountNanoUsd),
      rateLimitRpm,
      priceVersion: request.priceVersion,
      isPatient: false,
      isSpare: true,
      isRated,
      state: "requested",
      pool,
      requestedMs: now,
      hour: hourNow(),
      slot,
    };
  }

  #placed(spare: Spare, verdict: HoldVerdict | null): void {
    const { pool } = spare;
    const now = performance.now();
    if (verdict?.kind !== "held") {
      // If a hold was refused for lack of an answer and was placed after all, the admission queue releases it.
      pool.pausedUntilMs = now + PAUSE_MS;
      this.#setState(spare, "refused");
    } else this.#setState(spare, now < pool.pausedUntilMs || !isSame(spare, pool.like) ? "unwanted" : "ready");
  }

  #empty(pool: Pool): void {
    for (const spare of pool.ready.splice(0)) this.#setState(spare, "unwanted");
  }

  /** Releases the unwanted spare holds, after the release in flight. */
  #release(): Promise<void> {
    this.#releasing = this.#releasing.then(() => this.#releaseNow());
    return this.#releasing;
  }

  async #releaseNow(): Promise<void> {
    const spares = this.#unwanted;
    if (spares.length === 0) return;
    this.#unwanted = [];
    for (const spare of spares) this.#setState(spare, "returning");
    this.#isReleasing = true;
    try {
      await this.#options.release(spares);
      for (const spare of spares) this.#setState(spare, "released");
      this.#options.freed(spares);
    } catch (error) {
      log.warn({ err: error }, "spare holds could not be given back; it will be tried again");
      for (const spare of spares) this.#setState(spare, "unwanted");
    } finally {
      this.#isReleasing = false;
    }
  }

  #startTicking(): void {
    this.#timer ??= setTimeout(() => this.#tick(), TICK_MS).unref();
  }

  #tick(): void {
    this.#timer = null;
    const now = performance.now();
    for (const [keyId, pools] of this.#pools) {
      for (const pool of pools) {
        while (pool.ready.length > 0 && now - pool.ready[0]!.requestedMs > MAX_AGE_MS)
          this.#setState(pool.ready.shift()!, "unwanted");
      }
      const used = pools.filter((pool) => pool.ready.length + pool.requested > 0 || now - pool.lastMs < IDLE_MS);
      if (used.length > 0) this.#pools.set(keyId, used);
      else this.#pools.delete(keyId);
    }
    if (this.#unwanted.length > 0) void this.#release();
    const isIdle = this.#isIdle();
    if (isIdle) this.#options.file.remove();
    if (this.#pools.size > 0 || !isIdle) this.#startTicking();
  }

  *#all(): Generator<Pool> {
    for (const pools of this.#pools.values()) yield* pools;
  }
}

/** The current hour. Budget periods begin with an hour, and a hold must count in the period in which its call arrives. */
const hourNow = () => Math.floor(Date.now() / 3600_000);

/** Takes the oldest valid hold that covers the call's maximum cost and is at most 1.5 times larger. */
function takeFitting({ ready }: Pool, amount: number, now: number): Spare | null {
  const hour = hourNow();
  for (let at = 0; at < ready.length; at += 1) {
    const spare = ready[at]!;
    if (now - spare.requestedMs > MAX_AGE_MS || spare.hour !== hour) continue;
    const held = Number(spare.amountNanoUsd);
    if (held < amount || held > amount * MAX_OVERSIZE) continue;
    if (at === 0) ready.shift();
    else ready.splice(at, 1);
    return spare;
  }
  return null;
}

/** Rounds up to three binary digits, at most 25 % more, so that calls of similar cost can take each other's holds. */
function roundedUp(amountNanoUsd: bigint): bigint {
  const amount = Number(amountNanoUsd);
  if (amount < 8) return amountNanoUsd;
  const step = 2 ** (Math.floor(Math.log2(amount)) - 2);
  return BigInt(Math.ceil(amount / step) * step);
}

const isSame = (one: SpareRequest, other: SpareRequest): boolean =>
  one.rateLimitRpm === other.rateLimitRpm && isSameParties(one, other);

/** Whether two calls share a wallet, organisation, key or user. */
const sharesScope = (one: Parties, other: Parties): boolean =>
  one.walletId === other.walletId ||
  one.organisationId === other.organisationId ||
  one.keyId === other.keyId ||
  (one.userId !== null && one.userId === other.userId);

function withResolvers() {
  let resolve = (): void => undefined;
  let reject = (_error: unknown): void => undefined;
  const promise = new Promise<void>((whenResolved, whenRejected) => {
    resolve = whenResolved;
    reject = whenRejected;
  });
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
