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
  /** Places a hold that no call waits for; calls `heard` with the verdict, or with null when there is none. */
  place: (request: HoldRequest, heard: (verdict: HoldVerdict | null) => void) => void;
  /** Releases holds that belong to no call; safe to repeat. */
  giveBack: (spares: readonly SpareHold[]) => Promise<void>;
  /** Called when money of these parties was released. */
  freed: (parties: readonly Parties[]) => void;
  leases: Leases;
  file: SpareFile;
};

type Spare = HoldRequest & SpareHold & { pool: Pool; askedMs: number; hour: number; slot: number };

/** The spare holds of one key at one price. */
type Pool = {
  like: SpareRequest;
  /** Committed holds for the parties of the last call, not taken yet; oldest first. */
  ready: Spare[];
  /** Number of requested holds without a verdict. */
  asked: number;
  lastMs: number;
  /** Moving average of the time between two calls. */
  gapMs: number;
  /** Request no spare holds before this time: one was refused, or they competed with a call. */
  pausedUntilMs: number;
};

/** Work for the end of this event-loop tick: calls to order a spare hold for, holds taken, and the promise of the file write. */
type Round = {
  calls: { pool: Pool; request: SpareRequest }[];
  taken: Spare[];
  written: Promise<void>;
  resolve: () => void;
  reject: (problem: unknown) => void;
};

/** Keep spare holds only for keys with at most this gap between calls, so that most are taken before they expire. */
const OFTEN_MS = 10;
/** Upper bound of one gap in the moving average. */
const SELDOM_MS = 200;
/** Age at which an unused spare hold is released. Its stamp in the rate window is valid for calls that arrive until then. */
const MAX_AGE_MS = 100;
const TICK_MS = 50;
const PAUSE_MS = 1_000;
const MAX_OF_A_KEY = 128;
/** A key with a rate limit has at most limit ÷ this number of spare holds. */
const PART_OF_THE_RATE = 100;
/** Maximum size of a spare hold, as a multiple of the maximum cost of the call that takes it. */
const MAX_TIMES = 1.5;
/** Above every real cost, and below 2^53, so that numbers are exact. */
const MAX_EXACT_NANO_USD = 1e15;
const IDLE_MS = 5_000;
/** Maximum wait of a call for the release of spare holds. */
const ROOM_WITHIN_MS = 500;

/**
 * Holds that are placed before their calls arrive, for keys that call often. A call that takes a spare hold can be dispatched at
 * once: an earlier turn has committed the hold, under all checks, as a dispatched call with its own id. Each call also orders one
 * new spare hold in the next turn.
 *
 * A spare hold is, in this order: requested (counted in `Pool.asked`), ready (`Pool.ready`), then taken by a call or unwanted
 * (`#unwanted`) and released. It becomes unwanted after 100 ms, when its key's parties or limit change, or when a call of the
 * same wallet, organisation, user or key lacks money. See docs/decisions/051.
 */
export class SpareHolds {
  readonly #options: SpareHoldsOptions;
  readonly #pools = new Map<number, Pool[]>();
  #round: Round | null = null;
  /** Holds to be released. */
  #unwanted: Spare[] = [];
  #giving: Promise<void> = Promise.resolve();
  #isGiving = false;
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
    if (pool.gapMs > OFTEN_MS || amount > MAX_EXACT_NANO_USD) return null;
    const round = this.#roundNow();
    round.calls.push({ pool, request });
    const spare = fitting(pool, amount, now);
    if (spare === null) return null;
    round.taken.push(spare);
    this.#options.file.cross(spare.slot);
    this.#options.leases.beginSpare(spare.callId, request.amountNanoUsd);
    return { callId: spare.callId, written: round.written };
  }

  /**
   * Releases the spare holds that share a scope with these parties, and requests no more for a second. Null: there are none.
   * Resolves when they are released, or when that fails or takes too long. Includes holds of the turn that was just answered.
   */
  makeRoomFor(parties: Parties): Promise<void> | null {
    let some = this.#isGiving || this.#unwanted.length > 0;
    for (const pool of this.#all()) {
      if (!meet(pool.like, parties)) continue;
      pool.pausedUntilMs = performance.now() + PAUSE_MS;
      some ||= pool.ready.length + pool.asked > 0;
      this.#empty(pool);
    }
    if (!some) return null;
    return new Promise<void>((resolve) => setImmediate(resolve))
      .then(() => withTimeout(this.#giveBack(), ROOM_WITHIN_MS))
      .catch(() => undefined);
  }

  /** Releases all spare holds when the process ends: call it before and after the last turn. The file keeps those that fail. */
  async close(): Promise<void> {
    for (const pool of this.#all()) {
      pool.pausedUntilMs = Number.POSITIVE_INFINITY;
      this.#empty(pool);
    }
    await this.#giveBack();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#isIdle()) this.#options.file.remove();
  }

  /** Whether no spare hold is requested, ready or unwanted. */
  #isIdle(): boolean {
    if (this.#isGiving || this.#unwanted.length > 0 || this.#round !== null) return false;
    for (const { ready, asked } of this.#all()) if (ready.length + asked > 0) return false;
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
      pool.gapMs += (Math.min(now - pool.lastMs, SELDOM_MS) - pool.gapMs) / 8;
      pool.lastMs = now;
      if (!isSame(pool.like, request)) this.#empty(pool);
      pool.like = request;
      return pool;
    }
    const pool = { like: request, ready: [], asked: 0, lastMs: now, gapMs: SELDOM_MS, pausedUntilMs: 0 };
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

  /** Orders one spare hold for every call of the tick: to replace the one it took, or because there was none. */
  #endRound = (): void => {
    const round = this.#round;
    if (round === null) return;
    this.#round = null;
    const now = performance.now();
    const asked: Spare[] = [];
    for (const { pool, request } of round.calls) {
      const spare = this.#next(pool, request, now);
      if (spare !== null) asked.push(spare);
    }
    if (!this.#options.file.write()) {
      // The calls were not dispatched, so their holds are released.
      for (const spare of round.taken) {
        this.#options.leases.end(spare.callId);
        this.#return(spare);
      }
      for (const spare of asked) this.#placed(spare, null);
      round.reject(apiError("billing_unavailable", { about: { reason: "spare holds cannot be written down" } }));
      return;
    }
    round.resolve();
    for (const spare of asked) this.#options.place(spare, (verdict) => this.#placed(spare, verdict));
  };

  /** Builds a spare hold for a call like this one; null: the pool is paused or full. */
  #next(pool: Pool, request: SpareRequest, now: number): Spare | null {
    const { rateLimitRpm } = request;
    const most =
      rateLimitRpm === null ? MAX_OF_A_KEY : Math.min(MAX_OF_A_KEY, Math.floor(rateLimitRpm / PART_OF_THE_RATE));
    if (now < pool.pausedUntilMs || pool.ready.length + pool.asked >= most) return null;
    const callId = newCallId();
    const isRated = rateLimitRpm !== null;
    const slot = this.#options.file.add({ callId, isRated });
    if (slot === null) return null;
    pool.asked += 1;
    return {
      callId,
      keyId: request.keyId,
      userId: request.userId,
      departmentId: request.departmentId,
      projectId: request.projectId,
      organisationId: request.organisationId,
      walletId: request.walletId,
      exempt: request.exempt,
      amountNanoUsd: stepAbove(request.amountNanoUsd),
      rateLimitRpm,
      priceVersion: request.priceVersion,
      isPatient: false,
      isSpare: true,
      isRated,
      pool,
      askedMs: now,
      hour: hourNow(),
      slot,
    };
  }

  #placed(spare: Spare, verdict: HoldVerdict | null): void {
    const { pool } = spare;
    pool.asked -= 1;
    const now = performance.now();
    if (verdict?.kind !== "held") {
      // If a hold was refused for lack of an answer and was placed after all, the admission queue releases it.
      pool.pausedUntilMs = now + PAUSE_MS;
      this.#options.file.cross(spare.slot);
    } else if (now < pool.pausedUntilMs || !isSame(spare, pool.like)) this.#return(spare);
    else pool.ready.push(spare);
  }

  #empty(pool: Pool): void {
    for (const spare of pool.ready.splice(0)) this.#return(spare);
  }

  #return(spare: Spare): void {
    this.#unwanted.push(spare);
    this.#startTicking();
  }

  #giveBack(): Promise<void> {
    this.#giving = this.#giving.then(() => this.#giveSomeBack());
    return this.#giving;
  }

  async #giveSomeBack(): Promise<void> {
    const spares = this.#unwanted;
    if (spares.length === 0) return;
    this.#unwanted = [];
    this.#isGiving = true;
    try {
      await this.#options.giveBack(spares);
      for (const { slot } of spares) this.#options.file.cross(slot);
      this.#options.freed(spares);
    } catch (problem) {
      log.warn({ err: problem }, "spare holds could not be given back; it will be tried again");
      this.#unwanted.push(...spares);
    } finally {
      this.#isGiving = false;
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
        while (pool.ready.length > 0 && now - pool.ready[0]!.askedMs > MAX_AGE_MS) this.#return(pool.ready.shift()!);
      }
      const used = pools.filter((pool) => pool.ready.length + pool.asked > 0 || now - pool.lastMs < IDLE_MS);
      if (used.length > 0) this.#pools.set(keyId, used);
      else this.#pools.delete(keyId);
    }
    if (this.#unwanted.length > 0) void this.#giveBack();
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
function fitting({ ready }: Pool, amount: number, now: number): Spare | null {
  const hour = hourNow();
  for (let at = 0; at < ready.length; at += 1) {
    const spare = ready[at]!;
    if (now - spare.askedMs > MAX_AGE_MS || spare.hour !== hour) continue;
    const most = Number(spare.amountNanoUsd);
    if (most < amount || most > amount * MAX_TIMES) continue;
    if (at === 0) ready.shift();
    else ready.splice(at, 1);
    return spare;
  }
  return null;
}

/** Rounds up to three binary digits, at most 25 % more, so that calls of similar cost can take each other's holds. */
function stepAbove(amountNanoUsd: bigint): bigint {
  const amount = Number(amountNanoUsd);
  if (amount < 8) return amountNanoUsd;
  const step = 2 ** (Math.floor(Math.log2(amount)) - 2);
  return BigInt(Math.ceil(amount / step) * step);
}

const isSame = (one: SpareRequest, other: SpareRequest): boolean =>
  one.rateLimitRpm === other.rateLimitRpm && isSameParties(one, other);

/** Whether two calls share a wallet, organisation, key or user. */
const meet = (one: Parties, other: Parties): boolean =>
  one.walletId === other.walletId ||
  one.organisationId === other.organisationId ||
  one.keyId === other.keyId ||
  (one.userId !== null && one.userId === other.userId);

function withResolvers() {
  let resolve = (): void => undefined;
  let reject = (_problem: unknown): void => undefined;
  const promise = new Promise<void>((whenResolved, whenRejected) => {
    resolve = whenResolved;
    reject = whenRejected;
  });
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
