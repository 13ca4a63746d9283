import { apiError } from "~/errors/app-error";
import { log } from "~/observe/log.server";
import { admitValues } from "../call-text";
import type { Leases } from "../leases";
import { arrayText } from "../link/composite-text";
import type { SqlLink } from "../link/sql-link";
import type { SqlProblem } from "../link/sql-problem";
import type { HoldRequest, HoldVerdict, Parties, Shortage } from "../shared";
import { ADMIT, OPEN_HOLDS, RELEASE } from "../store";
import { atCapacity, MAX_QUEUED, patienceOf, UNAVAILABLE_AFTER_MS, unavailable } from "./call-patience";
import type { CommitTurns } from "./commit-turns";
import { GroupCommit } from "./group-commit";
import { type AdmitAnswer, outOfPatience, readVerdicts } from "./verdict";
import { type ScopeKey, scopeKey, type Waiter, WaitQueue } from "./wait-queue";

/** Tells whether the caller still waits for its admission. An AbortSignal or any cheaper object of this shape. */
export type Waiting = { readonly aborted: boolean; readonly reason: unknown };

type Pending = Waiter & {
  signal: Waiting | undefined;
  arrivedMs: number;
  /** When the call last began to wait for the database. */
  queuedMs: number;
  /** Number of times that the call's id was already in use. */
  taken: number;
  /** Refused while its statement was in flight: if that places the hold after all, the hold must be released. */
  refused: boolean;
  /** Number of retries after spare holds were released. */
  retriesWithoutSpares: number;
  /** Missing money at the last try; null before the first one. */
  shortage: Shortage | null;
  resolve: (verdict: HoldVerdict) => void;
  reject: (error: unknown) => void;
};

const BATCH_SIZE = 256;
/** Time-out of a look-up of calls in doubt. */
const LOOK_UP_WITHIN_MS = 1_500;
/** Interval at which waiting calls are retried when no call of this process has released money. */
const TICK_MS = 40;
/** More than one, because a turn may place further spare holds while the first ones are being released. */
const MAX_RETRIES_WITHOUT_SPARES = 3;
const WAKE_AT_SETTLEMENT = 32;
const WAKE_AT_TICK = 128;

/**
 * Admission of calls. A call is
 * - queued: it waits for a turn;
 * - sent (`#sent`): in the statement in flight; if it is refused meanwhile, its hold is abandoned;
 * - waiting (`#waiting`): other calls hold the money; queued again when money is released, until its patience is over;
 * - retrying: spare holds are being released for it; then queued again;
 * - in doubt (`#inDoubt`): its answer was lost; looked up, then held or queued again;
 * - over: held, refused or rejected. A hold that may have been placed afterwards (`#abandoned`) is released.
 */
export class AdmissionQueue {
  readonly #link: SqlLink;
  readonly #maintenance: SqlLink;
  readonly #leases: Leases;
  readonly #patienceMs: number;
  readonly #heardMs: () => number;
  readonly #batches: GroupCommit<Pending>;
  readonly #makeRoomFor: (request: HoldRequest) => Promise<void> | null;
  /** Number of calls that retry as soon as spare holds are released. */
  #retrying = 0;
  readonly #waiting = new WaitQueue<Pending>();
  /** Calls of the statement in flight. */
  #sent: readonly Pending[] = [];
  /** Calls whose statement got no answer; their holds may have been placed. */
  #inDoubt: Pending[] = [];
  /** Calls refused while in flight or in doubt, whose holds may have been placed: by id, the number of releases so far. */
  readonly #abandoned = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;
  /** Why admission is closed although the database works; null when it is open. */
  closedBecause: string | null = null;

  constructor(options: {
    link: SqlLink;
    turns: CommitTurns;
    maintenance: SqlLink;
    leases: Leases;
    owner: string;
    /** Maximum wait of a call, for money that other calls hold and for a turn. */
    patienceMs: number;
    /** When other connections of the same database session last got an answer. */
    heardMs?: () => number;
    /** Releases the spare holds that compete with a call; null: there are none. */
    makeRoomFor: (request: HoldRequest) => Promise<void> | null;
  }) {
    const { link, turns, maintenance, leases, owner, patienceMs } = options;
    this.#makeRoomFor = options.makeRoomFor;
    this.#link = link;
    this.#maintenance = maintenance;
    this.#leases = leases;
    this.#patienceMs = patienceMs;
    this.#heardMs = options.heardMs ?? (() => Number.NEGATIVE_INFINITY);
    const lease = `${leases.leaseMs} ms`;
    this.#batches = new GroupCommit<Pending>({
      turns,
      statement: ADMIT,
      batchSize: BATCH_SIZE,
      choose: (items) => this.#send(items.filter((item) => !this.#hasLeft(item))),
      encode: (items) =>
        admitValues(
          items.map(({ request }) => request),
          owner,
          lease,
        ),
      lean: (items) => ({ requested: items.map(({ request }) => request) }),
      answered: (items, answer) => {
        this.#sent = [];
        this.#answered(items, answer);
      },
      failed: (items, problem) => {
        this.#sent = [];
        this.#failed(this.#stillRequested(items, problem), problem);
      },
    });
    link.onUp(() => void this.clearDoubts());
    link.onDown(() => this.#startTicking());
  }

  get isIdle(): boolean {
    return this.#batches.isIdle && this.#waiting.size + this.#retrying === 0 && this.#inDoubt.length === 0;
  }

  admit(request: HoldRequest, signal?: Waiting): Promise<HoldVerdict> {
    return new Promise((resolve, reject) => this.#request(request, { signal, resolve, reject }));
  }

  /** Requests a hold that no call waits for; it joins the next turn. Calls `onVerdict` with null where `admit` would reject. */
  place(request: HoldRequest, onVerdict: (verdict: HoldVerdict | null) => void): void {
    this.#request(request, { signal: undefined, resolve: onVerdict, reject: () => onVerdict(null) });
  }

  #request(request: HoldRequest, { signal, resolve, reject }: Pick<Pending, "signal" | "resolve" | "reject">): void {
    const { downSinceMs } = this.#link;
    const arrivedMs = performance.now();
    if (this.closedBecause !== null) {
      reject(unavailable(this.closedBecause));
      return;
    }
    if (downSinceMs !== null && arrivedMs - Math.max(downSinceMs, this.#answeredMs) > UNAVAILABLE_AFTER_MS) {
      reject(unavailable("the database is not reachable"));
      return;
    }
    if (this.#batches.waiting + this.#waiting.size + this.#inDoubt.length >= MAX_QUEUED) {
      reject(atCapacity("too many calls wait for their holds"));
      return;
    }
    if (downSinceMs !== null) this.#startTicking();
    this.#batches.add(
      {
        request,
        signal,
        resolve,
        reject,
        arrivedMs,
        queuedMs: arrivedMs,
        taken: 0,
        refused: false,
        retriesWithoutSpares: 0,
        shortage: null,
        waitsFor: null,
        trying: true,
      },
      request.isSpare !== true,
    );
  }

  /** When the database last answered any statement. */
  get #answeredMs(): number {
    return Math.max(this.#link.answeredMs, this.#heardMs());
  }

  /** Whether calls wait for money that other calls hold. */
  get hasWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** Retries calls that wait for money of these parties, before new calls. */
  freed(settled: readonly Parties[]): void {
    if (this.#waiting.size === 0) return;
    const scopes = new Set<ScopeKey>();
    for (const parties of settled) for (const scope of SCOPES) scopes.add(scopeKey(scope, parties));
    for (const scope of scopes) this.#wake(scope, WAKE_AT_SETTLEMENT);
  }

  /** Refuses all calls that are not in flight. */
  close(): void {
    for (const item of [...this.#batches.take(() => true), ...this.#inDoubt, ...this.#waiting.all()]) {
      item.reject(unavailable("the gateway is stopping"));
    }
    this.#inDoubt = [];
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #send(items: Pending[]): Pending[] {
    this.#sent = items;
    if (items.length > 0) this.#startTicking();
    return items;
  }

  /** The calls of a failed statement that have not been refused meanwhile. */
  #stillRequested(items: readonly Pending[], problem: SqlProblem): Pending[] {
    const refused = items.filter((item) => item.refused);
    if (problem.kind === "lost") for (const { request } of refused) this.#abandoned.set(request.callId, 0);
    return items.filter((item) => !item.refused);
  }

  #answered(items: readonly Pending[], answer: string): void {
    const verdicts = readVerdicts(answer, items.length);
    const admittedFrom = new Set<ScopeKey>();
    const late: string[] = [];
    items.forEach((item, index) => {
      const scope = item.waitsFor;
      const verdict = verdicts[index]!;
      if (!item.refused) {
        if (this.#take(item, verdict) && scope !== null) admittedFrom.add(scope);
      } else if (verdict.kind === "held") late.push(item.request.callId);
    });
    // Some waiting calls were admitted, so the next ones in their queues may fit too.
    for (const scope of admittedFrom) this.#wake(scope, WAKE_AT_SETTLEMENT);
    this.#freeLate(late);
  }

  /** Returns whether the call is held now. */
  #take(item: Pending, answer: AdmitAnswer): boolean {
    if (answer.kind !== "held" && this.#retryWithoutSpares(item)) return false;
    switch (answer.kind) {
      case "busy":
        if (item.request.isPatient === false || performance.now() - item.arrivedMs >= this.#patienceMs) {
          this.#waiting.leave(item);
          item.resolve(outOfPatience(answer.scope, answer.shortage));
        } else {
          item.shortage = answer.shortage;
          this.#waiting.enter(item, scopeKey(answer.scope, item.request));
          this.#startTicking();
        }
        return false;
      case "noWallet":
        this.#waiting.leave(item);
        item.reject(
          apiError("billing_unavailable", { about: { walletId: item.request.walletId, reason: "no such wallet" } }),
        );
        return false;
      case "held":
        if (item.request.isSpare !== true) this.#leases.begin(item.request);
        this.#waiting.leave(item);
        item.resolve(answer);
        return true;
      case "refused":
        this.#waiting.leave(item);
        item.resolve(answer);
        return false;
    }
  }

  /** Releases the spare holds that compete with a refused call, including those in flight, and retries before refusing it. */
  #retryWithoutSpares(item: Pending): boolean {
    if (item.request.isSpare === true) return false;
    // Repeated on each try while the call waits, so that no new spare holds take its money.
    const room = this.#makeRoomFor(item.request);
    if (room === null || item.retriesWithoutSpares === MAX_RETRIES_WITHOUT_SPARES) return false;
    item.retriesWithoutSpares += 1;
    this.#retrying += 1;
    void room.then(() => {
      this.#retrying -= 1;
      item.queuedMs = performance.now();
      this.#batches.addFirst([item]);
    });
    return true;
  }

  #failed(items: readonly Pending[], problem: SqlProblem): void {
    const isTaken = problem.kind === "data" && problem.sqlState === "23505";
    if (problem.kind === "lost" || (isTaken && items.every((item) => item.taken++ === 0))) {
      // The id is in use because an earlier answer was lost, or because the caller reused it.
      this.#inDoubt.push(...items);
      if (isTaken) void this.clearDoubts();
    } else if (problem.kind === "data") {
      for (const item of items) {
        this.#waiting.leave(item);
        item.reject(apiError("internal_error", { cause: problem.cause }));
      }
    } else {
      log.error({ err: problem.cause }, "the database does not admit calls");
      this.#batches.pause(100);
      this.#batches.addFirst(items);
    }
    this.#startTicking();
  }

  /** Looks up whether the calls in doubt were held. They still time out meanwhile. Part of `recoverSettlements`. */
  async clearDoubts(): Promise<void> {
    try {
      const doubtful = [...this.#inDoubt];
      if (doubtful.length > 0) {
        const ids = arrayText(doubtful.map(({ request }) => request.callId));
        const held = new Set((await this.#maintenance.ask(OPEN_HOLDS, [ids], LOOK_UP_WITHIN_MS)).split(","));
        const isLookedUp = new Set(doubtful);
        const answered = this.#inDoubt.filter((item) => isLookedUp.has(item));
        this.#inDoubt = this.#inDoubt.filter((item) => !isLookedUp.has(item));
        const again = answered.filter((item) => !(held.has(item.request.callId) && this.#take(item, { kind: "held" })));
        this.#batches.addFirst(again);
      }
      await this.#freeAbandoned();
    } catch (error) {
      log.warn({ err: error }, "calls in doubt could not be looked up");
      this.#startTicking();
    }
  }

  #freeLate(ids: readonly string[]): void {
    if (ids.length === 0) return;
    this.#free(ids).catch((error) => {
      log.warn({ err: error }, "calls that were held too late could not be released; it will be tried again");
      for (const id of ids) this.#abandoned.set(id, 0);
    });
  }

  #free(ids: readonly string[]): Promise<string> {
    const values = [arrayText(ids), "{reserved,dispatched,review}", "never dispatched"];
    return this.#maintenance.ask(RELEASE, values, LOOK_UP_WITHIN_MS);
  }

  /** Releases each hold three times, because a statement whose connection was lost may commit after the first release. */
  async #freeAbandoned(): Promise<void> {
    if (this.#abandoned.size === 0) return;
    const ids = [...this.#abandoned.keys()];
    await this.#free(ids);
    for (const id of ids) {
      const times = (this.#abandoned.get(id) ?? 0) + 1;
      if (times >= 3) this.#abandoned.delete(id);
      else this.#abandoned.set(id, times);
    }
  }

  #wake(scope: ScopeKey, max: number): void {
    const woken = this.#waiting.wake(scope, max);
    const now = performance.now();
    for (const item of woken) item.queuedMs = now;
    if (woken.length > 0) this.#batches.addFirst(woken);
  }

  #startTicking(): void {
    // An answer that arrived while this process was busy or suspended is read before calls time out.
    this.#timer ??= setTimeout(() => setImmediate(() => this.#tick()), TICK_MS);
  }

  #tick(): void {
    this.#timer = null;
    const now = performance.now();
    for (const item of this.#waiting.all()) {
      if (item.trying || this.#hasLeft(item)) continue;
      if (now - item.arrivedMs >= this.#patienceMs) this.#giveUpOnMoney(item);
    }
    for (const scope of this.#waiting.scopes()) this.#wake(scope, WAKE_AT_TICK);
    this.#refuseOverdue(now);
    const { size } = this.#waiting;
    if (size + this.#inDoubt.length + this.#sent.length + this.#batches.waiting > 0) this.#startTicking();
  }

  #giveUpOnMoney(item: Pending): void {
    const scope = item.waitsFor!.split(":")[0] as Parameters<typeof outOfPatience>[0];
    this.#waiting.leave(item);
    item.resolve(outOfPatience(scope, item.shortage!));
  }

  /** Refuses calls after the time-outs for a silent and for a slow database. */
  #refuseOverdue(nowMs: number): void {
    const at = { nowMs, answeredMs: this.#answeredMs, patienceMs: this.#patienceMs };
    const isSilent = (item: Pending) => patienceOf(item, at) === "silent";
    const doubtful = this.#inDoubt.filter(isSilent);
    if (doubtful.length > 0) {
      this.#inDoubt = this.#inDoubt.filter((item) => !isSilent(item));
      for (const { request } of doubtful) this.#abandoned.set(request.callId, 0);
    }
    const inFlight = this.#sent.filter((item) => !item.refused && isSilent(item));
    for (const item of inFlight) item.refused = true;
    for (const item of [...doubtful, ...inFlight, ...this.#batches.take(isSilent)]) {
      this.#waiting.leave(item);
      item.reject(unavailable("the database did not answer"));
    }
    // Calls in flight are about to be answered, so only queued ones are refused.
    for (const item of this.#batches.take((each) => patienceOf(each, at) === "busy")) {
      if (item.waitsFor !== null) this.#giveUpOnMoney(item);
      else item.reject(atCapacity("turns come back too slowly"));
    }
  }

  /** Whether the client disconnected before its hold was placed; the call is then rejected. */
  #hasLeft(item: Pending): boolean {
    if (item.signal?.aborted !== true) return false;
    this.#waiting.leave(item);
    item.reject(item.signal.reason);
    return true;
  }
}

const SCOPES = ["key", "user", "department", "project", "organisation", "wallet"] as const;
