import { newCallId } from "~/call-id";
import { apiError } from "~/errors/app-error";
import { log } from "~/log.server";
import { withTimeout } from "~/with-timeout";
import type { Leases } from "./leases";
import { isSameParties } from "./parties";
import type { HoldRequest, HoldVerdict, Parties, SpareRequest, TakenHold } from "./shared";
import type { SpareFile, SpareHold } from "./spare-file";

export type SpareHoldsOptions = {
  /** Whether calls come in numbers, and holds may be placed for more. */
  isWorthIt: () => boolean;
  /** Places a hold that no call waits for; hears the verdict, or null when there is none. */
  place: (request: HoldRequest, heard: (verdict: HoldVerdict | null) => void) => void;
  /** Frees holds that stand for no call; safe to repeat. */
  giveBack: (spares: readonly SpareHold[]) => Promise<void>;
  /** Money of these parties came back. */
  freed: (parties: readonly Parties[]) => void;
  leases: Leases;
  file: SpareFile;
};

type Spare = HoldRequest & SpareHold & { pool: Pool; askedMs: number; hour: number; slot: number };

/** The spare holds of one key at one price. */
type Pool = {
  like: SpareRequest;
  /** Placed, for calls of the same parties as the last one, and not taken; the oldest first. */
  ready: Spare[];
  /** How many are on their way. */
  asked: number;
  lastMs: number;
  /** The time between two calls, on the average of the last few. */
  gapMs: number;
  /** None are asked for before: there was no room, or somebody else had none. */
  pausedUntilMs: number;
};

/** What happens at the end of this turn of the event loop: whom a hold is asked for, which were taken, and who waits until that is written. */
type Round = {
  calls: { pool: Pool; request: SpareRequest }[];
  taken: Spare[];
  written: Promise<void>;
  resolve: () => void;
  reject: (problem: unknown) => void;
};

/** A key has spare holds where its calls come so often: each is taken long before it is given back. */
const OFTEN_MS = 10;
/** What counts at most as the time between two calls. */
const SELDOM_MS = 200;
/** A spare hold that nobody has taken for so long is given back. Its stamp in the rate window covers a call that comes until then. */
const MAX_AGE_MS = 100;
const TICK_MS = 50;
const PAUSE_MS = 1_000;
const MAX_OF_A_KEY = 128;
/** Of its requests a minute, a key with a rate limit has this part as spare holds at most. */
const PART_OF_THE_RATE = 100;
/** A call takes a hold of at most so many times what it can cost. */
const MAX_TIMES = 1.5;
/** More than anything costs, and less than a number can tell exactly. */
const MAX_EXACT_NANO_USD = 1e15;
const IDLE_MS = 5_000;
/** How long a call waits for spare holds to be given back. */
const ROOM_WITHIN_MS = 500;

/**
 * Holds that are placed for calls before they come. Where the calls of a key come in numbers, one that takes a spare hold can be dispatched
 * at once: its money has been held in the database by a turn before, under all checks, as a dispatched call of its own id, and the hold that
 * takes its place goes with the next turn. What nobody takes is given back within a fraction of a second, and whenever a call of the same
 * wallet, organisation, user or key finds no room. See decision 051.
 */
export class SpareHolds {
  readonly #options: SpareHoldsOptions;
  readonly #pools = new Map<number, Pool[]>();
  #round: Round | null = null;
  /** To be given back. */
  #unwanted: Spare[] = [];
  #giving: Promise<void> = Promise.resolve();
  #isGiving = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: SpareHoldsOptions) {
    this.#options = options;
  }

  /** A hold that such a call has from now on; null: it has to ask for one of its own. */
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
   * Gives back the spare holds that count where these parties do, and asks for no more for a while. Null: there are none. Resolves when
   * they are free, or cannot be freed now. Those on their way in the turn that has just been answered are among them.
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

  /** Gives all of them back, for the end of the process: to be called before the last turn, and behind it. What cannot be given back stays on file. */
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

  /** None is ready or on its way, or has to be given back. */
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

  /** Each call that came asks for one more like it: one that took a hold for what it took, another one because there were too few. */
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
      // Nobody was dispatched with them, and after all they are spare.
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

  /** A hold for a call like this one; null: none is asked for. */
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
      // What was refused because no answer came, and is held after all, is freed by the queue of admissions.
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

/** Periods of budgets begin with an hour: a hold counts in the period in which its call comes. */
const hourNow = () => Math.floor(Date.now() / 3600_000);

/** Takes the oldest that is not too old, covers what a call can cost, and not much more. */
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

/** Rounded up to three binary digits, a quarter more at most: calls that cost about the same can take each other's. */
function stepAbove(amountNanoUsd: bigint): bigint {
  const amount = Number(amountNanoUsd);
  if (amount < 8) return amountNanoUsd;
  const step = 2 ** (Math.floor(Math.log2(amount)) - 2);
  return BigInt(Math.ceil(amount / step) * step);
}

const isSame = (one: SpareRequest, other: SpareRequest): boolean =>
  one.rateLimitRpm === other.rateLimitRpm && isSameParties(one, other);

/** Whether two calls count in a scope that both have. */
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
